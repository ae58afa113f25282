"""A GTP engine that paints ownership onto the board of GoGui, Sabaki, Lizzie and others."""
