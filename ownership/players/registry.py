"""Players by name and options, such as `mcts:visits=400,time=2`, or another program by its command line.

A new player is one entry of PLAYERS, and its module. Packages add others, see `own_player`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final, NamedTuple

from game_records.rank_property import parse_rank
from goban.errors import InputError, check_choice, cut, parse_number, parse_whole, shown, suggestion
from ownership.inference.evaluator import Evaluator
from ownership.players.alphabeta_player import AlphaBetaPlayer
from ownership.players.external_player import ExternalPlayer
from ownership.players.greedy_player import GreedyPlayer
from ownership.players.gtp_client import TIMEOUT, program
from ownership.players.long_term_player import LongTermPlayer
from ownership.players.mcts_player import MctsPlayer
from ownership.players.own_player import find_player, named_players
from ownership.players.player_interface import Listener, Player
from ownership.players.policy_player import PolicyPlayer
from ownership.players.random_player import RandomPlayer
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from ownership.search.local_continuations import LongTermOptions
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.search_limits import Limits

Load = Callable[[str | None], Evaluator]
"""Returns the evaluator of a model, None being the default one."""

Values = dict[str, Any]


class PlayerOption(NamedTuple):
    """An option of a player: the reader of its text, and the field that it sets."""

    read: Callable[[str], Any]
    field: str


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player.

    Attributes:
        options: by the name that users write.
        make: returns a player from the values of fields, a loader of models, and a listener for searches.
    """

    options: Mapping[str, PlayerOption]
    make: Callable[[Values, Load, Listener | None], Player]


_whole: Final = partial(parse_whole, least=0)
_number: Final = partial(parse_number, least=0)
_share: Final = partial(parse_number, least=0, most=1)


def _percent(text: str) -> float:
    return parse_number(text, 0, 100) / 100


def _symmetries(text: str) -> int:
    check_choice(text, ("1", "8"))
    return int(text)


def _whole_or_all(text: str) -> int | None:
    return None if text == "all" else _whole(text)


def _rank(text: str) -> int:
    """Return the rank of a text such as 5, 5d, 3k or 1p in dan, as planes show it."""
    if text.isdecimal():
        return _whole(text)
    rank = parse_rank(text)
    if rank is None:
        raise InputError(f"expected a rank such as 5d or 9p. Received: {shown(text)}")
    return min(max(rank, 1), 9)  # kyu as 1 dan and professionals as 9 dan, as datasets have them


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split("+"))


def _make_alphabeta(values: Values, load: Load, listener: Listener | None) -> AlphaBetaPlayer:
    evaluator, options = load(values.pop("model", None)), AlphaBetaOptions(**_take(AlphaBetaOptions, values))
    return AlphaBetaPlayer(evaluator, options, listener=listener, **_with_limits(values))


def _make_policy(values: Values, load: Load, _: Listener | None) -> PolicyPlayer:
    """Return the player of one model, or of the mean of several, as players of a rank."""
    model, rank = values.pop("model", None), values.pop("rank", None)
    evaluators = [load(name) for name in (model.split("+") if model else [None])]
    if rank is not None:
        try:
            evaluators = [each.as_rank(rank) for each in evaluators]
        except InputError as error:
            raise InputError(f"player policy, rank: {error}") from None
    return PolicyPlayer(evaluators[0], others=tuple(evaluators[1:]), **values)


def _make_mcts(values: Values, load: Load, listener: Listener | None) -> MctsPlayer:
    evaluator, options = load(values.pop("model", None)), TreeOptions(**_take(TreeOptions, values))
    return MctsPlayer(evaluator, options, listener=listener, **_with_limits(values))


def _make_longterm(values: Values, load: Load, listener: Listener | None) -> LongTermPlayer:
    evaluator, options = load(values.pop("model", None)), LongTermOptions(**_take(LongTermOptions, values))
    return LongTermPlayer(evaluator, options, listener=listener, **values)


def _with_limits(values: Values) -> Values:
    """Return the values, with any limits among them as `Limits`."""
    limits = _take(Limits, values)
    return values | {"limits": Limits(**limits)} if limits else values


def _take(kind: type[AlphaBetaOptions | TreeOptions | LongTermOptions | Limits], values: Values) -> Values:
    """Remove the values of a dataclass's fields from `values`, and return them."""
    return {each.name: values.pop(each.name) for each in fields(kind) if each.name in values}


