"""KataGo's analysis protocol: queries as JSON lines, tree searches side by side, answers as JSON lines."""
