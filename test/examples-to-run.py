# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors

# What ns-3's test.py runs: (program and arguments, whether to run it, whether under valgrind too).
# Three fields, as ns-3 before 3.42 knows no fourth.

cpp_examples = [
    (
        "lossless-fat-tree --k=4 --duration=200us --scheme=dcqcn,none --sample=10us"
        " --out=testpy-output/lossless/fat-tree",
        "True",
        "False",
    ),
    (
        "lossless-leaf-spine --duration=200us --out=testpy-output/lossless/leaf-spine",
        "True",
        "False",
    ),
    (
        "lossless-incast --senders=8 --bytes=100KB --out=testpy-output/lossless/incast",
        "True",
        "True",
    ),
    (
        "lossless-from-file --out=testpy-output/lossless/from-file",
        "True",
        "True",
    ),
]

python_examples = []
