#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""tshark reads what the module writes: one frame of each kind, decoded field by field.

LOSSLESS_BIN names the folder with the built programs. tshark 4.0 has no field for a CNP: its
opcode has no name there and what follows the BTH is opaque. Nor does it read an InfiniBand link
flow-control packet beyond its first field; that one is parsed here, and so are the tags and messages
of ECM and QCN, of which tshark knows the EtherTypes only.
"""

import os
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

# As test/wire/write-frames.cc writes them: SEND and ACK with an INT block, WRITE with a CM-Tag, SEND
# with a CN-TAG, and the messages of ECM and QCN about these two.
SEND, WRITE, ACK, NACK, CNP, PFC, PACKET, INT_SEND, INT_ACK, CM, CN, ECM, CNM = range(13)


def binaries():
    folder = os.environ.get("LOSSLESS_BIN")
    if not folder:
        raise unittest.SkipTest("LOSSLESS_BIN does not name the folder with the built programs")
    return Path(folder)


class CaptureTest(unittest.TestCase):
    """What tshark says of a capture file."""

    frames = 0  # in each file

    @classmethod
    def setUpClass(cls):
        if not shutil.which("tshark"):
            raise unittest.SkipTest("tshark is not installed (Debian: apt-get install tshark)")
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.folder = Path(work.name)
        cls.plain = cls.write("plain.pcap")

    @classmethod
    def write(cls, name, *options):
        """The file that the program writes."""
        path = cls.folder / name
        subprocess.run(
            [binaries() / "lossless-write-frames", f"--out={path}", *options], check=True
        )
        return path

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
        self.assertEqual(len(frames), self.frames)
        return frames

    def expect(self, fields, expected, **how):
        """expected: frame number -> values in the order of fields."""
        frames = self.decode(*fields, **how)
        for number, values in expected.items():
            self.assertEqual(dict(zip(fields, frames[number])), dict(zip(fields, values)))


class WireTest(CaptureTest):
    frames = 13

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.with_fcs = cls.write("fcs.pcap", "--fcs")

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
        self.assertEqual(frames, [["1"]] * 13)  # 1: good

    def test_nothing_is_malformed(self):
        frames = self.decode("_ws.malformed", "_ws.expert.message")
        self.assertEqual(frames, [["", ""]] * 13)

    def test_ethertypes_of_layer_2(self):
        fields = ["eth.type", "vlan.etype", "vlan.priority", "frame.len", "eth.src", "eth.dst"]
        hosts = ["02:00:00:00:01:02", "02:00:00:00:02:03"]
        message = ["02:00:00:00:09:01", "02:00:00:00:01:02"]
        self.expect(
            fields,
            {
                # 16 and 4 more than WRITE and SEND; 14 + 4 + 18 + 40; 14 + 4 + 24 + 20
                CM: ["0x8100", "0x88b6", "5", "1094", *hosts],
                CN: ["0x22e9", "", "", "1062", *hosts],
                ECM: ["0x8100", "0x88b5", "7", "76", *message],
                CNM: ["0x22e9", "", "", "62", *message],
            },
        )

    def record(self, number):
        """The bytes of a frame."""
        capture = self.plain.read_bytes()
        at = 24
        for _ in range(number):
            at += 16 + struct.unpack_from("<I", capture, at + 8)[0]
        return capture[at + 16 :][: struct.unpack_from("<I", capture, at + 8)[0]]

    def test_tags_of_layer_2(self):
        cpid = bytes([2, 0, 0, 0, 9, 1, 0, 0x1B])
        tag = struct.unpack_from(">HH8sHBBH", self.record(CM), 16)
        self.assertEqual(tag, (0x88B6, 0, cpid, 0xABCD, 3, 0, 0x0800))
        self.assertEqual(struct.unpack_from(">HHH", self.record(CN), 12), (0x22E9, 0x1234, 0x0800))

    def test_messages_of_layer_2(self):
        cpid = bytes([2, 0, 0, 0, 9, 1, 0, 0x1B])
        ecm = self.record(ECM)
        self.assertEqual(
            struct.unpack_from(">HH8shhHBB", ecm, 16),
            (0x88B5, 0x0800, cpid, -2, 750, 0xABCD, 3, 0),
        )
        self.assertEqual(ecm[36:], self.record(CM)[:40])
        cnm = self.record(CNM)
        self.assertEqual(
            struct.unpack_from(">HHHH8shhH6sH", cnm, 12),
            (0x22E9, 0x1234, 0x22E7, 45, cpid, 16, -1, 3 << 13, bytes([2, 0, 0, 0, 2, 3]), 20),
        )
        self.assertEqual(cnm[42:], self.record(CN)[16:36])


class InfinibandWireTest(CaptureTest):
    # As test/wire/write-frames.cc writes them; the last is a link flow-control packet.
    SEND, WRITE, ACK, NACK, CNP, PACKET, INT_SEND, CREDITS = range(8)
    frames = 8

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plain = cls.write("infiniband.pcap", "--infiniband")

    def test_records(self):
        # Seconds of the records; type 21 is InfiniBand, 25 its link layer.
        self.expect(
            ["erf.types.type", "frame.time_epoch"],
            {
                self.SEND: ["21", "1.000000000"],
                self.ACK: ["21", "1.000002000"],
                self.CREDITS: ["25", "2.000000000"],
            },
        )

    def test_local_route_header(self):
        fields = ["vl", "lver", "sl", "lnh", "dlid", "slid", "pktlen"]
        addresses = ["515", "258"]
        # 4-byte words up to the VCRC: (26 - 2 + 1000) / 4, with RETH and pad, ACK 28 / 4, ...
        self.expect(
            ["infiniband.lrh." + f for f in fields],
            {
                self.SEND: ["0x03", "0", "3", "0x02", *addresses, "256"],
                self.WRITE: ["0x05", "0", "5", "0x02", *addresses, "260"],
                self.ACK: ["0x06", "0", "6", "0x02", *addresses, "7"],
                self.NACK: ["0x06", "0", "6", "0x02", *addresses, "7"],
                self.CNP: ["0x06", "0", "6", "0x02", *addresses, "10"],
                self.PACKET: ["0x00", "0", "0", "0x00", *addresses, "35"],
                self.INT_SEND: ["0x03", "0", "3", "0x02", *addresses, "267"],  # 44 bytes more
            },
        )

    def test_transport(self):
        fields = ["bth.opcode", "bth.psn", "bth.destqp", "bth.padcnt", "bth.a", "reth.dmalen"]
        fields += ["aeth.syndrome", "aeth.msn"]
        psn, pair = str(0x123456), "0x00abcd"
        self.expect(
            ["infiniband." + f for f in fields],
            {
                self.SEND: ["0", psn, pair, "0", "1", "", "", ""],
                self.WRITE: ["10", psn, pair, "3", "0", "997", "", ""],
                self.ACK: ["17", psn, pair, "0", "0", "", str(0x1F), "9"],
                self.NACK: ["17", psn, pair, "0", "0", "", str(0x60), "9"],
                self.CNP: [str(0x80), "0", pair, "0", "0", "", "", ""],
                self.INT_SEND: ["0", psn, pair, "0", "1", "", "", ""],
            },
        )

    def test_packets_of_the_stack(self):
        fields = ["infiniband.rwh.etype", "ip.src", "ip.dsfield.ecn", "udp.dstport", "frame.len"]
        self.expect(fields, {self.PACKET: ["0x0800", "10.0.1.2", "3", "9", "142"]})

    def test_checksums_are_where_they_belong(self):
        frames = self.decode("infiniband.invariant.crc", "infiniband.variant.crc")
        for kind in (self.SEND, self.WRITE, self.ACK, self.NACK, self.INT_SEND):
            record = self.record(kind)
            self.assertEqual(frames[kind][0], "0x" + record[-6:-2].hex())
            self.assertEqual(frames[kind][1], "0x" + record[-2:].hex())

    def test_variant_crc(self):
        for kind in range(self.CREDITS):
            record = self.record(kind)
            self.assertEqual(int.from_bytes(record[-2:], "little"), crc16(record[:-2]))

    def test_link_flow_control_packet(self):
        record = self.record(self.CREDITS)
        self.assertEqual(len(record), 6)
        first, second = struct.unpack(">HH", record[:4])
        self.assertEqual((first >> 12, first & 0xFFF), (0, 0x321))  # normal, FCTBS
        self.assertEqual((second >> 12, second & 0xFFF), (3, 0xABC))  # lane, FCCL
        self.assertEqual(int.from_bytes(record[4:], "little"), crc16(record[:4]))

    def test_nothing_else_is_malformed(self):
        frames = self.decode("_ws.malformed")
        self.assertEqual(frames[: self.CREDITS], [[""]] * self.CREDITS)

    def record(self, number):
        """The bytes of one packet of the capture file, after the header of its ERF record."""
        data = self.plain.read_bytes()
        magic, link_type = struct.unpack_from("<I16xI", data)
        self.assertEqual((magic, link_type), (0xA1B2C3D4, 197))
        offset = 24
        for _ in range(number):
            offset += 16 + struct.unpack_from("<8xI", data, offset)[0]
        size = struct.unpack_from("<8xI", data, offset)[0]
        record_length, wire_length = struct.unpack_from(">10xH2xH", data, offset + 16)
        self.assertEqual((record_length, wire_length), (size, size - 16))
        return data[offset + 32 : offset + 16 + size]


def crc16(data):
    """InfiniBand's 16-bit CRC, bit by bit: shift register 0x100B, each byte's low bit first."""
    shift = 0xFFFF
    for byte in data:
        for bit in range(8):
            out = shift >> 15 ^ byte >> bit & 1
            shift = shift << 1 & 0xFFFF ^ (0x100B if out else 0)
    return int(f"{shift ^ 0xFFFF:016b}"[::-1], 2)


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

    def test_an_erf_file_that_cannot_be_written(self):
        program = binaries() / "lossless-write-frames"
        result = subprocess.run(
            [program, "--infiniband", "--out=/nonexistent/frames.pcap"],
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stderr,
            "error: /nonexistent/frames.pcap: found a file that cannot be written,"
            " expected a new capture file\n",
        )


if __name__ == "__main__":
    unittest.main()
