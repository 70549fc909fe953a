"""One analysis a file, from tables to estimates."""
