// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ib-cc.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IbCc);

namespace
{

constexpr int64_t TIMER_UNIT_NS = 1024;
constexpr uint32_t MAX_MULTIPLIER = (1 << 14) - 1;
constexpr uint32_t MAX_SHIFT = 3;

} // namespace

TypeId
IbCc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IbCc")
            .SetParent<RateController>()
            .SetGroupName("Lossless")
            .AddConstructor<IbCc>()
            .AddAttribute("CctiIncrease",
                          "By how much a BECN raises CCTI",
                          UintegerValue(1),
                          MakeUintegerAccessor(&IbCc::m_increase),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("CctiLimit",
                          "Highest CCTI",
                          UintegerValue(127),
                          MakeUintegerAccessor(&IbCc::m_limit),
                          MakeUintegerChecker<uint32_t>(0, 65535))
            .AddAttribute("CctiMin",
                          "CCTI at which the timer stops",
                          UintegerValue(0),
                          MakeUintegerAccessor(&IbCc::m_min),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("CctiTimer",
                          "Time after which CCTI falls by one [1.024 us]",
                          UintegerValue(150),
                          MakeUintegerAccessor(&IbCc::m_timer),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute(
                "Table",
                "CCT: multiplier,multiplier,... or shift:multiplier,... with shift 0 to 3 "
                "and multiplier 0 to 16383; empty: linear, multiplier Slope x CCTI",
                StringValue(""),
                MakeStringAccessor(&IbCc::SetTable, &IbCc::GetTable),
                MakeStringChecker())
            .AddAttribute("Slope",
                          "Of the linear table: multiplier of CCTI 1",
                          UintegerValue(1),
                          MakeUintegerAccessor(&IbCc::m_slope),
                          MakeUintegerChecker<uint32_t>(0, MAX_MULTIPLIER))
            .AddAttribute("PerServiceLevel",
                          "Whether the queue pairs of one host and service level have one CCTI; if "
                          "not, each has its own",
                          BooleanValue(false),
                          MakeBooleanAccessor(&IbCc::m_perServiceLevel),
                          MakeBooleanChecker())
            .AddAttribute(
                "HoldOnUndetermined",
                "Whether UE changes no CCTI and holds the timer for one CctiTimer; if not, "
                "it is like CE",
                BooleanValue(true),
                MakeBooleanAccessor(&IbCc::m_holdOnUndetermined),
                MakeBooleanChecker())
            .AddTraceSource("Ccti",
                            "CCTI changed: (time, CCTI)",
                            MakeTraceSourceAccessor(&IbCc::m_cctiTrace),
                            "ns3::IbCc::CctiTracedCallback");
    return tid;
}

IbCc::IbCc()
    : m_levels(std::make_shared<Levels>())
{
}

Ptr<RateController>
IbCc::Fork() const
{
    Ptr<IbCc> fork = CopyObject<IbCc>(Ptr<const IbCc>(this));
    fork->m_own = Throttle();
    fork->m_throttle = &fork->m_own;
    fork->m_reported = 0;
    return fork;
}

void
IbCc::SetTable(std::string text)
{
    auto table = std::make_shared<std::vector<Entry>>();
    std::istringstream words(text);
    std::string word;
    while (std::getline(words, word, ','))
    {
        const std::size_t colon = word.find(':');
        const bool withShift = colon != std::string::npos;
        uint32_t shift = 0;
        uint32_t multiplier = 0;
        if ((withShift && !ParseWhole(word.substr(0, colon), MAX_SHIFT, shift)) ||
            !ParseWhole(withShift ? word.substr(colon + 1) : word, MAX_MULTIPLIER, multiplier))
        {
            throw InputError("ns3::IbCc::Table",
                             "'" + word + "'",
                             "multiplier or shift:multiplier, shift 0 to 3, multiplier 0 to 16383");
        }
        table->push_back({static_cast<uint8_t>(shift), static_cast<uint16_t>(multiplier)});
    }
    m_tableText = text;
    m_table = table->empty() ? nullptr : table;
}

std::string
IbCc::GetTable() const
{
    return m_tableText;
}

void
IbCc::DoStart(Time now)
{
    if (m_min > m_limit)
    {
        throw InputError("ns3::IbCc::CctiMin",
                         std::to_string(m_min),
                         "at most CctiLimit, " + std::to_string(m_limit));
    }
    const uint32_t largest = m_table       ? static_cast<uint32_t>(m_table->size() - 1)
                             : m_slope > 0 ? MAX_MULTIPLIER / m_slope
                                           : m_limit;
    if (m_limit > largest)
    {
        throw InputError("ns3::IbCc::CctiLimit",
                         std::to_string(m_limit),
                         "at most " + std::to_string(largest) + ", the last entry of the table");
    }
    m_byteTime = ByteTime(m_lineRateBps);
    m_lastBytes = m_frameBytes;
    m_throttle->ccti = std::max(m_throttle->ccti, m_min);
    Pace(now);
}

void
IbCc::OnAck(const Acknowledgement& ack, Time now)
{
    React(ack.echo, now);
}

void
IbCc::OnCnp(const Cnp& cnp, Time now)
{
    // A standard CNP says nothing but its BECN, and means CE.
    React(cnp.code == CodePoint::NOT_CAPABLE ? CodePoint::CONGESTION : cnp.code, now);
}

void
IbCc::OnSend(Frame& frame, uint32_t wireBytes, Time now)
{
    if (m_perServiceLevel)
    {
        if (m_throttle == &m_own) // the first packet tells the level; both stay for its life
        {
            m_throttle = &(*m_levels)[{frame.source, frame.priority}];
            m_throttle->ccti = std::max(m_throttle->ccti, m_min);
        }
        Advance(now);
    }
    m_lastBytes = wireBytes;
    Pace(now);
}

Time
IbCc::NextTimer() const
{
    return m_throttle->nextDecrease;
}

void
IbCc::OnTimer(Time now)
{
    Advance(now);
    Pace(now);
}

uint32_t
IbCc::GetCcti() const
{
    return m_throttle->ccti;
}

Time
IbCc::Period() const
{
    return NanoSeconds(TIMER_UNIT_NS * m_timer);
}

void
IbCc::Advance(Time now)
{
    Throttle& throttle = *m_throttle;
    while (throttle.nextDecrease <= now)
    {
        throttle.ccti--;
        throttle.nextDecrease =
            throttle.ccti > m_min ? Later(throttle.nextDecrease, Period()) : Time::Max();
    }
}

void
IbCc::React(CodePoint mark, Time now)
{
    Advance(now);
    Throttle& throttle = *m_throttle;
    const bool isUndetermined = mark == CodePoint::UNDETERMINED;
    if (mark == CodePoint::CONGESTION || (isUndetermined && !m_holdOnUndetermined))
    {
        throttle.ccti = std::min(throttle.ccti + m_increase, m_limit);
        if (throttle.nextDecrease == Time::Max() && throttle.ccti > m_min)
        {
            throttle.nextDecrease = Later(std::max(now, throttle.holdUntil), Period());
        }
    }
    else if (isUndetermined)
    {
        const Time until = Later(now, Period());
        if (throttle.nextDecrease != Time::Max())
        {
            throttle.nextDecrease =
                Later(throttle.nextDecrease, until - std::max(now, throttle.holdUntil));
        }
        throttle.holdUntil = until;
    }
    Pace(now);
}

void
IbCc::Pace(Time now)
{
    const uint32_t ccti = m_throttle->ccti;
    const Entry entry =
        m_table ? (*m_table)[ccti] : Entry{0, static_cast<uint16_t>(ccti * m_slope)};
    if (entry.multiplier == 0)
    {
        m_rateBps = static_cast<double>(m_lineRateBps);
    }
    else
    {
        const int64_t packetPs = m_byteTime(m_lastBytes);
        const int64_t gapPs = packetPs + (packetPs >> entry.shift) * entry.multiplier;
        m_rateBps = m_lastBytes * 8e12 / static_cast<double>(gapPs);
    }
    if (ccti != m_reported)
    {
        m_reported = ccti;
        m_cctiTrace(now, ccti);
    }
}

} // namespace ns3
