"""Tests that drive Debian's Chromium: `make browser`."""
