"""The table in a browser: whole games by clicks and by keys, undo, reload, two visitors, six players, phones."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from dominion_app.web.house.link import pack
from tests.browser.conftest import FOR_PAGES, PHONE, PICTURES, WIDE, Server, Visit

ALL = "Bureaucrat,Cellar,Chapel,Library,Militia,Moat,Poacher,Sentry,Thief,Throne Room"


def buttons(page: Any) -> list[str]:
    """Return the words and answers of the buttons below the question."""
    found = page.eval_on_selector_all("#question button:enabled", "all => all.map(each => each.dataset.do)")
    return [value.partition("|")[2] for value in found]


def settled(page: Any, before: str) -> None:
    """Wait until the question is another one."""
    page.wait_for_function("before => document.querySelector('#question').innerHTML !== before", arg=before)


def question(page: Any) -> str:
    return str(page.inner_html("#question"))


def without_states(html: str) -> str:
    """Return a part of the page without the states in which its buttons were shown."""
    return re.sub(r'data-do="[^|"]*', 'data-do="', html)


def wanted(offered: list[str]) -> str:
    wishes = ("treasures|", "answer|buy Province", "answer|buy Gold", "answer|buy Silver", "answer|pass")
    return next((wish for wish in wishes if wish in offered), offered[0])


def no_violations(page: Any) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def picture(page: Any, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    if FOR_PAGES and not (PICTURES / f"{name}.png").exists():
        return
    with Image.open(io.BytesIO(page.screenshot())) as image:
        image.convert("RGB").quantize(128).save(PICTURES / f"{name}.png", optimize=True)


def link_of(hand: dict[str, int], kingdom: str = ALL, **others: Any) -> str:
    """Return the link of a game in which the visitor holds these cards in the Action phase."""
    deck = {"deck_top": ["Silver", "Gold", "Estate", "Copper", "Silver"]}
    players = [{"hand": hand, **deck}, {"hand": {"Copper": 3, "Estate": 2}, **deck}]
    position = {"players": players, "turn_player": 0, "phase": "action", **others}
    return f"/play?seed=1&kingdom={kingdom}&position={pack(position)}"


@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_a_whole_game(visit: Visit, by: str):
    page = visit("/play?seed=3&agent=first-game")
    for _ in range(400):
        offered = buttons(page)
        if not offered:
            break
        before, wish = question(page), wanted(offered)
        if by == "clicks":
            heading = page.inner_text("#heading")
            if "coins" in heading and "treasures|" not in offered and page.locator("#own .held").count():
                picture(page, "table")  # the last one of the game stays
            page.click(f"#question button[data-do$='|{wish}']")
        else:
            page.keyboard.press(str(page.get_attribute(f"#question button[data-do$='|{wish}']", "aria-keyshortcuts")))
        settled(page, before)
    assert page.inner_text("#heading h1") == "The game is over"
    assert "won" in page.inner_text("#question h2") or "share" in page.inner_text("#question h2")
    assert page.locator("#question table.decks tr").count() == 3
    no_violations(page)
    picture(page, f"end-{by}")


def test_a_pile_and_a_card_of_the_hand_answer_a_click_and_undo_takes_it_back(visit: Visit):
    page = visit("/play?seed=3")
    page.click("#own button.held >> nth=0")
    page.wait_for_selector("#heading :text('1 coin')")
    page.keyboard.press("t")
    page.wait_for_selector("#supply button.pile:has-text('Moat')")
    before = question(page)
    page.click("#supply button.pile:has-text('Moat')")
    settled(page, before)
    assert "buys Moat" in page.inner_text("#log")
    page.keyboard.press("u")
    page.wait_for_function("!document.querySelector('#log').innerText.includes('buys Moat')")
    assert without_states(question(page)) == without_states(before)
    while not page.locator("#note:has-text('nothing to take back')").count():
        page.click("nav button:has-text('Undo')")  # a click on what is no longer shown changes nothing
        page.wait_for_timeout(100)


def test_cards_are_picked_and_taken_back_before_they_are_confirmed(visit: Visit):
    page = visit(link_of({"Chapel": 1, "Copper": 2, "Estate": 1, "Curse": 1}))
    page.click("#own button.held:has-text('Chapel')")
    page.wait_for_selector("#question :text('up to 4 cards')")
    page.click("#own button.held:has-text('Copper') >> nth=0")
    page.wait_for_selector("#own .held.chosen:has-text('Copper')")
    page.click("#own button.held:has-text('Curse')")
    page.wait_for_selector("#own .held.chosen:has-text('Curse')")
    picture(page, "picking")
    no_violations(page)
    page.click("#own .held.chosen:has-text('Copper')")
    page.wait_for_function("document.querySelectorAll('#own .chosen').length === 1")
    page.keyboard.press("c")
    page.wait_for_selector(".trash:has-text('Curse')")
    assert "Copper" not in page.inner_text(".trash")


def test_a_reload_in_the_middle_of_an_attack_changes_nothing(visit: Visit):
    hand = {"Militia": 1, "Copper": 4}
    players = [{"hand": {"Copper": 3, "Estate": 2}}, {"hand": hand}]
    packed = pack({"players": players, "turn_player": 1, "phase": "action"})
    page = visit(f"/play?seed=1&kingdom={ALL}&position={packed}&agent=double-militia")
    page.wait_for_selector("#question :text('Militia: discard 2 cards from your hand')")
    before = question(page)
    picture(page, "militia")
    page.reload()
    page.wait_for_function("window.did_handshake === true")
    assert question(page) == before
    page.click("#own button.held:has-text('Estate') >> nth=0")
    page.click("#own button.held:not(.chosen):has-text('Estate')")
    page.wait_for_function("document.querySelectorAll('#own .chosen').length === 2")
    page.keyboard.press("c")
    page.wait_for_selector("#question button:has-text('Play all Treasures')")


def test_two_visitors_of_one_link_have_games_of_their_own_and_two_tabs_have_one(visit: Visit):
    ann, bob = visit("/play?seed=3"), visit("/play?seed=3")
    before = question(bob)
    ann.keyboard.press("t")
    ann.wait_for_selector("#heading :text('2 coins')")
    tab = visit("/play?seed=3", context=ann.context)
    assert "2 coins" in tab.inner_text("#heading")
    late = tab.get_attribute("#question button[data-do]", "data-do")
    ann.keyboard.press("p")
    tab.wait_for_function("late => document.querySelector('#question button[data-do]').dataset.do !== late", arg=late)
    tab.evaluate("late => { document.querySelector('#question button[data-do]').dataset.do = late }", late)
    tab.click("#question button[data-do]")
    tab.wait_for_selector("#note:has-text('changed meanwhile')")
    assert question(bob) == before


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_six_players(visit: Visit, size: tuple[int, int], dark: bool):
    page = visit("/play?seed=5&players=6&seat=2&agent=double-militia", size, dark)
    for _ in range(12):
        before, wish = question(page), wanted(buttons(page))
        page.click(f"#question button[data-do$='|{wish}']")
        settled(page, before)
    assert page.locator("#others .player").count() == 5
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"
    no_violations(page)
    picture(page, f"six-{'phone' if size == PHONE else 'wide'}-{'dark' if dark else 'light'}")


@pytest.mark.parametrize(
    ("card", "hand", "asks"),
    [
        ("Cellar", {"Copper": 2, "Estate": 2}, "up to 4 cards"), ("Library", {"Copper": 1}, ""),
        ("Sentry", {"Copper": 2}, "Sentry: trash, discard or put back"), ("Poacher", {"Copper": 3}, "Poacher: discard"),
        ("Throne Room", {"Moat": 1, "Cellar": 1}, "Throne Room: you may play"), ("Thief", {"Copper": 1}, "Thief: "),
    ],
)  # fmt: skip
def test_questions_read_well(visit: Visit, card: str, hand: dict[str, int], asks: str):
    page = visit(link_of({card: 1, **hand}, supply={"Bureaucrat": 0}))
    picture(page, f"action-{card.replace(' ', '-')}")
    before = question(page)
    page.click(f"#own button.held:has-text('{card}')")
    settled(page, before)
    assert asks in page.inner_text("#question")
    no_violations(page)
    picture(page, f"asked-{card.replace(' ', '-')}")


def test_by_keyboard_alone_the_focus_stays_at_the_question(visit: Visit):
    page = visit("/play?seed=3")
    page.focus("#question button.main")
    page.keyboard.press("Enter")
    page.wait_for_selector("#heading :text('2 coins')")
    page.wait_for_function("document.querySelector('#question').contains(document.activeElement)")
    page.keyboard.press("d")
    page.wait_for_function("document.querySelector('#panel').contains(document.activeElement)")
    assert "3 Estate" in page.inner_text("#panel")
    no_violations(page)
    page.keyboard.press("Escape")
    page.wait_for_function("document.querySelector('#panel').innerHTML === ''")


def test_a_name_is_never_markup(visit: Visit):
    strategy = "name: <img src=x onerror=alert(1)>\nProvince\nGold\nSilver"
    page = visit("/")
    page.fill("input[name=name]", "<b>Ann</b>")
    page.evaluate(
        "text => { document.querySelector('input[name=instead]').value = text.replaceAll('\\n', ';') }", strategy
    )
    page.click("form button:has-text('Play')")
    page.wait_for_selector("#heading h1")
    assert page.locator("#question img, #others img, #log b, #heading b").count() == 0
    assert "<b>Ann</b>" in page.inner_text("#heading") + page.inner_text("#log")
    assert "<img" in page.inner_text("#others")


def test_the_lobby_leads_to_a_game_of_ten_picked_cards(visit: Visit):
    page = visit("/")
    no_violations(page)
    picture(page, "lobby")
    page.click("summary:has-text('Gallery')")
    *first, last = ALL.split(",")
    for card in first:
        page.check(f"input[value='{card}']")
    page.fill("input[name=name]", "Ann")
    page.click("form button:has-text('Play')")
    page.wait_for_selector("[role=alert]:has-text('expected 10 different Kingdom cards, got 9')")
    assert page.input_value("input[name=name]") == "Ann"
    assert page.is_checked(f"input[value='{first[0]}']")
    page.check(f"input[value='{last}']")
    no_violations(page)
    picture(page, "gallery")
    page.select_option("select[name=kingdom]", "random")
    page.click("form button:has-text('Play')")
    page.wait_for_selector("[role=alert]:has-text('got both')")
    page.select_option("select[name=kingdom]", "")
    page.click("form button:has-text('Play')")
    page.wait_for_selector("#supply .pile:has-text('Throne Room')")
    link = page.url
    page.goto(link)
    assert page.url == link


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/play?agent=/etc/passwd", "is no agent here"), ("/play?players=9", "expected a whole number from 1 to 6"),
        ("/play?replay=!!", "damaged"), ("/watch?replay=" + pack({"format": 2, "rules": 0}), "rules version"),
        ("/compare?first=nobody&second=big-money", "is no agent here"),
    ],
)  # fmt: skip
def test_a_wrong_link_is_told_in_words(visit: Visit, path: str, words: str):
    page = visit(path)
    assert words in page.inner_text("body")
    no_violations(page)


def test_files_are_opened_or_refused_in_words(visit: Visit, tmp_path: Path):
    from dominion_env import Game

    game = Game(seed=5, auto_treasures=True)
    for _ in range(9):
        game.apply(game.legal_actions()[-1])
    (tmp_path / "game.json").write_text(json.dumps(game.replay()))
    (tmp_path / "broken.json").write_text("{")
    page = visit("/")
    page.set_input_files("input[type=file]", tmp_path / "broken.json")
    page.click("form button:has-text('Open')")
    page.wait_for_selector("text=expected a saved game or a position as JSON")
    assert page.url.endswith("/open"), "the words stand in the answer itself, as an address could hold any words"
    page.goto(page.url.removesuffix("open"))
    page.click("form button:has-text('Open')")
    page.wait_for_selector("text=got nothing; choose a file")
    page.goto(page.url.removesuffix("open"))
    page.set_input_files("input[type=file]", tmp_path / "game.json")
    page.click("form button:has-text('Open')")
    page.wait_for_selector("text=Decision 0 of 9")
    page.keyboard.press("End")
    page.wait_for_selector("text=Decision 9")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=Decision 8 of 9")
    no_violations(page)


def test_watching_goes_forward_and_back_with_the_probabilities_of_a_network(visit: Visit):
    page = visit("/watch?seed=3&agent=quick&agent=big-money")
    page.keyboard.press("b")
    page.wait_for_selector("#bars meter", timeout=120_000)
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowDown", None), ("Home", 0)):
        before = question(page)
        page.keyboard.press(key)
        settled(page, before)  # a key that is pressed on the way only ends the way
        if step is not None:
            page.wait_for_selector(f"text=Decision {step}", timeout=120_000)
    page.keyboard.press("v")
    page.wait_for_selector("text=as “quick” sees it")
    no_violations(page)
    picture(page, "watching")


def test_the_coach_tells_what_each_answer_is_worth_and_a_review_what_was_dear(visit: Visit):
    page = visit("/play?seed=3")
    page.keyboard.press("h")
    page.wait_for_selector("#panel :text('chance to win')", timeout=120_000)
    no_violations(page)
    picture(page, "hint")
    page.keyboard.press("Escape")
    for _ in range(14):
        before, wish = question(page), wanted(buttons(page))
        page.click(f"#question button[data-do$='|{wish}']")
        settled(page, before)
    page.click("a:has-text('Review')")
    page.click("button:has-text('Review Player')")
    page.wait_for_selector("#result svg", timeout=120_000)
    assert "All decisions" in page.inner_text("#result")
    no_violations(page)
    picture(page, "review")


def test_a_comparison_shows_score_curves_and_an_example(visit: Visit):
    page = visit("/compare?first=Province%0AGold%0ASilver&second=smithy-optimised&games=200")
    page.wait_for_selector("#note:has-text('200 of 200 games')", timeout=120_000)
    assert "against “smithy-optimised”" in page.inner_text("#result")
    assert page.locator("#result svg polyline").count() == 6
    no_violations(page)
    picture(page, "compare")
    page.click("text=Step through the first game")
    page.wait_for_selector("text=Decision 0")


def test_a_game_goes_on_after_the_server_has_started_again(browser: Any, tmp_path: Path):
    with Server(tmp_path / "games.sqlite") as server, browser.new_context() as context:
        page = context.new_page()
        page.goto(server.address + "/play?seed=3")
        page.wait_for_function("window.did_handshake === true")
        page.keyboard.press("t")
        page.wait_for_selector("#heading :text('2 coins')")
        page.keyboard.press("p")
        page.wait_for_selector("#heading :text('Turn 2 of Player')")
        before = question(page)
        page.evaluate("window.of_the_first_server = true")
        server.stop()
        server.start()
        # The page finds the server again and loads itself anew; to load it here too would cut one of both short.
        page.wait_for_function("!window.of_the_first_server && window.did_handshake === true")
        assert without_states(question(page)) == without_states(before)
        page.keyboard.press("u")
        page.wait_for_selector("#heading :text('Turn 1 of Player')")


def test_a_key_answers_the_question_that_the_page_shows_and_no_later_one(visit: Visit):
    page = visit("/play?seed=3&treasures=auto")
    tab = visit("/play?seed=3&treasures=auto", context=page.context)
    page.wait_for_selector("#question button:has-text('End the turn')")
    press = "for (let i = 0; i < %d; i++) document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'p', bubbles: true}))"
    page.evaluate(press % 3)
    page.wait_for_selector("#note:has-text('changed meanwhile')")
    page.wait_for_selector("#heading :text('Turn 2 of Player')")
    page.keyboard.press("u")
    page.wait_for_selector("#heading :text('Turn 1 of Player')")  # three keys at once have given one answer
    tab.wait_for_selector("#heading :text('Turn 1 of Player')")
    late = tab.evaluate("document.querySelector('#question').innerHTML")
    page.keyboard.press("p")
    tab.wait_for_selector("#heading :text('Turn 2 of Player')")
    tab.evaluate("late => { document.querySelector('#question').innerHTML = late }", late)
    tab.keyboard.press("p")
    tab.wait_for_selector("#note:has-text('changed meanwhile')")
    assert "Turn 2 of Player" in page.inner_text("#heading")


def test_space_presses_the_button_in_focus_and_nothing_else(visit: Visit):
    page = visit("/watch?seed=3&agent=big-money")
    page.focus("nav button:has-text('Next') >> nth=0")
    page.keyboard.press("Space")
    page.wait_for_selector("text=Decision 1,")
    page.wait_for_timeout(300)
    assert "Decision 1," in page.inner_text("#question")


def test_keys_work_beside_an_open_panel_and_the_focus_goes_back_to_its_button(visit: Visit):
    page = visit("/play?seed=3")
    for opener, words in (("d", "Decks and points"), ("?", "Keys and cards")):
        page.keyboard.press(opener)
        page.wait_for_selector(f"#panel :text('{words}')")
    page.keyboard.press("?")
    page.wait_for_function("document.querySelector('#panel').innerHTML === ''")
    page.keyboard.press("d")
    page.wait_for_selector("#panel :text('Decks and points')")
    page.keyboard.press("t")
    page.wait_for_selector("#heading :text('2 coins')")
    page.keyboard.press("Escape")
    page.wait_for_function("document.activeElement.dataset.do === '|decks|'")


def test_a_game_begins_anew_only_if_it_is_asked_for_twice(visit: Visit):
    page = visit("/play?seed=3")
    page.keyboard.press("t")
    page.wait_for_selector("#heading :text('2 coins')")
    page.click("nav button:has-text('Begin anew')")
    page.wait_for_selector("nav button:has-text('Really begin anew?')")
    page.keyboard.press("d")
    page.wait_for_selector("nav button:text('Begin anew')")
    assert "2 coins" in page.inner_text("#heading")
    page.click("nav button:has-text('Begin anew')")
    page.click("nav button:has-text('Really begin anew?')")
    page.wait_for_selector("#heading :text('0 coins')")


def test_the_help_of_a_watched_game_tells_its_own_keys_and_each_button_shows_its_key(visit: Visit):
    page = visit("/watch?seed=3&agent=big-money")
    assert "→" in page.inner_text("nav button:has-text('Next') >> nth=0")
    page.keyboard.press("?")
    page.wait_for_selector("#panel :text('next turn')")
    assert "plays all Treasures" not in page.inner_text("#panel")


@pytest.mark.parametrize("way", ["Back", "Start", "End"])
def test_the_way_to_the_end_stops_where_the_visitor_wants(visit: Visit, way: str):
    page = visit("/watch?seed=3&agent=planner:300")
    page.click("nav button:has-text('End')")
    page.wait_for_function("document.querySelector('#question').innerHTML !== ''")
    page.wait_for_timeout(1000)
    page.click(f"nav button:has-text('{way}') >> nth=0")
    page.wait_for_timeout(2000)
    page.click("nav button:has-text('Start')")
    page.wait_for_selector("text=Decision 0")
    known = page.inner_text("#question p")
    page.wait_for_timeout(2000)
    assert page.inner_text("#question p") == known


@pytest.mark.parametrize("path", ["/play?seed=3", "/watch?seed=3&agent=big-money"])
def test_the_bar_takes_one_row_of_a_large_screen(visit: Visit, path: str):
    page = visit(path)
    middles = "all => all.map(each => each.getBoundingClientRect()).map(box => (box.top + box.bottom) / 2)"
    rows = page.eval_on_selector_all("nav .bar > *", middles)
    assert max(rows) - min(rows) < 5


@pytest.mark.parametrize("path", ["/play?seed=3", "/watch?seed=3&agent=big-money"])
def test_all_buttons_of_the_bar_are_in_sight_on_a_phone(visit: Visit, path: str):
    page = visit(path, PHONE)
    right = page.eval_on_selector_all(
        "nav .bar > *", "all => Math.max(...all.map(each => each.getBoundingClientRect().right))"
    )
    assert right <= PHONE[0]


def test_as_many_seats_are_offered_as_there_are_players(visit: Visit):
    page = visit("/")
    shown = "all => all.filter(each => getComputedStyle(each).display !== 'none').map(each => each.value)"
    assert page.eval_on_selector_all("select[name=seat] option", shown) == ["0", "1", "watch"]
    page.select_option("select[name=players]", "4")
    assert page.eval_on_selector_all("select[name=seat] option", shown) == ["0", "1", "2", "3", "watch"]
    assert "Who begins is drawn" in page.inner_text("form")


def test_a_page_of_others_can_not_open_games_or_listen(server: Server):
    import urllib.error
    import urllib.request

    for path, headers in (("/open", {"Origin": "http://evil.example"}), ("/", {"Host": "evil.example"}),
                          ("/_nicegui_ws/socket.io/?EIO=4&transport=polling", {"Origin": "http://evil.example"})):  # fmt: skip
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(urllib.request.Request(server.address + path, headers=headers), timeout=20)
