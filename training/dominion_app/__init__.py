"""What people use above training and measurement: the table in the browser, and the review of saved games."""
