"""python -m experiments.benchmark_metadata BENCHMARK

Writes the checksums and the Croissant description of the benchmark (docs/benchmark.md) beside its games.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from benchmarks.command import exit_with, parser_of
from game_datasets.columns import GAMES

SUMS: Final = "SHA256SUMS"
CROISSANT: Final = "croissant.json"
CONFIGS: Final = {
    "agreed": "Whole games with the owner of each point on which both judges agree.",
    "contested": "The same games, as far as they have contested points, with GNU Go's owners of these.",
}
_VERSION: Final = "1.0.0"
_DATE: Final = "2026-11-28"
_CARD: Final = "README.md"
_DESCRIPTION: Final = (
    "Whole games of Go between weak and strong programs on 9x9, 13x13 and 19x19, from the opening to the end, with the "
    "owner of each point of the final board. It measures how well a program knows who owns each point."
)
_MEANINGS: Final = {
    "id": "Hash of board side, set-up and moves.",
    "opening": "Hash of the first stones under all symmetries of the board.",
    "source": "The run and the number of the game.",
    "side": "Board side.",
    "komi": "Points that White is given.",
    "rules": "Rules by which the game was played; empty where they are plain area rules.",
    "handicap": "Number of handicap stones.",
    "result": "Empty: the players did not count.",
    "ending": "How the record ends: unknown.",
    "black_rank": "Empty.",
    "white_rank": "Empty.",
    "date": "Empty.",
    "recorded_score": "Null.",
    "counted_score": "Area score at the end of GNU Go's play, Black minus White with komi.",
    "setup": "Set-up stones as 2 * point + (1 if White); point = row * side + column from the top left.",
    "moves": "Moves as 2 * point + (1 if White); side * side is a pass.",
    "branch": "0: the target holds for all positions of the game.",
    "target": "side * side int8: 1 Black, -1 White, 0 for points that are neutral or of the other configuration.",
    "scorer": "The judges.",
    "split": "test.",
    "reason": "Empty.",
    "detail": "Empty.",
}
_TYPES: Final = {"string": "sc:Text", "binary": "sc:Text", "float32": "sc:Float"}
_CONTEXT: Final[dict[str, Any]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def main() -> int:
    """Write both files of a folder."""
    parser = parser_of("experiments.benchmark_metadata", __doc__)
    parser.add_argument("benchmark", type=Path, metavar="BENCHMARK")
    write_metadata(parser.parse_args().benchmark)
    return 0


def write_metadata(benchmark: Path) -> None:
    """Write SHA256SUMS, of the data files and the matches, and croissant.json into the folder of the benchmark."""
    names = [*(each for config in CONFIGS for each in sorted(benchmark.glob(f"{config}/*"))), benchmark / "matches.txt"]
    lines = [f"{_digest(path)}  {path.relative_to(benchmark).as_posix()}\n" for path in names]
    (benchmark / SUMS).write_text("".join(lines), "utf-8")
    (benchmark / CROISSANT).write_text(json.dumps(croissant(benchmark), indent=1) + "\n", "utf-8")


def croissant(benchmark: Path) -> dict[str, Any]:
    """Return the description of the benchmark by the vocabulary of Croissant 1.0."""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": "go-ownership-benchmark",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "description": _DESCRIPTION,
        "license": "https://creativecommons.org/publicdomain/zero/1.0/",
        "url": _CARD,
        "version": _VERSION,
        "datePublished": _DATE,
        "creator": {"@type": "sc:Organization", "name": "The go-ownership authors"},
        "keywords": ["Go", "baduk", "weiqi", "ownership", "life and death", "scoring"],
        "citeAs": "The go-ownership authors: go-ownership benchmark, version 1, 2026.",
        "distribution": [_file(benchmark, config) for config in CONFIGS],
        "recordSet": [_record_set(config) for config in CONFIGS],
    }


def _file(benchmark: Path, config: str) -> dict[str, Any]:
    path = f"{config}/{GAMES.file_name(0)}"
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{(benchmark / path).stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": _digest(benchmark / path),
    }


def _record_set(config: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": config,
        "name": config,
        "description": CONFIGS[config],
        "key": {"@id": f"{config}/id"},
        "field": [_field(config, name, column.type) for name, column in GAMES.columns.items()],
    }


def _field(config: str, name: str, kind: str) -> dict[str, Any]:
    element = kind.removeprefix("list<").removesuffix(">")
    return {
        "@type": "cr:Field",
        "@id": f"{config}/{name}",
        "name": name,
        "description": _MEANINGS[name],
        "dataType": _TYPES.get(element, "sc:Integer"),
        **({"repeated": True} if element != kind else {}),
        "source": {"fileObject": {"@id": f"{config}/{GAMES.file_name(0)}"}, "extract": {"column": name}},
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    exit_with(main)
