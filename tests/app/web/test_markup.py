"""Nothing that a visitor writes becomes a part of the page's HTML."""

from markupsafe import Markup

from dominion_app.web.pages.markup import join, tag, void


def test_texts_are_escaped_and_markup_is_not():
    assert tag("p", "<b>", tag("i", "a & b")) == "<p>&lt;b&gt;<i>a &amp; b</i></p>"
    assert tag("ul", [tag("li", "<"), ">"]) == "<ul><li>&lt;</li>&gt;</ul>"
    assert join(["<", Markup("<br>")], "<hr>") == "&lt;<hr><br>"


def test_attributes_are_escaped_and_can_be_left_out():
    assert void("input", value='"><script>', class_="a") == '<input value="&#34;&gt;&lt;script&gt;" class="a">'
    assert void("input", checked=True, disabled=False, aria_label=None) == "<input checked>"
