"""The end of a program whose output has no reader any more."""

import os
import select
import threading


def end_with_reader(descriptor: int, status: int) -> None:
    """End this process as soon as the reader of a pipe is gone, also in the middle of a computation.

    Without this, a program that computes for long after its client was killed would find out with its next answer only.
    Does nothing for files and terminals, or where the system cannot wait for this.

    Args:
        descriptor: the end of the pipe that this process writes to.
        status: of the process.
    """
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(descriptor, 0)  # errors are reported in any case: a pipe without a reader is one

    def wait() -> None:
        poll.poll()
        os._exit(status)

    threading.Thread(target=wait, name="reader", daemon=True).start()
