"""Tests that drive Debian's Chromium: `make test-browser`."""
