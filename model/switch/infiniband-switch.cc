// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "infiniband-switch.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/link-time.h"
#include "ns3/lossless-compat.h"
#include "ns3/quantity.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(InfinibandSwitch);

namespace
{

constexpr std::size_t INITIAL_DEPARTURES = 4; // of one output, doubled as needed

} // namespace

TypeId
InfinibandSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::InfinibandSwitch")
            .SetParent<LosslessSwitch>()
            .SetGroupName("Lossless")
            .AddConstructor<InfinibandSwitch>()
            .AddAttribute("ForwardingDelay",
                          "From the arrival of a frame's header to the start of its transmission",
                          TimeValue(NanoSeconds(40)),
                          MakeTimeAccessor(&InfinibandSwitch::m_forwardingDelay),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("HeaderSize",
                          "Of what must have arrived before a frame is forwarded: local route "
                          "header and base transport header [B]",
                          UintegerValue(20),
                          MakeUintegerAccessor(&InfinibandSwitch::m_headerBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Arbitration",
                          "Which of the frames that wait for an output leaves next",
                          EnumValue(FIFO),
                          LOSSLESS_ENUM_ACCESSOR(Arbitration, &InfinibandSwitch::m_arbitration),
                          MakeEnumChecker(FIFO, "Fifo", ROUND_ROBIN, "RoundRobin"))
            .AddAttribute(
                "MaxBypass",
                "Fifo: younger frames that may leave before one whose input is being read",
                UintegerValue(4),
                MakeUintegerAccessor(&InfinibandSwitch::m_maxBypass),
                MakeUintegerChecker<uint8_t>())
            .AddAttribute("InputSpeedup",
                          "Outputs that may read the buffer of one input at once; 0 for all",
                          UintegerValue(1),
                          MakeUintegerAccessor(&InfinibandSwitch::m_speedup),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "FullTest",
                "When the buffer of an input lane is full, for detectors that mark by it",
                EnumValue(WAITING),
                LOSSLESS_ENUM_ACCESSOR(FullTest, &InfinibandSwitch::m_fullTest),
                MakeEnumChecker(WAITING, "Waiting", OCCUPIED, "Occupied", ARRIVED, "Arrived"))
            .AddAttribute("ControlLane",
                          "Lane of the notifications that the switch sends",
                          UintegerValue(6),
                          MakeUintegerAccessor(&InfinibandSwitch::m_controlLane),
                          MakeUintegerChecker<uint8_t>(0, LANES - 1));
    return tid;
}

InfinibandSwitch::InfinibandSwitch()
    : m_lateEvent(this)
{
}

InfinibandSwitch::~InfinibandSwitch() = default;

InfinibandSwitch::Output::Output(InfinibandSwitch& owner, uint32_t node)
    : lastInput(LANES, NO_INGRESS),
      m_owner(owner),
      m_departures(INITIAL_DEPARTURES),
      m_endEvent(this)
{
    m_endEvent.SetContext(node);
}

void
InfinibandSwitch::Output::Begin(const Departure& departure, int64_t nowPs)
{
    if (m_departures.full())
    {
        m_departures.set_capacity(2 * m_departures.capacity());
    }
    m_departures.push_back(departure);
    m_endEvent.Arm(m_departures.front().endPs, nowPs);
}

void
InfinibandSwitch::Output::End(int64_t nowPs)
{
    while (!m_departures.empty() && m_departures.front().endPs <= nowPs)
    {
        const Departure departure = m_departures.front();
        m_departures.pop_front();
        m_owner.Release(departure, nowPs);
    }
    if (!m_departures.empty())
    {
        m_endEvent.Arm(m_departures.front().endPs, nowPs);
    }
}

void
InfinibandSwitch::DoConfigure()
{
    const uint32_t ports = GetNPorts();
    const uint64_t largest = GetTraffic().dataFrameBytes;
    for (uint32_t port = 0; port < ports; port++)
    {
        if (!dynamic_cast<CreditFlowControl*>(&m_ports[port]->GetFlowControl()))
        {
            throw InputError("switch " + std::to_string(GetNodeId()) + " port " +
                                 std::to_string(port),
                             "a " + m_ports[port]->GetInstanceTypeId().GetName(),
                             "an ns3::IbNetDevice");
        }
        if (Credits(port).GetBufferBytes() < largest)
        {
            throw InputError("ns3::IbNetDevice::BufferSize",
                             std::to_string(Credits(port).GetBufferBytes()) + " B",
                             "at least a frame of " + std::to_string(largest) + " B");
        }
        Credits(port).KeepFrames();
        m_ports[port]->SetPicker(this);
        m_ports[port]->SetCutThrough(m_headerBytes);
        m_outputs.push_back(std::make_unique<Output>(*this, GetNodeId()));
    }
    m_lateEvent.SetContext(GetNodeId());
    m_inputs.assign(ports * LANES, Input());
    m_reading.assign(ports, 0);
    m_nBlocked.assign(ports, 0);
    m_nextOutput.assign(ports, 0);
    m_blocked.assign(ports, std::vector<bool>(ports, false));
}

void
InfinibandSwitch::DoInitialize()
{
    LosslessSwitch::DoInitialize();
    for (const auto* port : m_ports)
    {
        for (uint8_t lane = 0; lane < LANES; lane++)
        {
            Ptr<CongestionDetector> detector = port->GetDetector(lane);
            m_seesInputs |= detector && detector->SeesInputs();
        }
    }
}

void
InfinibandSwitch::DoDispose()
{
    for (const Late& late : m_late)
    {
        FramePtr(late.frame).reset();
    }
    m_late.clear();
    m_lateEvent.Disarm();
    m_outputs.clear();
    LosslessSwitch::DoDispose();
}

CreditFlowControl&
InfinibandSwitch::Credits(uint32_t port) const
{
    return static_cast<CreditFlowControl&>(m_ports[port]->GetFlowControl()); // DoConfigure() looked
}

uint32_t
InfinibandSwitch::GetCutThroughBytes() const
{
    return m_headerBytes;
}

Time
InfinibandSwitch::GetForwardingDelay() const
{
    return m_forwardingDelay;
}

uint64_t
InfinibandSwitch::GetUsedBytes() const
{
    uint64_t bytes = 0;
    for (uint32_t port = 0; port < GetNPorts(); port++)
    {
        for (uint8_t lane = 0; lane < LANES; lane++)
        {
            bytes += Credits(port).GetUsedBytes(lane);
        }
    }
    return bytes;
}

std::vector<std::pair<std::string, std::string>>
InfinibandSwitch::GetSettings() const
{
    return {{"buffer", std::to_string(Credits(0).GetBufferBytes())},
            {"credit_period", TimeText(Credits(0).GetPeriod().GetNanoSeconds())}};
}

void
InfinibandSwitch::DescribePort(uint32_t port, DetectorContext& context) const
{
    context.frameBytes = GetTraffic().dataFrameBytes + context.overheadBytes;
    context.bufferBytes = Credits(port).GetBufferBytes();
    context.creditPeriod = Credits(port).GetPeriod();
}

uint8_t
InfinibandSwitch::GetNotificationLane() const
{
    return m_controlLane;
}

void
InfinibandSwitch::Forward(uint32_t port, uint32_t out, FramePtr frame)
{
    const int64_t nowPs = OnEventGrid(frame->readyPs);
    frame->ingressPort = port;
    frame->bypassed = 0;
    const uint8_t lane = frame->priority;
    Input& input = InputOf(port, lane);
    input.waitingBytes += frame->bytes;
    if (m_seesInputs && m_fullTest == ARRIVED)
    {
        CheckFull(port, lane, Credits(port).GetUsedBytes(lane), nowPs);
    }
    if (input.blockedFor == NOBODY && IsFull(port, lane, Credits(port).GetUsedBytes(lane)))
    {
        input.blockedFor = out;
        if (Ptr<CongestionDetector> detector = m_ports[out]->GetDetector(lane))
        {
            detector->OnUpstreamPause(NanoSeconds(nowPs / 1000));
        }
    }
    frame->readyPs += ToPs(m_forwardingDelay);
    const LosslessNetDevice& output = *m_ports[out];
    const int64_t sendingPs = output.GetByteTimePs(frame->bytes + output.GetInterFrameOverhead());
    if (frame->tailPs - sendingPs <= frame->readyPs)
    {
        m_ports[out]->Enqueue(std::move(frame), nowPs);
        if (m_seesInputs && m_fullTest != ARRIVED)
        {
            CheckFull(port,
                      lane,
                      m_fullTest == WAITING ? input.waitingBytes : Credits(port).GetUsedBytes(lane),
                      nowPs);
        }
        return;
    }
    frame->readyPs = frame->tailPs - sendingPs;
    const int64_t readyPs = frame->readyPs;
    m_late.push_back({readyPs, m_nLate++, out, frame.release()});
    std::push_heap(m_late.begin(), m_late.end(), [](const Late& a, const Late& b) {
        return a.readyPs != b.readyPs ? a.readyPs > b.readyPs : a.number > b.number;
    });
    m_lateEvent.Arm(m_late.front().readyPs, nowPs);
}

bool
InfinibandSwitch::IsFull(uint32_t port, uint8_t lane, uint64_t bytes) const
{
    // In whole blocks, as the credits count.
    const uint64_t capacity =
        Credits(port).GetBufferBytes() / CREDIT_BLOCK_BYTES * CREDIT_BLOCK_BYTES;
    const uint64_t largest =
        uint64_t(CreditBlocks(GetTraffic().dataFrameBytes)) * CREDIT_BLOCK_BYTES;
    return lane < CreditFlowControl::MANAGEMENT_LANE && bytes + largest > capacity;
}

void
InfinibandSwitch::CheckFull(uint32_t port, uint8_t lane, uint64_t bytes, int64_t nowPs)
{
    if (!IsFull(port, lane, bytes))
    {
        return;
    }
    for (LosslessNetDevice* output : m_ports)
    {
        Ptr<CongestionDetector> detector = output->GetDetector(lane);
        if (!detector || !detector->SeesInputs())
        {
            continue;
        }
        const FrameQueue& queue = std::as_const(*output).GetFrames(lane);
        const Frame* frame = queue.Head();
        while (frame && frame->ingressPort != port)
        {
            frame = frame->next;
        }
        if (frame)
        {
            detector->OnInputFull(port, queue, NanoSeconds(nowPs / 1000));
        }
    }
}

void
InfinibandSwitch::LetLateFramesGo(int64_t nowPs)
{
    while (!m_late.empty() && m_late.front().readyPs <= nowPs)
    {
        std::pop_heap(m_late.begin(), m_late.end(), [](const Late& a, const Late& b) {
            return a.readyPs != b.readyPs ? a.readyPs > b.readyPs : a.number > b.number;
        });
        const Late late = m_late.back();
        m_late.pop_back();
        m_ports[late.out]->Enqueue(FramePtr(late.frame), nowPs);
    }
    if (!m_late.empty())
    {
        m_lateEvent.Arm(m_late.front().readyPs, nowPs);
    }
}

FramePicker::Place
InfinibandSwitch::Pick(uint32_t port, uint8_t lane, FrameQueue& queue)
{
    Place found;
    const uint32_t ports = GetNPorts();
    const uint32_t last = m_outputs[port]->lastInput[lane];
    uint32_t best = ports; // ROUND_ROBIN: how far after the last one
    Frame* previous = nullptr;
    for (Frame* frame = queue.Head(); frame; previous = frame, frame = frame->next)
    {
        if (!IsReadable(*frame))
        {
            if (!m_blocked[frame->ingressPort][port])
            {
                m_blocked[frame->ingressPort][port] = true;
                m_nBlocked[frame->ingressPort]++;
            }
            if (m_arbitration == FIFO && frame->bypassed >= m_maxBypass)
            {
                break;
            }
            continue;
        }
        if (m_arbitration == FIFO || frame->ingressPort == NO_INGRESS)
        {
            return {frame, previous};
        }
        const uint32_t after = last == NO_INGRESS ? frame->ingressPort
                                                  : (frame->ingressPort + ports - last - 1) % ports;
        if (after < best)
        {
            best = after;
            found = {frame, previous};
        }
        if (best == 0)
        {
            break;
        }
    }
    return found;
}

void
InfinibandSwitch::Picked(uint32_t port, uint8_t lane, FrameQueue& queue, const Place& place)
{
    m_outputs[port]->lastInput[lane] = place.frame->ingressPort;
    if (m_arbitration == FIFO && place.previous)
    {
        for (Frame* frame = queue.Head(); frame != place.frame; frame = frame->next)
        {
            frame->bypassed++;
        }
    }
}

void
InfinibandSwitch::FrameDeparted(uint32_t port, const Frame& frame, int64_t endPs)
{
    if (frame.ingressPort < m_reading.size())
    {
        m_reading[frame.ingressPort]++;
        InputOf(frame.ingressPort, frame.priority).waitingBytes -= frame.bytes;
        m_outputs[port]->Begin({endPs, frame.ingressPort, frame.bytes, frame.priority}, NowPs());
    }
}

void
InfinibandSwitch::Release(const Departure& departure, int64_t nowPs)
{
    const uint32_t input = departure.input;
    m_reading[input]--;
    Credits(input).Free(departure.lane, departure.bytes, nowPs);
    uint32_t& blockedFor = InputOf(input, departure.lane).blockedFor;
    if (blockedFor != NOBODY &&
        !IsFull(input, departure.lane, Credits(input).GetUsedBytes(departure.lane)))
    {
        if (Ptr<CongestionDetector> detector = m_ports[blockedFor]->GetDetector(departure.lane))
        {
            detector->OnUpstreamResume(NanoSeconds(nowPs / 1000));
        }
        blockedFor = NOBODY;
    }
    // Who wants to read the input is asked in turn.
    const uint32_t ports = GetNPorts();
    const uint32_t first = m_nextOutput[input];
    for (uint32_t i = 0; i < ports && m_nBlocked[input] > 0; i++)
    {
        const uint32_t out = (first + i) % ports;
        if (m_blocked[input][out])
        {
            m_blocked[input][out] = false;
            m_nBlocked[input]--;
            const uint32_t before = m_reading[input];
            m_ports[out]->Retry(nowPs);
            if (m_reading[input] != before)
            {
                m_nextOutput[input] = out + 1;
            }
            if (m_speedup > 0 && m_reading[input] >= m_speedup)
            {
                return;
            }
        }
    }
}

void
InfinibandSwitch::Drop(uint32_t port, FramePtr frame, LosslessNetDevice::DropReason reason)
{
    Credits(port).Free(frame->priority, frame->bytes, OnEventGrid(frame->readyPs));
    LosslessSwitch::Drop(port, std::move(frame), reason);
}

} // namespace ns3
