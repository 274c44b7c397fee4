// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "infiniband-crc.h"

#include <array>

namespace ns3
{

namespace
{

constexpr uint16_t REFLECTED_POLYNOMIAL = 0xD008; // 0x100B, lowest bit first
constexpr uint16_t ONES = 0xFFFF;

/// @returns the CRC of each single byte, as a table
std::array<uint16_t, 256>
MakeTable()
{
    std::array<uint16_t, 256> table{};
    for (uint32_t byte = 0; byte < table.size(); byte++)
    {
        uint16_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
        {
            crc = crc >> 1 ^ (crc & 1 ? REFLECTED_POLYNOMIAL : 0);
        }
        table[byte] = crc;
    }
    return table;
}

} // namespace

uint16_t
InfinibandCrc16(const uint8_t* bytes, std::size_t size)
{
    static const std::array<uint16_t, 256> table = MakeTable();
    uint16_t crc = ONES;
    for (std::size_t i = 0; i < size; i++)
    {
        crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xFF];
    }
    return crc ^ ONES;
}

} // namespace ns3
