"""A teacher's opinions on positions of records, and on positions that strong players do not reach."""
