"""What is written by `make docs`: generated pages, schemas, declarations, and the page's look."""
