#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""tshark reads what the module writes: one frame of each kind, decoded field by field.

LOSSLESS_BIN names the folder with the built programs. tshark 4.0 has no field for a CNP: its
opcode has no name there and what follows the BTH is opaque.
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

# As test/wire/write-frames.cc writes them; the last two are SEND and ACK with an INT block.
SEND, WRITE, ACK, NACK, CNP, PFC, PACKET, INT_SEND, INT_ACK = range(9)


def binaries():
    folder = os.environ.get("LOSSLESS_BIN")
    if not folder:
        raise unittest.SkipTest("LOSSLESS_BIN does not name the folder with the built programs")
    return Path(folder)


class WireTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("tshark"):
            raise unittest.SkipTest("tshark is not installed (Debian: apt-get install tshark)")
        program = binaries() / "lossless-write-frames"
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.plain = Path(work.name) / "plain.pcap"
        cls.with_fcs = Path(work.name) / "fcs.pcap"
        subprocess.run([program, f"--out={cls.plain}"], check=True)
        subprocess.run([program, f"--out={cls.with_fcs}", "--fcs"], check=True)

    def decode(self, *fields, capture=None, options=()):
        """The values of the fields, as text, for each frame; empty where a frame lacks one."""
        command = ["tshark", "-r", capture or self.plain, "-T", "fields", "-E", "occurrence=f"]
        command += [word for field in fields for word in ("-e", field)]
        command += [word for option in options for word in ("-o", option)]
        result = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        frames = [line.split("\t") for line in result.stdout.splitlines()]
        self.assertEqual(len(frames), 9)
        return frames

    def expect(self, fields, expected, **how):
        """expected: frame number -> values in the order of fields."""
        frames = self.decode(*fields, **how)
        for number, values in expected.items():
            self.assertEqual(dict(zip(fields, frames[number])), dict(zip(fields, values)))

    def test_protocols(self):
        self.expect(
            ["_ws.col.Protocol", "frame.len"],
            {
                # Without FCS: 62 - 4 + 1000; 62 - 4 + tag 4 + RETH 16 + 997 + pad 3; 66 - 4; ...
                SEND: ["RRoCE", "1058"],
                WRITE: ["RRoCE", "1078"],
                ACK: ["RRoCE", "62"],
                NACK: ["RRoCE", "62"],
                CNP: ["RRoCE", "74"],
                PFC: ["MAC CTRL", "60"],
                PACKET: ["UDP", "142"],
                INT_SEND: ["RRoCE", "1100"],  # 42 more
                INT_ACK: ["RRoCE", "104"],
            },
        )

    def test_addresses(self):
        fields = ["eth.src", "eth.dst", "ip.src", "ip.dst", "udp.srcport", "udp.dstport"]
        macs = ["02:00:00:00:01:02", "02:00:00:00:02:03"]
        roce = macs + ["10.0.1.2", "10.0.2.3", "50000", "4791"]
        self.expect(fields, {kind: roce for kind in (SEND, WRITE, ACK, NACK, CNP, INT_SEND)})
        self.expect(fields, {PFC: [macs[0], "01:80:c2:00:00:01", "", "", "", ""]})

    def test_data(self):
        fields = ["bth." + f for f in ("opcode", "psn", "destqp", "a", "padcnt", "p_key", "tver")]
        fields = ["infiniband." + f for f in fields + ["reth.va", "reth.r_key", "reth.dmalen"]]
        frames = self.decode(*fields)
        psn, pair = str(0x123456), "0x00abcd"
        self.assertEqual(frames[SEND], ["0", psn, pair, "1", "0", "65535", "0", "", "", ""])
        va, key = "0x0000000000000000", "0x00000000"
        self.assertEqual(
            frames[WRITE], ["10", psn, pair, "0", "3", "65535", "0", va, key, "997"]
        )

    def test_acknowledgements(self):
        fields = ["bth.opcode", "bth.psn", "bth.destqp", "aeth.syndrome", "aeth.msn"]
        fields += ["aeth.syndrome.credit_count", "aeth.syndrome.error_code"]
        common = ["17", str(0x123456), "0x00abcd"]
        self.expect(
            ["infiniband." + f for f in fields],
            {
                ACK: common + [str(0x1F), "9", str(0x1F), ""],  # 31: no end-to-end credits
                NACK: common + [str(0x60), "9", "", "0"],  # error 0: PSN sequence error
                INT_ACK: common + [str(0x1F), "9", str(0x1F), ""],  # the block comes after
            },
        )

    def test_cnp(self):
        fields = ["bth.opcode", "bth.psn", "bth.destqp", "bth.padcnt", "bth.a"]
        self.expect(["infiniband." + f for f in fields], {CNP: ["129", "0", "0x00abcd", "0", "0"]})

    def test_pfc(self):
        fields = ["macc.opcode", "macc.cbfc.enbv"]
        fields += [f"macc.cbfc.pause_time.c{n}" for n in range(8)]
        self.expect(fields, {PFC: ["0x0101", "0x0028"] + ["0"] * 3 + ["65535"] + ["0"] * 4})

    def test_priorities_and_marks(self):
        # DSCP is the class selector, 8 * priority; ECN 1 is ECT(1), 3 is CE.
        self.expect(
            ["ip.dsfield.dscp", "ip.dsfield.ecn", "vlan.priority", "vlan.id"],
            {
                SEND: ["24", "1", "", ""],
                WRITE: ["40", "1", "5", "0"],
                ACK: ["48", "1", "", ""],
                CNP: ["48", "1", "", ""],
                PFC: ["", "", "", ""],
                PACKET: ["0", "3", "", ""],
            },
        )

    def test_ipv4_header(self):
        frames = self.decode(
            "ip.checksum.status", "ip.ttl", "ip.id", "ip.flags.df",
            options=["ip.check_checksum:TRUE"],
        )
        for kind in (SEND, WRITE, ACK, NACK, CNP, INT_SEND, INT_ACK):
            self.assertEqual(frames[kind], ["1", "64", "0x0000", "1"])  # status 1: good
        self.assertEqual(frames[PACKET][0], "1")  # although it was marked on its way

    def test_fcs(self):
        frames = self.decode(
            "eth.fcs.status",
            capture=self.with_fcs,
            options=["eth.check_fcs:TRUE", "eth.fcs:Always"],
        )
        self.assertEqual(frames, [["1"]] * 9)  # 1: good

    def test_nothing_is_malformed(self):
        frames = self.decode("_ws.malformed", "_ws.expert.message")
        self.assertEqual(frames, [["", ""]] * 9)


class WriteFramesTest(unittest.TestCase):
    def test_a_file_that_cannot_be_written(self):
        program = binaries() / "lossless-write-frames"
        result = subprocess.run(
            [program, "--out=/nonexistent/frames.pcap"], stderr=subprocess.PIPE, text=True
        )
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stderr,
            "error: cannot write '/nonexistent/frames.pcap', expected --out=FILE\n",
        )


if __name__ == "__main__":
    unittest.main()
