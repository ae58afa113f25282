"""Game records: files, collections and archives of SGF in, checked games out."""
