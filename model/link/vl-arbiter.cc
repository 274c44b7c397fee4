// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "vl-arbiter.h"

#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(VlArbiter);

namespace
{

constexpr uint32_t MAX_WEIGHT = 255;

} // namespace

void
VlArbiter::Table::Read(const std::string& name, const std::string& text)
{
    std::vector<Entry> entries;
    std::istringstream words(text);
    std::string word;
    std::size_t listed = 0;
    while (std::getline(words, word, ','))
    {
        uint32_t lane = 0;
        uint32_t weight = 0;
        const std::size_t colon = word.find(':');
        if (colon == std::string::npos ||
            !ParseWhole(word.substr(0, colon), MANAGEMENT_LANE - 1, lane) ||
            !ParseWhole(word.substr(colon + 1), MAX_WEIGHT, weight))
        {
            throw InputError(name, "'" + word + "'", "VL:weight, VL 0 to 14 and weight 0 to 255");
        }
        if (++listed > MAX_ENTRIES)
        {
            throw InputError(name, "more than 64 entries", "at most 64");
        }
        if (weight > 0)
        {
            entries.push_back({static_cast<uint8_t>(lane), weight * WEIGHT_BYTES});
        }
    }
    m_text = text;
    m_entries = std::move(entries);
    m_current = 0;
    m_lanes = 0;
    for (const Entry& entry : m_entries)
    {
        m_lanes |= 1 << entry.lane;
    }
}

uint8_t
VlArbiter::Table::Select(LaneSet ready)
{
    for (Entry& entry : m_entries)
    {
        if (!(ready >> entry.lane & 1) && entry.credit > 0)
        {
            entry.credit = 0;
        }
    }
    while (!(ready >> m_entries[m_current].lane & 1) || m_entries[m_current].credit <= 0)
    {
        m_current = (m_current + 1) % m_entries.size();
        Entry& entry = m_entries[m_current];
        if (ready >> entry.lane & 1)
        {
            entry.credit += entry.weight;
        }
    }
    return m_entries[m_current].lane;
}

void
VlArbiter::Table::Sent(uint8_t lane, uint32_t bytes)
{
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(), [lane](const Entry& e) {
        return e.lane == lane;
    });
    entry->credit -= bytes;
}

TypeId
VlArbiter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::VlArbiter")
            .SetParent<EgressScheduler>()
            .SetGroupName("Lossless")
            .AddConstructor<VlArbiter>()
            .AddAttribute("HighTable",
                          "High-priority table: VL:weight,VL:weight,... with VL 0 to 14 and weight "
                          "0 to 255 in units of 64 bytes",
                          StringValue(""),
                          MakeStringAccessor(&VlArbiter::SetHighTable, &VlArbiter::GetHighTable),
                          MakeStringChecker())
            .AddAttribute("LowTable",
                          "Low-priority table, as HighTable",
                          StringValue("0:64,1:64,2:64,3:64,4:64,5:64,6:64,7:64,8:64,9:64,10:64,"
                                      "11:64,12:64,13:64,14:64"),
                          MakeStringAccessor(&VlArbiter::SetLowTable, &VlArbiter::GetLowTable),
                          MakeStringChecker())
            .AddAttribute("HighLimit",
                          "What may leave by the high-priority table before the other has a turn, "
                          "in units of 4096 bytes; 0: one packet, 255: no limit",
                          UintegerValue(UNLIMITED),
                          MakeUintegerAccessor(&VlArbiter::m_highLimit),
                          MakeUintegerChecker<uint8_t>());
    return tid;
}

void
VlArbiter::SetHighTable(std::string text)
{
    m_high.Read("ns3::VlArbiter::HighTable", text);
}

std::string
VlArbiter::GetHighTable() const
{
    return m_high.GetText();
}

void
VlArbiter::SetLowTable(std::string text)
{
    m_low.Read("ns3::VlArbiter::LowTable", text);
}

std::string
VlArbiter::GetLowTable() const
{
    return m_low.GetText();
}

uint8_t
VlArbiter::Select(LaneSet ready)
{
    m_source = Source::NONE;
    m_lowWaits = m_low.GetLanes() & ready;
    if (ready >> MANAGEMENT_LANE & 1)
    {
        m_selected = MANAGEMENT_LANE;
    }
    else
    {
        const bool limited = m_highLimit != UNLIMITED && m_highBytes > 0 &&
                             m_highBytes >= uint64_t(m_highLimit) * LIMIT_BYTES;
        if (m_high.GetLanes() & ready && !(limited && m_lowWaits))
        {
            m_selected = m_high.Select(ready);
            m_source = Source::HIGH;
        }
        else if (m_lowWaits)
        {
            m_selected = m_low.Select(ready);
            m_source = Source::LOW;
        }
        else
        {
            m_selected = Highest(ready);
        }
    }
    return m_selected;
}

void
VlArbiter::Sent(uint8_t lane, uint32_t bytes)
{
    // A lane that was alone may have been served without a Select().
    const bool selected = lane == m_selected;
    const Source source = selected                        ? m_source
                          : m_high.GetLanes() >> lane & 1 ? Source::HIGH
                          : m_low.GetLanes() >> lane & 1  ? Source::LOW
                                                          : Source::NONE;
    if (source == Source::NONE)
    {
        return;
    }
    Table& table = source == Source::HIGH ? m_high : m_low;
    if (selected)
    {
        table.Sent(bytes);
    }
    else
    {
        table.Sent(lane, bytes);
    }
    // The high table's bytes count only while the low one waits.
    m_highBytes = source == Source::HIGH && selected && m_lowWaits ? m_highBytes + bytes : 0;
}

} // namespace ns3
