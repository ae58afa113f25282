"""The limits of what the web server accepts and answers: bytes, numbers and seconds."""

from typing import Final

from game_records.sgf_collection import MAX_GAME

LARGEST_REQUEST: Final = MAX_GAME + (1 << 16)  # bytes of a body: a game and the other fields
LARGEST_READ: Final = 64 * LARGEST_REQUEST  # bytes, of larger bodies, before the connection is closed
BODY_SECONDS: Final = 20.0  # that a client may take to send a body, or to read a line
HEADER_SECONDS: Final = 10.0  # from a connection, or from the last answer, to the end of a request's headers
MOST_WAITING: Final = 100  # connections that are not accepted yet
MOST_CONNECTIONS: Final = 400  # with MOST_WAITING more, fewer than the usual 1,024 open files

LONGEST_NAME: Final = 200  # characters of the name of a file
MOST_LISTED: Final = 1000  # games of a file
MOST_VARIATIONS: Final = 100  # of a record that are listed
MOST_POINTS: Final = 625  # of a list
MOST_PRISONERS: Final = 9999
MOST_LINES: Final = 1000  # that are added to a record
LONGEST_RESULT: Final = 100  # characters

LARGEST_VISITS: Final = 1000  # of each search
MOST_REPORTED: Final = 1000  # moves of a game in a report
MOST_REVIEWED: Final = 1000  # moves of a game in a review
MOST_KEPT: Final = 4 << 20  # bytes of records that were read last
MOST_SEARCHED: Final = 2500  # positions of reviews that ran last
