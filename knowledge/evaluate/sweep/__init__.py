"""Which chunk size, overlap, way of searching and number of passages serve the user's own questions best."""
