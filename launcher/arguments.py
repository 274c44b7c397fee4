# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Words of the command line."""

import difflib
import re

from console import Failure


def nearest(word, known):
    """The known word that may have been meant, as the end of a message, or nothing."""
    found = difflib.get_close_matches(word, known, 1, 0.5)
    return f"; did you mean {found[0]}?" if found else ""


def one_option(arguments, name):
    """Splits --name=value or --name value off the arguments."""
    value, rest = None, []
    words = iter(arguments)
    for word in words:
        if re.fullmatch(f"--?{name}", word):
            value = next(words, None)
            if value is None:
                raise Failure(f"--{name} needs a value")
        elif re.match(f"--?{name}=", word):
            value = word.split("=", 1)[1]
        else:
            rest.append(word)
    return value, rest
