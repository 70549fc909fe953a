"""Shared by all tests: nothing but the wish that a failing `Table` explains itself."""

import pytest

pytest.register_assert_rewrite("tests.table")