_MODEL: Final = {"model": PlayerOption(str, "model")}
_RESIGN: Final = {"resign": PlayerOption(_percent, "resign_below")}
_SEED: Final = {"seed": PlayerOption(_whole, "seed")}
_TIME: Final = {"time": PlayerOption(_number, "seconds")}
_LIMITS: Final = {**{name: PlayerOption(_whole, name) for name in ("nodes", "evaluations")}, **_TIME}
_READERS: Final[dict[Any, Callable[[str], Any]]] = {
    int: _whole,
    float: _number,
    int | None: _whole_or_all,
    frozenset[str]: _names,
    str: str,
}
_SEARCH: Final = {each.name: PlayerOption(_READERS[each.type], each.name) for each in fields(AlphaBetaOptions)}
_TREE: Final = {each.name: PlayerOption(_READERS[each.type], each.name) for each in fields(TreeOptions)}
_LONG_TERM: Final = {each.name: PlayerOption(_READERS[each.type], each.name) for each in fields(LongTermOptions)}
_EVALUATION: Final = {**_MODEL, "symmetries": PlayerOption(_symmetries, "symmetries"), **_RESIGN}

PLAYERS: Final[dict[str, PlayerKind]] = {
    "mcts": PlayerKind({**_EVALUATION, "visits": PlayerOption(_whole, "visits"), **_LIMITS, **_TREE}, _make_mcts),
    "alphabeta": PlayerKind(
        {**_EVALUATION, "depth": PlayerOption(_whole, "depth"), **_LIMITS, **_SEARCH}, _make_alphabeta
    ),
    "longterm": PlayerKind({**_MODEL, **_RESIGN, **_TIME, **_LONG_TERM}, _make_longterm),
    "policy": PlayerKind(
        {
            **_MODEL,
            "rank": PlayerOption(_rank, "rank"),
            "temperature": PlayerOption(_number, "temperature"),
            "epsilon": PlayerOption(_share, "epsilon"),
            **_RESIGN,
            **_SEED,
        },
        _make_policy,
    ),
    "greedy": PlayerKind(
        {**_MODEL, "candidates": PlayerOption(_whole, "averaged"), **_RESIGN},
        lambda values, load, _: GreedyPlayer(load(values.pop("model", None)), **values),
    ),
    "random": PlayerKind(_SEED, lambda values, _, __: RandomPlayer(**values)),
}


def make_player(
    text: str,
    load: Load,
    defaults: Mapping[str, Any] | None = None,
    *,
    listener: Listener | None = None,
    move_seconds: float = TIMEOUT,
    others: Sequence[str] = (),
) -> Player:
    """Return the player of a text: a name of PLAYERS or of a package's player, with or without options, or else the
    program of a command line.

    Args:
        text: such as "alphabeta:time=2,width=8".
        load: returns the evaluator of a model.
        defaults: values by option, as the readers of PLAYERS return them; players without an option ignore it.
        listener: receives every result of a search.
        move_seconds: the longest that a program may take for a move.
        others: names of players that the caller makes itself, for the message.

    Raises:
        InputError: an unknown name, option or value, or a model without what the player needs.
    """
    name, _, listed = text.partition(":")
    if name not in PLAYERS:
        if (own := find_player(name, _own_options(listed))) is not None:
            return own
        known = (*PLAYERS, *named_players(), *others)
        expected = f"a player ({', '.join(known)}) or a GTP program"
        return ExternalPlayer(program(text, expected, known), move_seconds)
    options = PLAYERS[name].options
    given = {key: value for key, value in (defaults or {}).items() if key in options} | _listed(name, listed)
    values = {options[key].field: value for key, value in given.items()}
    return PLAYERS[name].make(values, partial(_loaded, name, load), listener)


def _own_options(listed: str) -> dict[str, str]:
    """Return the options `key=value,key=value` of a package's player as text."""
    return {key: value for key, _, value in (part.partition("=") for part in listed.split(",") if part)}


def _loaded(name: str, load: Load, model: str | None) -> Evaluator:
    """Return the evaluator of a player's model; an error names the player if the model is its own option."""
    try:
        return load(model)
    except InputError as error:
        if model is None:
            raise
        raise InputError(f"player {name}, model: {error}") from None


def _listed(name: str, text: str) -> Values:
    """Return the values of `key=value,key=value`, by option."""
    options, values = PLAYERS[name].options, Values()
    for key, sign, value in (part.partition("=") for part in text.split(",") if part):
        if key not in options or not sign:
            known = ", ".join(f"{each}=" for each in options)
            raise InputError(f"player {name}: expected options {known}. Received: {cut(key)}{suggestion(key, options)}")
        try:
            values[key] = options[key].read(value)
        except InputError as error:
            raise InputError(f"player {name}, {key}: {error}") from None
    return values
