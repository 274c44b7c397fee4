// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-test-harness.h"

#include "ns3/input-error.h"
#include "ns3/pointer.h"

namespace ns3
{
namespace losslesstest
{

namespace
{

void
Call(std::function<void()> what)
{
    what();
}

} // namespace

void
CallAt(Time delay, std::function<void()> what, uint32_t context)
{
    Simulator::ScheduleWithContext(context, delay, &Call, what);
}

int64_t
Number(Time t)
{
    return t.GetNanoSeconds();
}

FlowSpec
MakeFlow(uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes, int64_t startNs, uint8_t priority)
{
    FlowSpec flow;
    flow.id = id;
    flow.src = src;
    flow.dst = dst;
    flow.bytes = bytes;
    flow.startNs = startNs;
    flow.priority = priority;
    return flow;
}

std::string
ErrorOf(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

void
AddChain(LosslessFabric& fabric, const std::vector<std::string>& rates, Time delay)
{
    const uint32_t first = fabric.AddHost("first");
    const uint32_t last = fabric.AddHost("last");
    uint32_t previous = first;
    for (std::size_t i = 0; i < rates.size(); i++)
    {
        const uint32_t next =
            i + 1 == rates.size() ? last : fabric.AddSwitch("s" + std::to_string(i));
        fabric.AddLink(previous, next, DataRate(rates[i]), delay);
        previous = next;
    }
}

void
AddStar(LosslessFabric& fabric, uint32_t hosts, const std::string& rate, Time delay)
{
    const uint32_t hub = fabric.AddSwitch("switch");
    for (uint32_t h = 0; h < hosts; h++)
    {
        fabric.AddLink(fabric.AddHost("h" + std::to_string(h)), hub, DataRate(rate), delay);
    }
}

Ptr<EthernetSwitch>
EthernetSwitchOf(const LosslessFabric& fabric, uint32_t index)
{
    return DynamicCast<EthernetSwitch>(fabric.GetSwitches().at(index));
}

void
SendPause(Ptr<LosslessNetDevice> port, uint8_t priority, bool pause)
{
    port->GetFlowControl().Hold(priority, pause);
}

CompletionRecorder::CompletionRecorder(const LosslessFabric& fabric)
{
    for (const auto& hw : fabric.GetRdmaEngines())
    {
        hw->TraceConnectWithoutContext("MessageCompleted",
                                       MakeCallback(&CompletionRecorder::Completed, this));
        hw->TraceConnectWithoutContext("MessageReceived",
                                       MakeCallback(&CompletionRecorder::Received, this));
    }
}

int64_t
CompletionRecorder::Fct(uint32_t flow) const
{
    const auto found = completions.find(flow);
    return found == completions.end() ? -1
                                      : (found->second.end - found->second.start).GetNanoSeconds();
}

void
CompletionRecorder::Completed(const RdmaCompletion& completion)
{
    repeatedCompletions += !completions.emplace(completion.flow, completion).second;
    order.push_back(completion.flow);
}

void
CompletionRecorder::Received(const RdmaReception& reception)
{
    repeatedReceptions += !receptions.emplace(reception.flow, reception).second;
}

PortRecorder::PortRecorder(Ptr<LosslessNetDevice> device)
{
    const std::pair<const char*, Source> sources[] = {{"Enqueue", ENQUEUE},
                                                      {"Dequeue", DEQUEUE},
                                                      {"Mark", MARK},
                                                      {"Transmit", TRANSMIT},
                                                      {"FrameReceived", RECEIVED}};
    for (const auto& source : sources)
    {
        m_listeners.push_back(std::make_unique<Listener>(Listener{this, source.second}));
        device->TraceConnectWithoutContext(source.first,
                                           MakeCallback(&Listener::Seen, m_listeners.back().get()));
    }
    device->TraceConnectWithoutContext("Drop", MakeCallback(&PortRecorder::Dropped, this));
    device->TraceConnectWithoutContext("Gate", MakeCallback(&PortRecorder::Gate, this));
}

std::vector<PortRecorder::Entry>
PortRecorder::Of(Source source) const
{
    std::vector<Entry> found;
    for (const auto& entry : entries)
    {
        if (entry.source == source)
        {
            found.push_back(entry);
        }
    }
    return found;
}

std::vector<PortRecorder::Entry>
PortRecorder::Of(Source source, FrameKind kind) const
{
    std::vector<Entry> found;
    for (const auto& entry : Of(source))
    {
        if (entry.kind == kind)
        {
            found.push_back(entry);
        }
    }
    return found;
}

PortRecorder::Entry&
PortRecorder::Add(Source source, const Frame& frame)
{
    Entry entry;
    entry.source = source;
    entry.ns = Simulator::Now().GetNanoSeconds();
    entry.kind = frame.kind;
    entry.priority = frame.priority;
    entry.flow = frame.flow;
    entry.psn = frame.psn;
    entry.bytes = frame.bytes;
    entry.code = frame.codePoint;
    entry.readyPs = frame.readyPs;
    if (frame.kind == FrameKind::NOTIFICATION)
    {
        const Cnp* cnp = std::get_if<Cnp>(&frame.notification);
        entry.feedback = cnp ? cnp->code : CodePoint::NOT_CAPABLE;
    }
    else if (frame.kind == FrameKind::PFC)
    {
        entry.pause = frame.pause;
    }
    entries.push_back(entry);
    return entries.back();
}

void
PortRecorder::Dropped(const Frame& frame, LosslessNetDevice::DropReason reason)
{
    Add(DROP, frame).reason = reason;
}

void
PortRecorder::Gate(uint8_t priority, bool off)
{
    Entry entry;
    entry.source = GATE;
    entry.ns = Simulator::Now().GetNanoSeconds();
    entry.priority = priority;
    entry.off = off;
    entries.push_back(entry);
}

LinkCounter::LinkCounter(const LosslessFabric& fabric)
{
    for (const auto& port : fabric.GetPorts())
    {
        m_counts.push_back(std::make_unique<Count>());
        Count* count = m_counts.back().get();
        count->port = port;
        port->TraceConnectWithoutContext("Transmit", MakeCallback(&Count::Sent, count));
        port->TraceConnectWithoutContext("FrameReceived", MakeCallback(&Count::Received, count));
        port->TraceConnectWithoutContext("Drop", MakeCallback(&Count::Dropped, count));
    }
}

std::vector<int64_t>
LinkCounter::InFlight() const
{
    std::map<uint64_t, const Count*> byPlace;
    for (const auto& count : m_counts)
    {
        byPlace[Place(count->port)] = count.get();
    }
    std::vector<int64_t> inFlight;
    for (const auto& count : m_counts)
    {
        inFlight.push_back(count->sent - byPlace.at(Place(count->port->GetPeer()))->received);
    }
    return inFlight;
}

int64_t
LinkCounter::Sum(int64_t Count::*member) const
{
    int64_t sum = 0;
    for (const auto& count : m_counts)
    {
        sum += (*count).*member;
    }
    return sum;
}

uint64_t
LinkCounter::Place(Ptr<LosslessNetDevice> port)
{
    return uint64_t(port->GetNode()->GetId()) << 32 | port->GetIfIndex();
}

void
FrameCollector::FrameArrived(uint32_t, FramePtr frame)
{
    exactPs.push_back(frame->readyPs);
    arrivedNs.push_back(Simulator::Now().GetNanoSeconds());
    frames.push_back(std::move(frame));
}

PortPair::PortPair(QbbHelper helper)
{
    const NetDeviceContainer devices = helper.Install(CreateObject<Node>(), CreateObject<Node>());
    for (uint32_t i = 0; i < 2; i++)
    {
        port[i] = DynamicCast<LosslessNetDevice>(devices.Get(i));
        port[i]->SetSink(&sink[i], 0);
    }
}

FramePtr
PortPair::MakeData(uint8_t priority, uint32_t bytes, uint32_t psn)
{
    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::DATA;
    frame->codePoint = CodePoint::CAPABLE;
    frame->priority = priority;
    frame->bytes = bytes;
    frame->psn = psn;
    frame->readyPs = NowPs();
    return frame;
}

void
PortPair::Send(uint8_t priority, uint32_t bytes, uint32_t psn)
{
    port[0]->Enqueue(MakeData(priority, bytes, psn));
}

TypeId
ScriptedController::GetTypeId()
{
    static TypeId tid = TypeId("ns3::losslesstest::ScriptedController")
                            .SetParent<RateController>()
                            .SetGroupName("Lossless")
                            .HideFromDocumentation()
                            .AddConstructor<ScriptedController>();
    return tid;
}

Ptr<RateController>
ScriptedController::Fork() const
{
    return CopyObject<ScriptedController>(Ptr<const ScriptedController>(this));
}

Time
ScriptedController::NextTimer() const
{
    return m_next < changes.size() ? changes[m_next].first : Time::Max();
}

void
ScriptedController::OnTimer(Time now)
{
    Note("timer", now, 0);
    m_rateBps = changes[m_next++].second;
    m_windowBytes = windowAfterChange;
}

void
ScriptedController::OnSend(Frame&, uint32_t wireBytes, Time now)
{
    Note("sent", now, wireBytes);
}

void
ScriptedController::OnAck(const Acknowledgement& ack, Time now)
{
    Note("ack", now, ack.ackedBytes);
    acknowledgements->push_back(ack);
}

void
ScriptedController::DoStart(Time)
{
    m_rateBps = rateBps > 0 ? rateBps : m_rateBps;
    m_windowBytes = window;
}

void
ScriptedController::Note(const char* what, Time now, int64_t value) const
{
    calls->push_back({what, now.GetNanoSeconds(), value});
}

TypeId
ScriptedDetector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::losslesstest::ScriptedDetector")
                            .SetParent<CongestionDetector>()
                            .SetGroupName("Lossless")
                            .HideFromDocumentation()
                            .AddConstructor<ScriptedDetector>();
    return tid;
}

void
ScriptedDetector::OnDequeue(Frame& frame, const QueueState& queue, Time)
{
    dequeued.push_back(queue);
    const CodePoint code = mark ? mark(frame) : CodePoint::NOT_CAPABLE;
    if (code >= CodePoint::UNDETERMINED)
    {
        Mark(frame, code);
    }
    Notification notification;
    if (tell && tell(frame, notification))
    {
        NotifySource(frame, notification);
    }
}

TypeId
ListedFrameErrorModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::losslesstest::ListedFrameErrorModel")
                            .SetParent<ErrorModel>()
                            .SetGroupName("Lossless")
                            .HideFromDocumentation()
                            .AddConstructor<ListedFrameErrorModel>();
    return tid;
}

bool
ListedFrameErrorModel::DoCorrupt(Ptr<Packet> packet)
{
    if (packet->GetSize() < minimumBytes || packet->GetSize() > maximumBytes)
    {
        return false;
    }
    return places.count(seen++) > 0;
}

Scheme
SchemeOf(LosslessFabric& fabric, Ptr<RateController> controller)
{
    Scheme scheme = FindScheme("none");
    scheme.controller.clear();
    scheme.rdmaSettings.clear();
    fabric.SetRdmaAttribute("RateController", PointerValue(controller));
    return scheme;
}

} // namespace losslesstest
} // namespace ns3
