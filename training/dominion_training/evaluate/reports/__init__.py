"""What is said of results: tables on the screen, pictures, a page, files for papers and for other programs."""
