"""Game records from files of any format, collections, folders and archives."""
