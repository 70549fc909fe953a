"""What others read of the project: classifiers that a package index knows, and CITATION.cff."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml
from trove_classifiers import classifiers

ROOT = Path(__file__).parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_a_package_index_knows_every_classifier():
    assert set(DECLARED["classifiers"]) <= classifiers
    assert DECLARED["requires-python"] == ">=3.11"
    assert "Programming Language :: Python :: 3.11" in DECLARED["classifiers"]


def test_the_citation_is_that_of_this_version_in_the_form_of_cff_1_2_0():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited), "what the schema requires"
    assert (cited["cff-version"], cited["type"]) == ("1.2.0", "software")
    assert (cited["title"], cited["version"]) == (DECLARED["name"], DECLARED["version"])
    assert (cited["license"], cited["keywords"]) == (DECLARED["license"], DECLARED["keywords"])
    assert cited["abstract"] == DECLARED["description"]
    assert [each["name"] for each in cited["authors"]] == [each["name"] for each in DECLARED["authors"]]
    assert all(re.fullmatch(r"[a-z-]+", entry) for entry in cited)
