"""The bundled order system: a real HTTP server in its own process, with its own data, that speaks the order API."""
