// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "erf-file.h"

#include "ns3/input-error.h"
#include "ns3/pcap-file.h"

#include <ios>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint8_t VARYING_LENGTH = 4;
constexpr int64_t NS_PER_SECOND = 1000000000;

} // namespace

ErfFile::ErfFile(const std::string& name)
    : m_file(CreateObject<PcapFileWrapper>())
{
    m_file->Open(name, std::ios::out | std::ios::binary);
    if (m_file->Fail())
    {
        throw InputError(name, 0, "a file that cannot be written", "a new capture file");
    }
    m_file->Init(LINK_TYPE, PcapFile::SNAPLEN_DEFAULT);
}

ErfFile::ErfFile(Ptr<PcapFileWrapper> file)
    : m_file(file)
{
}

void
ErfFile::Write(Time now, Ptr<const Packet> packet, RecordType type)
{
    const uint32_t size = packet->GetSize();
    std::vector<uint8_t> record;
    record.reserve(HEADER_BYTES + size);
    const auto put = [&record](uint32_t value, int bytes) {
        while (bytes-- > 0)
        {
            record.push_back(value >> 8 * bytes & 0xFF);
        }
    };
    const auto ns = static_cast<uint64_t>(now.GetNanoSeconds());
    const uint64_t fraction = ((ns % NS_PER_SECOND) << 32) / NS_PER_SECOND;
    const uint64_t stamp = ns / NS_PER_SECOND << 32 | fraction;
    for (int byte = 0; byte < 8; byte++)
    {
        record.push_back(stamp >> 8 * byte & 0xFF);
    }
    put(type, 1);
    put(VARYING_LENGTH, 1);
    put(HEADER_BYTES + size, 2);
    put(0, 2); // losses
    put(size, 2);
    record.resize(HEADER_BYTES + size);
    packet->CopyData(record.data() + HEADER_BYTES, size);
    m_file->Write(now, record.data(), static_cast<uint32_t>(record.size()));
}

} // namespace ns3
