"""Pictures of positions, with the moves that were played and the moves that a model predicts."""

from pathlib import Path
from typing import Final

import numpy as np

from game_datasets.evaluation_positions import staggered
from game_datasets.game_table import GameTable
from game_datasets.rows import decode_points
from game_datasets.shards import Datasets, record_sources
from goban.coords import gtp_name
from goban.errors import plural
from ownership.commands.shared.output_files import report_file
from ownership.inference.evaluator import Evaluator
from runtime.safe_writing import replacing
from viz.board import draw_board, draw_policy
from viz.figure import add_heading, new_grid, save

_POSITIONS: Final = 6


def draw_moves(evaluator: Evaluator, table: GameTable, datasets: Datasets, path: Path) -> None:
    """Write a picture of up to six positions: each as it was, with the next move, and with the policy.

    Each is titled with the number of moves and the name of the record, which the `datasets` of the table have.

    The same games give the same positions, of different games, as far through them as the row is down the picture.

    Raises:
        DatasetError: a dataset cannot be read.
        OSError: the file cannot be written.
    """
    count = min(_POSITIONS, len(table))
    games = np.linspace(0, len(table) - 1, count).astype(np.int32)
    sources = record_sources(datasets, [table.ids[game] for game in games])
    axes = new_grid(3 * count, 3, 4.6, 5.0)
    for row, (game, ply) in enumerate(zip(games.tolist(), staggered(table, games).plies.tolist(), strict=True)):
        moves, _ = decode_points(table.move_codes[table.move_offset[game] : table.move_offset[game + 1]])
        position, played = table.position(game, ply), int(moves[ply])
        [prediction] = evaluator.evaluate([position])
        assert prediction.policy is not None
        left, middle, right = axes[3 * row : 3 * row + 3]
        draw_board(position.stones, last=position.recent[0] if position.recent else None, ax=left)
        add_heading(left, f"after {plural(ply, 'move')}", Path(sources[table.ids[game]]).name)
        draw_board(position.stones, variation=[(position.to_move, played)], ax=middle)
        add_heading(middle, f"played: {gtp_name(played, position.side)}")
        draw_policy(position.stones, prediction.policy, ax=right)
        right.set_xlabel("")
        add_heading(right, f"predicted: {gtp_name(int(prediction.policy.argmax()), position.side)}")
    with replacing(path) as partial:
        save(axes[0], partial)
    report_file(path)
