"""The page: its markup from templates, and all its texts from the file of a language."""

from functools import cache
from typing import Final

import numpy as np

from game_records.registered_formats import ENDINGS
from goban import board_svg
from goban.counting.languages import LANGUAGES
from goban.rulesets import RULESETS
from ownership.report.game_page import GAME_SCRIPTS, GAME_STYLES
from ownership.report.page_frame import as_html, content_policy, fill_template, html_page, script_data
from ownership.report.page_texts import texts
from ownership.server.request_limits import LARGEST_VISITS

_SIDE: Final = 19
_ENDINGS: Final = ",".join((".sgf", *ENDINGS, ".txt"))  # of records
_STYLES: Final = (*GAME_STYLES, "server/score_page.css")
_OWN: Final = (
    *(
        "games",
        "server_requests",
        "board_touches",
        "group_marks",
        "own_moves",
        "live_review",
        "review_search",
        "endless_search",
        "answer_messages",
    ),
    *("group_explanations", "settled_points"),
    *("recorded_review", "pointed_at", "variation_tree", "notes", "game_list", "kept_page"),
    *("archives", "open_files", "share", "score_page"),
)
_VISITS: Final = (50, 100, 200, 500, LARGEST_VISITS)  # of each position of a review, to choose from
_SCRIPTS: Final = (*GAME_SCRIPTS, *(f"server/{name}.js" for name in _OWN))


@cache
def page(language: str) -> tuple[str, str]:
    """Return the page in a language and its content security policy."""
    words = texts(language)
    shown = {name: as_html(text) for name, text in words.items()}
    options = "".join(f'<option value="{name}">{shown[f"rules_{name}"]}</option>' for name in RULESETS)
    links = "".join(
        f'<a href="?language={each}" lang="{each}">{texts(each)["language_name"]}</a>' for each in LANGUAGES
    )
    counts = {each: as_html(words["visits_of_each"].format(visits=f"{each:,}")) for each in _VISITS}
    visits = "".join(f'<option value="{each}">{text}</option>' for each, text in counts.items())
    parts = {
        "field": fill_template(
            "board_and_graph.html",
            **shown,
            board=board_svg.render_svg(np.zeros((_SIDE, _SIDE), np.int8)),
            moves=0,
            now=0,
            review=fill_template("server/review_buttons.html", **shown, visits_choice=visits),
        ),
        "steps": fill_template("move_steps.html", **shown, further=fill_template("server/game_buttons.html", **shown)),
        "views": fill_template("view_choice.html", **shown),
        "review": fill_template(
            "review_lists.html", **shown, deeper_button=fill_template("server/deeper_buttons.html", **shown)
        ),
        "options": fill_template("board_options.html", **shown),
    }
    body = fill_template(
        "server/score_page.html",
        **shown | parts,
        endings=_ENDINGS,
        rulesets=options,
        languages=links,
        strings=script_data(words),
    )
    markup = html_page(
        words["title"],
        words["subtitle"],
        body,
        _SCRIPTS,
        styles=_STYLES,
        connects=True,
        language=language,
        layout="game",
    )
    return markup, content_policy(("theme.js", *_SCRIPTS), _STYLES, connects=True)


def accepted_language(header: str) -> str:
    """Return the first language that a browser accepts, by its header Accept-Language; English if it has none."""
    wanted = (part.partition(";")[0].strip()[:2].lower() for part in header.split(","))
    return next((each for each in wanted if each in LANGUAGES), LANGUAGES[0])
