"""Licences of the networks of KataGo."""

import re
from typing import Final

from ownership.katago_networks.network_parts import KataGoModel

_LICENCES: Final = {
    "kata1": "KataGo Network License, https://katagotraining.org/network_license/",
    "g170": "public domain, https://katagoarchive.org/",
    "g104": "public domain, https://katagoarchive.org/",
}
_NO_LICENCE: Final = "not known from the file; see where it comes from"


def licence_of(model: KataGoModel) -> str:
    """Return the licence of a network, as far as its name tells by which run of KataGo's it was made."""
    run = re.match(r"[a-z0-9]+", model.name)
    known = (licence for start, licence in _LICENCES.items() if run and run[0].startswith(start))
    return next(known, _NO_LICENCE)
