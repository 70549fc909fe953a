"""The tables of docs/strategies.md are those of the data."""

import pytest

from docs.site.strategies import PAGE, TABLES, with_tables

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_tables_are_up_to_date():
    assert with_tables(TEXT) == TEXT, "run: python -m docs.site.strategies"


def test_a_page_without_a_place_for_a_table_is_refused():
    with pytest.raises(ValueError, match="a line <!-- strategies --> and then <!-- end -->"):
        with_tables("")
    assert all(f"<!-- {name} -->" in TEXT for name in TABLES)
