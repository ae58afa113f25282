"""The rules of Go at machine speed."""
