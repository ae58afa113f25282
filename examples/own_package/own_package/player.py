"""A player of your own."""


class Liberties:
    """The player of the move after which its chain has the most liberties, until none has `least`."""

    def __init__(self, least="3"):
        self.least = int(least)

    def choose(self, turn, interrupted):
        def liberties(vertex):
            return len(turn.position.play(vertex, suicide=True).chain_at(vertex).liberties)

        best = max(turn.game.legal_moves()[:-1], key=liberties, default=None)
        return best if best and liberties(best) >= self.least else "pass"
