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
    (
        "lossless-tcd-victims --duration=5ms --out=testpy-output/lossless/tcd-victims",
        "True",
        "False",
    ),
    (
        "lossless-tcd-congestion-points --stop=2ms --out=testpy-output/lossless/tcd-points",
        "True",
        "False",
    ),
    (
        "lossless-tcd-fairness --stop=2ms --out=testpy-output/lossless/tcd-fairness",
        "True",
        "False",
    ),
    (
        "lossless-tcd-congestion-trees --out=testpy-output/lossless/tcd-trees",
        "True",
        "False",
    ),
    (
        "lossless-tcd-testbed --burst-start=20ms --burst-duration=20ms --duration=60ms --bin=10ms"
        " --out=testpy-output/lossless/tcd-testbed",
        "True",
        "False",
    ),
    (
        "lossless-tcd-max-ton --out=testpy-output/lossless/tcd-max-ton",
        "True",
        "True",
    ),
    (
        "lossless-mercury-victim --stop=4ms --out=testpy-output/lossless/mercury-victim",
        "True",
        "False",
    ),
    (
        "lossless-mercury-incast --stop=1ms --out=testpy-output/lossless/mercury-incast",
        "True",
        "False",
    ),
    (
        "lossless-marking-spreading --stop=4ms --interval=50us --victim-start=2ms"
        " --victim-time=2ms --out=testpy-output/lossless/marking-spreading",
        "True",
        "False",
    ),
    (
        "lossless-mercury-workload --duration=2ms --out=testpy-output/lossless/mercury-workload",
        "True",
        "False",
    ),
]

python_examples = []
