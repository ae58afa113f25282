"""Labels of a teacher for positions of records, and for positions that strong players do not reach."""
