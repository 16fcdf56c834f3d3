"""The browser table: a server over the one engine, and the page it serves. See README.md here."""
