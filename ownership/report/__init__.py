"""HTML pages about games and models, to look through in a browser, offline."""
