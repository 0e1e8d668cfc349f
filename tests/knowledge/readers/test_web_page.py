from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from knowledge.readers import FileKind
from tests.knowledge.readers.read import body, notes, read, refusal

if TYPE_CHECKING:
    from knowledge.readers import Apart

HTML = FileKind.HTML
TEXT = "Refunds take two days."


@pytest.mark.parametrize(
    "hiding",
    [
        '<p style="display:none">SECRET</p>',
        '<p style="visibility: hidden">SECRET</p>',
        '<p style="opacity:0">SECRET</p>',
        '<p style="font-size:0px">SECRET</p>',
        '<p style="font-size: 1px">SECRET</p>',
        '<p style="width:0;height:0;overflow:hidden">SECRET</p>',
        '<p style="max-height:1px;overflow:hidden">SECRET</p>',
        '<p style="position:absolute;left:-9999px">SECRET</p>',
        '<p style="position:fixed;top:-200em">SECRET</p>',
        '<p style="text-indent:-9999px">SECRET</p>',
        '<p style="clip:rect(0, 0, 0, 0);position:absolute">SECRET</p>',
        '<p style="clip-path: inset(50%)">SECRET</p>',
        '<p style="transform:scale(0)">SECRET</p>',
        '<p style="color:transparent">SECRET</p>',
        '<p style="color:rgba(0,0,0,0)">SECRET</p>',
        '<p style="color:#fff">SECRET</p>',
        '<div style="background:#eee"><p style="color:#EEEEEE">SECRET</p></div>',
        "<p hidden>SECRET</p>",
        "<p HIDDEN='until-found'>SECRET</p>",
        "<dialog>SECRET</dialog>",
        "<noscript>SECRET</noscript>",
        "<template><p>SECRET</p></template>",
        '<p class="x">SECRET</p>',
        '<p class="y">SECRET</p>',
        '<p id="z">SECRET</p>',
        '<span class="visually-hidden">SECRET</span>',
        '<div style="display:none"><div><p>SECRET</p></div></div>',
        "<s>SECRET</s>",
        "<p><del>SECRET</del></p>",
        '<p style="text-decoration: line-through red">SECRET</p>',
    ],
)
def test_that_what_the_eye_does_not_see_is_dropped_and_flagged(hiding: str, apart: Apart) -> None:
    style = (
        ".x { display: none } @media screen { .y { opacity: 0 } } #z { display: none !important } #z {display:block}"
    )
    article = read(f"<style>{style}</style><p>{TEXT}</p>{hiding}", HTML, apart)
    assert article.text.body == TEXT
    assert article.sentences == ("Hidden text was left out (1 place): “SECRET”. Look at the file.",)


@pytest.mark.parametrize(
    "shown",
    [
        '<p style="color:#fff;background:#000">SEEN</p>',
        '<div style="background-color:#222"><p style="color:white">SEEN</p></div>',
        '<p class="printed">SEEN</p>',
        '<p class="once again">SEEN</p>',
        '<p class="d-none d-md-block">SEEN</p>',
        '<p style="overflow:hidden;width:100%">SEEN</p>',
        '<p style="left:-9999px">SEEN</p>',
        '<p style="font-size:80%;opacity:0.6">SEEN</p>',
        '<p aria-hidden="true">SEEN</p>',
        "<details><summary>SEEN</summary></details>",
        "<h3><button>SEEN</button></h3>",
    ],
)
def test_that_what_the_eye_sees_is_kept(shown: str, apart: Apart) -> None:
    style = "@media print { .printed { display: none } } .once { display: none } .once.again { display: block }"
    article = read(f"<style>{style} p:hover {{display:none}}</style><p>{TEXT}</p>{shown}", HTML, apart)
    assert "SEEN" in article.text.body
    assert article.notes == ()


@pytest.mark.parametrize(
    "style",
    [
        *("font:0/0 a", "font:0px serif", "font:bold 1px/1 Arial", "font-size:calc(0px)"),
        *("position:absolute;inset:-9999px auto auto -9999px", "position:absolute;left:calc(-9999px)"),
        *("margin:0 0 0 -9999px", "margin-left:-300%", "position:absolute;right:99999px", "letter-spacing:-9999px"),
        *("translate:-9999px 0", "scale:0", "zoom:0.001", "transform:scale(0.001)", "filter:opacity(0%)"),
        *("color:#fefefe", "color:#ffffffff", "color:rgba(255,255,255,1)", "color:rgb(0 0 0 / 0)"),
        *("-webkit-text-fill-color:transparent", "height:0;overflow-y:scroll", "color:black;background:rgb(0,0,0)"),
    ],
)
def test_that_a_style_written_another_way_hides_all_the_same(style: str, apart: Apart) -> None:
    assert body(f'<p>{TEXT}</p><p style="{style}">SECRET</p>', HTML, apart) == TEXT


@pytest.mark.parametrize(
    "style",
    [
        *("color:rgb(0, 0, 0)", "color:rgb(255,0,0)", "color:hsl(10,50%,0%)", "color:rgba(0,0,0,.8)"),
        *("font:16px/0 a", "font:italic 0.9em/1.5 serif", "line-height:1;overflow:hidden", "scale:0.5", "zoom:1"),
        *("margin:0 auto -20px", "margin-left:-100%", "width:calc(1px + 50%);overflow:auto", "filter:opacity(0.9)"),
    ],
)
def test_that_a_style_that_only_looks_like_hiding_keeps_its_text(style: str, apart: Apart) -> None:
    assert "Free after 45." in body(f'<p>{TEXT}</p><p style="{style}">Free after 45.</p>', HTML, apart)


