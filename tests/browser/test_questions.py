"""Every question that a player can be asked: its page is whole and can be used, on large and small screens."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from tests.browser.gallery import LOOKS, Look, faults, pick
from tests.browser.questions import SCENES, WANTED, Scene, link_to


def test_every_question_of_the_rules_has_a_scene():
    assert {scene.asks for scene in SCENES} == WANTED
    assert len({scene.name for scene in SCENES}) == len(SCENES)


# Each question has one look here; `python -m tests.browser.gallery` goes through all of them.
@pytest.mark.parametrize(
    ("scene", "look"),
    [
        pytest.param(scene, LOOKS[number % len(LOOKS)], id=f"{scene.name}-{LOOKS[number % len(LOOKS)].name}")
        for number, scene in enumerate(SCENES)
    ],
)
def test_a_question_can_be_read_and_answered(visit: Visit, scene: Scene, look: Look):
    page = visit(link_to(scene, look.players), look.size, look.dark)
    pick(page, scene)
    assert page.locator("#question h2").count() == 1
    assert not faults(page, look)