@pytest.mark.parametrize("media", ["screen and (min-width:1px)", "(min-width: 0)", "screen, print", "print,all"])
def test_that_a_sheet_for_a_usual_screen_hides(media: str, apart: Apart) -> None:
    page = f"<style>@media {media} {{.x{{display:none}}}}</style><p>{TEXT}</p><p class=x>SECRET</p>"
    assert body(page, HTML, apart) == TEXT


@pytest.mark.parametrize("media", ["print", "(max-width: 600px)", "(min-width: 4000px)"])
def test_that_a_sheet_for_paper_or_another_screen_does_not_hide(media: str, apart: Apart) -> None:
    page = f"<style>@media {media} {{.x{{display:none}}}}</style><p>{TEXT}</p><p class=x>Free after 45.</p>"
    assert "Free after 45." in body(page, HTML, apart)


def test_that_comments_and_scripts_are_left_out(apart: Apart) -> None:
    page = f"<p>{TEXT}<!-- one day --></p><script>let x = 'script'</script><svg><text>drawn</text></svg>"
    assert body(page, HTML, apart) == TEXT
    assert notes(page, HTML, apart).startswith("1 comment was left out")


def test_that_headings_lists_tables_links_and_code_become_markdown(apart: Apart) -> None:
    page = """<html lang="hi"><title>Help | Kamala</title><body><h1>Late <em>boxes</em></h1><p>More than
    45 minutes<br>and it is <a href="https://dabba.example/late">free</a>, <a href="/x">see</a>.</p>
    <ol><li>Call</li><li>Wait<ul><li>a bit</li><li><p>or more</p></li></ul></li></ol>
    <table><caption>Prices</caption><tr><th>Box</th><th>Rs</th></tr><tr><td rowspan=2>small</td><td>50</td></tr>
    <tr><td>60</td></tr></table><pre>if late:
    free()</pre><details><summary>And when?</summary><p># now</p></details></body></html>"""
    article = read(page, HTML, apart)
    assert article.text.body == (
        "# Late boxes\n\nMore than 45 minutes\nand it is [free](https://dabba.example/late), see.\n\n"
        "1. Call\n2. Wait\n  - a bit\n  - or more\n\nPrices\n\n| Box | Rs |\n| --- | --- |\n| small | 50 |\n"
        "| small | 60 |\n\n```\nif late:\n    free()\n```\n\n## And when?\n\n\\# now"
    )
    assert (article.text.title, article.text.language, article.encoding) == ("Late boxes", "hi", "UTF-8")


@pytest.mark.parametrize(
    "around",
    [
        "<nav>Home Menu Contact</nav>{}<footer>Imprint</footer>",
        "<ul><li><a href=/>Home</a><li><a href=/m>Menu</a></ul>{}",
        "<div role=banner>Kamala</div><main>{}</main><div>Imprint</div>",
        "<table><tr><td><a href=x>Home</a><td><a href=y>Menu</a></table>{}<p><a href=z>imprint</a></p>",
    ],
)
def test_that_the_site_around_the_page_is_left_out_and_told(around: str, apart: Apart) -> None:
    page = around.format(f"<p>{TEXT} Ask us when it takes longer than that.</p>")
    assert body(page, HTML, apart) == f"{TEXT} Ask us when it takes longer than that."
    assert "The site around the page was left out" in notes(page, HTML, apart)


def test_that_a_page_of_nothing_but_links_keeps_them(apart: Apart) -> None:
    assert (
        body("<ul><li><a href=a>Late boxes</a><li><a href=b>Refunds</a></ul>", HTML, apart) == "- Late boxes\n- Refunds"
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("<meta charset=windows-1251><p>Возврат</p>".encode("cp1251"), "Windows-1251"),
        (
            (" " * 40_000 + "<meta http-equiv=x content='text/html; charset=koi8-r'>").encode()
            + "Возврат".encode("koi8-r"),
            "KOI8-R",
        ),
        ("<meta charset=iso-8859-1><p>Возврат</p>".encode(), "UTF-8"),
        ("<meta charset=utf-8><p>Café à la</p>".encode("cp1252"), "Latin-1"),
        ("<meta charset=utf-16><p>Возврат</p>".encode(), "UTF-8"),
        ("\ufeff<meta charset=utf-8><p>Возврат</p>".encode("utf-16-le"), "UTF-16 LE with byte order mark"),
        ('<?xml version="1.0" encoding="shift_jis"?><p>返金は</p>'.encode("shift_jis"), "Shift JIS"),
    ],
)
def test_that_the_encoding_of_a_page_is_found(data: bytes, told: str, apart: Apart) -> None:
    article = read(data, HTML, apart)
    assert article.encoding == told
    assert article.text.body in ("Возврат", "Café à la", "返金は")


@pytest.mark.parametrize(
    "page", ["", "<p></p>", "<p hidden>secret</p>", "<!-- only -->", "<script>x</script>", "\ufeff"]
)
def test_that_a_page_without_text_is_refused(page: str, apart: Apart) -> None:
    assert "It has no text." in refusal(page, HTML, apart)


@pytest.mark.parametrize(
    "page",
    ["<div>" * 100_000 + "x", "<table><tr><td>" * 20_000 + "x", "<b>" * 50_000 + "x", "<ul><li>" * 3_000 + "x"],
)
def test_that_a_page_nested_beyond_reason_is_refused(page: str, apart: Apart) -> None:
    assert "nested more than 2,000 deep" in refusal(page, HTML, apart)


def test_that_a_page_of_one_long_line_is_read(apart: Apart) -> None:
    assert len(body("<p>" + "Free when late. " * 60_000, HTML, apart)) == 959_999
