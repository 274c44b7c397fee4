// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-test-harness.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/arp-cache.h"
#include "ns3/boolean.h"
#include "ns3/egress-scheduler.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/lossless-queue-disc.h"
#include "ns3/net-device-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/packet-sink.h"
#include "ns3/packet.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/type-id.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

// ns-3's runner goes on after a failed NS_TEST_ASSERT unless told otherwise, so sizes that indices
// rely on are checked by the tests themselves, too.

namespace
{

/**
 * @param attribute of LosslessQueueDisc
 * @param value as text
 * @returns what installs it
 */
TrafficControlHelper
DiscHelper(const std::string& attribute = "MaxSize", const std::string& value = "10000p")
{
    TrafficControlHelper helper;
    helper.SetRootQueueDisc("ns3::LosslessQueueDisc", attribute, StringValue(value));
    return helper;
}

/**
 * Spares a host ARP, so that what is counted are a test's own packets, and flows start when they
 * should.
 *
 * @param from its port
 * @param address of the other host
 * @param to the other host's port
 */
void
AddNeighbour(Ptr<LosslessNetDevice> from, Ipv4Address address, Ptr<LosslessNetDevice> to)
{
    Ptr<Ipv4L3Protocol> ip = from->GetNode()->GetObject<Ipv4L3Protocol>();
    Ptr<Ipv4Interface> interface = ip->GetInterface(ip->GetInterfaceForDevice(from));
    ArpCache::Entry* entry = interface->GetArpCache()->Add(address);
    entry->SetMacAddress(to->GetAddress());
    entry->MarkPermanent();
}

/**
 * Two hosts with ns-3's stack and a link of 100 Gb/s and 1 us; the first has a LosslessQueueDisc
 * and sends UDP, the second pauses it.
 *
 * UDP payload of n bytes: an IP packet of n + 28, a frame of n + 46, n + 66 B on the wire. A byte
 * takes 80 ps; a PFC frame of 84 B on the wire is there after 6.72 + 1000 ns.
 */
class HostPair
{
  public:
    /**
     * @param discs installs the queue disc of host 0
     * @param link with the attributes wanted
     */
    explicit HostPair(TrafficControlHelper discs = DiscHelper(), QbbHelper link = QbbHelper())
    {
        link.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
        link.SetChannelAttribute("Delay", StringValue("1us"));
        const Ptr<Node> nodes[] = {CreateObject<Node>(), CreateObject<Node>()};
        const NetDeviceContainer devices = link.Install(nodes[0], nodes[1]);
        const Ipv4Address address[] = {Ipv4Address("10.0.0.1"), Ipv4Address("10.0.0.2")};
        for (uint32_t i = 0; i < 2; i++)
        {
            port[i] = DynamicCast<LosslessNetDevice>(devices.Get(i));
            InternetStackHelper().Install(nodes[i]);
            Ptr<Ipv4L3Protocol> ip = nodes[i]->GetObject<Ipv4L3Protocol>();
            const uint32_t interface = ip->AddInterface(port[i]);
            ip->AddAddress(interface, Ipv4InterfaceAddress(address[i], Ipv4Mask("255.0.0.0")));
            ip->SetUp(interface);
        }
        AddNeighbour(port[0], address[1], port[1]);
        disc = DynamicCast<LosslessQueueDisc>(discs.Install(port[0]).Get(0));
        recorder = std::make_unique<PortRecorder>(port[1]);
        m_receiver = Socket::CreateSocket(nodes[1], UdpSocketFactory::GetTypeId());
        m_receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        m_receiver->SetIpRecvTos(true);
        m_receiver->SetRecvCallback(MakeCallback(&HostPair::Receive, this));
        m_sender = Socket::CreateSocket(nodes[0], UdpSocketFactory::GetTypeId());
        m_sender->Bind();
        m_sender->Connect(InetSocketAddress(address[1], 9));
    }

    ~HostPair()
    {
        m_sender->Close();
        m_receiver->Close();
        m_receiver->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    }

    HostPair(const HostPair&) = delete;
    HostPair& operator=(const HostPair&) = delete;

    /**
     * Host 0 sends a UDP packet.
     *
     * @param priority its SocketPriorityTag, 0 for none
     * @param bytes of payload
     * @param tos its IPv4 TOS, with the ECN bits
     */
    void Send(uint8_t priority, uint32_t bytes = 1000, uint8_t tos = 1)
    {
        Ptr<Packet> packet = Create<Packet>(bytes);
        if (priority > 0)
        {
            // By hand: a UDP socket with a TOS takes the priority from it.
            SocketPriorityTag tag;
            tag.SetPriority(priority);
            packet->AddPacketTag(tag);
        }
        m_sender->SetIpTos(tos);
        m_sender->Send(packet);
    }

    /**
     * Host 1 pauses or resumes host 0.
     *
     * @param ns when [ns]
     * @param priority 0..7
     * @param pause which
     */
    void PauseAt(int64_t ns, uint8_t priority, bool pause)
    {
        At(ns, 1, [this, priority, pause]() { SendPause(port[1], priority, pause); });
    }

    /**
     * @param ns when [ns]
     * @param host whose context
     * @param what is called
     */
    void At(int64_t ns, uint32_t host, std::function<void()> what)
    {
        CallAt(NanoSeconds(ns), what, port[host]->GetNode()->GetId());
    }

    /**
     * Ends the simulation.
     *
     * @param us when [us]
     */
    void RunUntil(int64_t us)
    {
        Simulator::Stop(MicroSeconds(us) - Simulator::Now());
        Simulator::Run();
    }

    /**
     * @param priority 0..7
     * @returns what arrived at host 1 in it
     */
    std::vector<PortRecorder::Entry> Arrived(uint8_t priority) const
    {
        std::vector<PortRecorder::Entry> arrived;
        for (const auto& entry : recorder->Of(PortRecorder::RECEIVED, FrameKind::PACKET))
        {
            if (entry.priority == priority)
            {
                arrived.push_back(entry);
            }
        }
        return arrived;
    }

    /**
     * @param priority 0..7
     * @returns packets in its queue of the queue disc
     */
    int64_t Held(uint8_t priority) const
    {
        return disc->GetInternalQueue(priority)->GetNPackets();
    }

    Ptr<LosslessNetDevice> port[2];                     //!< of the hosts
    Ptr<LosslessQueueDisc> disc;                        //!< of host 0
    std::unique_ptr<PortRecorder> recorder;             //!< of host 1
    std::vector<std::pair<uint32_t, uint8_t>> received; //!< payload and TOS, at host 1's socket

  private:
    void Receive(Ptr<Socket> socket)
    {
        while (Ptr<Packet> packet = socket->Recv())
        {
            SocketIpTosTag tag;
            received.emplace_back(packet->GetSize(),
                                  packet->RemovePacketTag(tag) ? tag.GetTos() : 0);
        }
    }

    Ptr<Socket> m_sender;   //!< at host 0
    Ptr<Socket> m_receiver; //!< at host 1
};

/// What is OFF stays in the queue disc, others pass, and ON wakes it at once.
class GateTestCase : public LosslessTestCase
{
  public:
    GateTestCase()
        : LosslessTestCase("the gate keeps packets, and ON wakes the queue disc")
    {
    }

  private:
    void DoRun() override
    {
        HostPair hosts;
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        hosts.disc->SetDetector(3, detector);
        // OFF at 1000 + 1006.72 ns, whose event is at 2007; ON likewise at 21007.
        hosts.PauseAt(1000, 3, true);
        hosts.PauseAt(20000, 3, false);
        hosts.At(2000, 0, [&hosts]() {
            // At 2007 one is on the line until 2000 + 85.28, one waits in the port, one above it.
            // The last, behind them until then, goes next.
            for (uint8_t priority : {3, 3, 3, 1})
            {
                hosts.Send(priority);
            }
        });
        hosts.At(3000, 0, [&hosts]() {
            for (int i = 0; i < 10; i++)
            {
                hosts.Send(3);
                hosts.Send(1); // lower than the packet that is held in the port
                hosts.Send(5);
            }
        });
        hosts.RunUntil(10);
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.Arrived(3).size()), 1, "of priority 3 before OFF");
        const auto lower = hosts.Arrived(1);
        NS_TEST_EXPECT_MSG_EQ(Number(lower.size()), 11, "of priority 1");
        NS_TEST_EXPECT_MSG_EQ(lower.empty() ? -1 : lower[0].readyPs,
                              2000000 + 2 * 85280 + 1000000,
                              "arrival of the first of priority 1");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.Arrived(5).size()), 10, "of priority 5");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.port[0]->GetQueueState(3).frames),
                              1,
                              "held in the port");
        NS_TEST_EXPECT_MSG_EQ(hosts.Held(3), 11, "held in the queue disc");
        NS_TEST_EXPECT_MSG_EQ(hosts.Held(1) + hosts.Held(5), 0, "of others in the queue disc");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.disc->GetQueueState(3).bytes), 11 * 1046, "queue");

        hosts.RunUntil(30);
        const auto arrived = hosts.Arrived(3);
        NS_TEST_EXPECT_MSG_EQ(Number(arrived.size()), 13, "of priority 3");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->enqueued.size()), 13, "enqueued");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->dequeued.size()), 13, "dequeued");
        if (!IsStatusSuccess())
        {
            return;
        }
        // From 21007 ns on, at line rate: 12 frames of 1066 B x 80 ps = 85.28 ns, and the link.
        for (int64_t i = 1; i <= 12; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(arrived[i].readyPs,
                                  21007000 + i * 85280 + 1000000,
                                  "arrival of frame " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.disc->GetStats().nTotalDroppedPackets), 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.disc->GetStats().nTotalRequeuedPackets), 0, "requeued");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.disc->GetStats().nTotalSentPackets), 34, "sent");

        const std::vector<std::pair<int64_t, bool>> gate = {{2007, true}, {21007, false}};
        NS_TEST_EXPECT_MSG_EQ((detector->gate == gate), true, "OFF and ON at the detector");
        // Its queue: the frame itself, then, with one on the line and one in the port, 1, 2,
        // ... 11.
        NS_TEST_EXPECT_MSG_EQ(Number(detector->enqueued[0].bytes), 1046, "first");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->dequeued[1].bytes), 0, "second leaves");
        for (int64_t i = 2; i < 13; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(detector->enqueued[i].bytes), (i - 1) * 1046, "in " << i);
            NS_TEST_EXPECT_MSG_EQ(Number(detector->enqueued[i].frames), i - 1, "in " << i);
            NS_TEST_EXPECT_MSG_EQ(Number(detector->dequeued[i].bytes),
                                  (12 - i) * 1046,
                                  "out " << i);
        }
    }
};

/// A pause that ends by its timer wakes the queue disc, too.
class ExpiryTestCase : public LosslessTestCase
{
  public:
    ExpiryTestCase()
        : LosslessTestCase("the end of a pause's timer wakes the queue disc")
    {
    }

  private:
    void DoRun() override
    {
        QbbHelper link;
        link.SetDeviceAttribute("PauseTime", UintegerValue(100));
        link.SetDeviceAttribute("RefreshInterval", StringValue("1s"));
        HostPair hosts(DiscHelper(), link);
        hosts.PauseAt(1000, 3, true);
        hosts.At(2100, 0, [&hosts]() { hosts.Send(3); });
        hosts.RunUntil(100);
        const auto arrived = hosts.Arrived(3);
        NS_TEST_EXPECT_MSG_EQ(Number(arrived.size()), 1, "packets");
        // OFF at 2007 ns for 100 x 512 bits at 100 Gb/s = 512 ns, then 85.28 ns and the link.
        NS_TEST_EXPECT_MSG_EQ(arrived.empty() ? -1 : arrived[0].readyPs,
                              2519000 + 85280 + 1000000,
                              "arrival");
    }
};

/// Order among priorities: strict by default.
class StrictPriorityTestCase : public LosslessTestCase
{
  public:
    StrictPriorityTestCase()
        : LosslessTestCase("strict priority, FIFO within each; StackPriority without a tag")
    {
    }

  private:
    void DoRun() override
    {
        QbbHelper link;
        link.SetDeviceAttribute("StackPriority", UintegerValue(2));
        HostPair hosts(DiscHelper(), link);
        hosts.At(1000, 0, [&hosts]() {
            hosts.Send(4, 1400); // occupies the line while the others come
            for (uint32_t i = 0; i < 3; i++)
            {
                for (uint8_t priority : {1, 0, 3, 6}) // 0: no tag
                {
                    hosts.Send(priority, 100 * (priority + 1) + i);
                }
            }
        });
        hosts.RunUntil(100);
        std::vector<uint32_t> payloads;
        for (const auto& packet : hosts.received)
        {
            payloads.push_back(packet.first);
        }
        // No tag means 2 here, between 3 and 1.
        const std::vector<uint32_t> expected =
            {1400, 700, 701, 702, 400, 401, 402, 100, 101, 102, 200, 201, 202};
        NS_TEST_EXPECT_MSG_EQ((payloads == expected), true, "order of arrival");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.Arrived(2).size()), 3, "in StackPriority");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.disc->GetStats().nTotalSentPackets), 13, "sent");
    }
};

/// Shares among priorities by weights, although the port itself is strict.
class WeightsTestCase : public LosslessTestCase
{
  public:
    WeightsTestCase()
        : LosslessTestCase("deficit round robin by weights")
    {
    }

  private:
    void DoRun() override
    {
        HostPair hosts(DiscHelper("Scheduler", "ns3::DeficitRoundRobin[StrictFrom=8]"));
        auto scheduler = DynamicCast<DeficitRoundRobin>(hosts.disc->GetScheduler());
        NS_TEST_EXPECT_MSG_EQ(bool(scheduler), true, "the scheduler named by its class");
        if (!scheduler)
        {
            return;
        }
        scheduler->SetWeight(1, 1);
        scheduler->SetWeight(2, 3);
        hosts.At(1000, 0, [&hosts]() {
            for (int i = 0; i < 400; i++)
            {
                hosts.Send(1);
                hosts.Send(2);
            }
        });
        hosts.RunUntil(1000);
        const auto arrived = hosts.recorder->Of(PortRecorder::RECEIVED, FrameKind::PACKET);
        NS_TEST_EXPECT_MSG_EQ(Number(arrived.size()), 800, "all arrive");
        int64_t first = 0;
        for (std::size_t i = 0; i < arrived.size() / 2; i++)
        {
            first += arrived[i].priority == 1;
        }
        // A quarter. Off by the quantum that one may be ahead (3 x 1600 B, 4.5 frames of 1066 B),
        // of which a quarter, its debt of a frame, and the frame of each that waits in the port.
        NS_TEST_EXPECT_MSG_EQ_TOL(first, 100, 4, "of weight 1 among 400 with weight 3");
    }
};

/// Marks in the IPv4 header, as the receiver reads them.
class MarksTestCase : public LosslessTestCase
{
  public:
    MarksTestCase()
        : LosslessTestCase("CE and UE in the receiver's IPv4 header, counted")
    {
    }

  private:
    void DoTeardown() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
        LosslessTestCase::DoTeardown();
    }

    void Marked(Ptr<const QueueDiscItem> item, const char* reason)
    {
        uint8_t tos = 0;
        item->GetUint8Value(QueueItem::IP_DSFIELD, tos);
        m_marked.emplace_back(tos, reason);
    }

    void DoRun() override
    {
        // With checksums a wrongly rewritten header would not arrive.
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        HostPair hosts;
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        const std::vector<CodePoint> marks = {CodePoint::CONGESTION,
                                              CodePoint::UNDETERMINED,
                                              CodePoint::NOT_CAPABLE,
                                              CodePoint::CONGESTION,
                                              CodePoint::UNDETERMINED,
                                              CodePoint::CONGESTION};
        std::size_t next = 0;
        detector->mark = [&marks, &next](const Frame&) { return marks.at(next++); };
        hosts.disc->SetDetector(3, detector);
        hosts.disc->TraceConnectWithoutContext("Mark", MakeCallback(&MarksTestCase::Marked, this));
        const std::vector<uint8_t> sent = {0x81, 0x81, 0x81, 0x80, 0x83, 0x82};
        hosts.At(1000, 0, [&hosts, &sent]() {
            for (std::size_t i = 0; i < sent.size(); i++)
            {
                hosts.Send(3, 100 + i, sent[i]);
            }
        });
        hosts.RunUntil(100);
        // Maximum of what was sent and the mark; 00 is never marked; the DSCP stays.
        const std::vector<std::pair<uint32_t, uint8_t>> expected =
            {{100, 0x83}, {101, 0x82}, {102, 0x81}, {103, 0x80}, {104, 0x83}, {105, 0x83}};
        NS_TEST_EXPECT_MSG_EQ((hosts.received == expected), true, "TOS at the receiver");
        const QueueDisc::Stats& stats = hosts.disc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(Number(stats.GetNMarkedPackets(LosslessQueueDisc::CE_MARK)), 2, "CE");
        NS_TEST_EXPECT_MSG_EQ(Number(stats.GetNMarkedPackets(LosslessQueueDisc::UE_MARK)), 1, "UE");
        NS_TEST_EXPECT_MSG_EQ(Number(stats.nTotalMarkedPackets), 3, "marked");
        NS_TEST_EXPECT_MSG_EQ(Number(stats.nTotalMarkedBytes), 100 + 101 + 105 + 3 * 28, "bytes");
        const std::vector<std::pair<uint8_t, std::string>> traced = {
            {0x83, LosslessQueueDisc::CE_MARK},
            {0x82, LosslessQueueDisc::UE_MARK},
            {0x83, LosslessQueueDisc::CE_MARK}};
        NS_TEST_EXPECT_MSG_EQ((m_marked == traced), true, "Mark trace");
    }

    std::vector<std::pair<uint8_t, std::string>> m_marked; //!< TOS and reason
};

/// A detector given by its class marks by the queue that is held back.
class DetectorClassTestCase : public LosslessTestCase
{
  public:
    DetectorClassTestCase()
        : LosslessTestCase("EcnDetector as an attribute")
    {
    }

  private:
    void DoRun() override
    {
        // Kmin = Kmax: marks where more than 4 frames of 1046 B wait behind the one that leaves.
        HostPair hosts(DiscHelper("Detector", "ns3::EcnDetector[Kmin=4184|Kmax=4184]"));
        NS_TEST_EXPECT_MSG_EQ((hosts.disc->GetDetector(3) != hosts.disc->GetDetector(4)),
                              true,
                              "one for each priority");
        NS_TEST_EXPECT_MSG_EQ(hosts.disc->AssignStreams(7), 8, "streams");
        hosts.PauseAt(1000, 3, true);
        hosts.At(3000, 0, [&hosts]() {
            for (int i = 0; i < 10; i++)
            {
                hosts.Send(3);
            }
        });
        hosts.PauseAt(20000, 3, false);
        hosts.RunUntil(100);
        // Frame n of 10 leaves 10 - n behind, which is more than four for the first five.
        std::vector<uint8_t> tos;
        for (const auto& packet : hosts.received)
        {
            tos.push_back(packet.second);
        }
        const std::vector<uint8_t> expected = {3, 3, 3, 3, 3, 1, 1, 1, 1, 1};
        NS_TEST_EXPECT_MSG_EQ((tos == expected), true, "CE by the queue");
    }
};

/// A UDP burst over a paused port.
class BurstTestCase : public LosslessTestCase
{
  public:
    BurstTestCase()
        : LosslessTestCase("a UDP burst over a paused port loses nothing")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t PACKETS = 1400;
        HostPair hosts;
        hosts.PauseAt(1000, 3, true);
        hosts.PauseAt(600000, 3, false); // after two refreshes
        hosts.At(3000, 0, [&hosts]() {
            for (uint32_t i = 0; i < PACKETS; i++)
            {
                hosts.Send(3, 1 + i); // the size is the number
            }
        });
        hosts.RunUntil(600);
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.received.size()), 0, "while OFF");
        NS_TEST_EXPECT_MSG_EQ(hosts.Held(3), Number(PACKETS), "held");
        hosts.RunUntil(2000);
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.received.size()), Number(PACKETS), "arrived");
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < hosts.received.size(); i++)
        {
            wrong += hosts.received[i].first != 1 + i;
        }
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "out of order");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.disc->GetStats().nTotalDroppedPackets), 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.disc->GetNPackets()), 0, "left in the queue disc");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.disc->GetNBytes()), 0, "left in the queue disc");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.disc->GetQueueState(3).bytes), 0, "left for detectors");
    }
};

/// Over MaxSize: dropped with a reason, and only there.
class OverflowTestCase : public LosslessTestCase
{
  public:
    /**
     * @param maxSize of each queue
     * @param fit how many IP packets of 1028 B that is
     */
    OverflowTestCase(const std::string& maxSize, int64_t fit)
        : LosslessTestCase("over MaxSize " + maxSize),
          m_maxSize(maxSize),
          m_fit(fit)
    {
    }

  private:
    void DoRun() override
    {
        HostPair hosts(DiscHelper("MaxSize", m_maxSize));
        hosts.PauseAt(1000, 3, true);
        hosts.PauseAt(1000, 4, true);
        hosts.PauseAt(20000, 3, false);
        hosts.PauseAt(20000, 4, false);
        hosts.At(3000, 0, [&hosts]() {
            for (int i = 0; i < 8; i++)
            {
                hosts.Send(3);
            }
            hosts.Send(4); // has a queue of its own
        });
        hosts.RunUntil(100);
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.Arrived(3).size()), m_fit, "those that fit");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts.Arrived(4).size()), 1, "of the other priority");
        const QueueDisc::Stats& stats = hosts.disc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(Number(stats.GetNDroppedPackets(LosslessQueueDisc::FULL_DROP)),
                              8 - m_fit,
                              "drops by reason");
        NS_TEST_EXPECT_MSG_EQ(Number(stats.nTotalDroppedPacketsBeforeEnqueue), 8 - m_fit, "drops");
        NS_TEST_EXPECT_MSG_EQ(Number(stats.nTotalDroppedPackets), 8 - m_fit, "drops");
        NS_TEST_EXPECT_MSG_EQ(Number(stats.nTotalSentPackets), m_fit + 1, "sent");
    }

    std::string m_maxSize; //!< attribute
    int64_t m_fit;         //!< packets
};

/// Stack packets of one priority do not wait for those of another that RDMA keeps from the line.
class NextToRdmaTestCase : public LosslessTestCase
{
  public:
    NextToRdmaTestCase()
        : LosslessTestCase("next to RDMA: low priorities wait, high ones do not")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallInternetStack();
        Ptr<LosslessNetDevice> out = fabric.GetRdma(0)->GetDevice();
        // In priority 3: 1000 x 86.56 ns, and longer for the rest.
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1000000)});
        AddNeighbour(out, fabric.GetRdma(1)->GetAddress(), fabric.GetRdma(1)->GetDevice());
        PortRecorder recorder(out);
        Ptr<Socket> sender = Socket::CreateSocket(out->GetNode(), UdpSocketFactory::GetTypeId());
        sender->Bind();
        sender->Connect(InetSocketAddress(fabric.GetRdma(1)->GetAddress(), 9));
        for (uint8_t priority : {1, 5})
        {
            const auto send = [sender, priority]() {
                sender->SetPriority(priority);
                sender->Send(Create<Packet>(100));
                sender->Send(Create<Packet>(100));
            };
            CallAt(NanoSeconds(5000 * priority), send, out->GetNode()->GetId());
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        sender->Close();
        const auto sent = recorder.Of(PortRecorder::TRANSMIT, FrameKind::PACKET);
        NS_TEST_EXPECT_MSG_EQ(Number(sent.size()), 4, "stack packets sent");
        if (sent.size() != 4)
        {
            return;
        }
        // Priority 5 at 25 us: after the RDMA frame on the line, at most 86.56 ns; the next follows
        // at once, after 166 B x 80 ps.
        NS_TEST_EXPECT_MSG_EQ(Number(sent[0].priority), 5, "first");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sent[0].ns, 25000 + 87, "no later than the frame on the line");
        NS_TEST_EXPECT_MSG_EQ(Number(sent[1].priority), 5, "second");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sent[1].ns, 25000 + 87 + 14, "at once");
        // Priority 1 when RDMA has sent all its frames.
        NS_TEST_EXPECT_MSG_EQ(Number(sent[2].priority), 1, "third");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent[2].ns, 86560, "after RDMA");
        NS_TEST_EXPECT_MSG_EQ(Number(sent[3].priority), 1, "fourth");
    }
};

/// TCP in a lossless priority through a switch that pauses its senders.
class TcpIncastTestCase : public LosslessTestCase
{
  public:
    TcpIncastTestCase()
        : LosslessTestCase("TCP incast in a paused priority without retransmission")
    {
    }

  private:
    /// Adds up the TCP payload that a host's IP hands down, retransmissions and what is dropped
    /// below included.
    void Sent(Ptr<const Packet> ipPacket, Ptr<Ipv4>, uint32_t)
    {
        Ptr<Packet> packet = ipPacket->Copy();
        Ipv4Header ip;
        TcpHeader tcp;
        packet->RemoveHeader(ip);
        packet->RemoveHeader(tcp);
        m_sentPayload += packet->GetSize();
    }

    void DoRun() override
    {
        constexpr uint32_t SENDERS = 8;
        constexpr uint64_t BYTES = 1000000;
        LosslessFabric fabric;
        AddStar(fabric, SENDERS + 1, "10Gbps", MicroSeconds(1));
        fabric.SetDeviceAttribute("StackPriority", UintegerValue(3));
        // Little room in the port: what is paused has to wait in the queue disc.
        fabric.SetDeviceAttribute("StackQueueSize", UintegerValue(5000));
        fabric.SetSwitchAttribute("Threshold", StringValue("Static"));
        fabric.SetSwitchAttribute("Xoff", UintegerValue(20000));
        fabric.SetSwitchAttribute("Xon", UintegerValue(15000));
        fabric.Build();
        fabric.InstallInternetStack();
        Ptr<Node> receiver = fabric.GetNodes().Get(fabric.GetHostIndex(0));
        ObjectFactory sinkFactory("ns3::PacketSink");
        sinkFactory.Set("Protocol", TypeIdValue(TcpSocketFactory::GetTypeId()));
        sinkFactory.Set("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), 5000)));
        Ptr<PacketSink> sink = sinkFactory.Create<PacketSink>();
        receiver->AddApplication(sink);
        ObjectFactory sourceFactory("ns3::BulkSendApplication");
        sourceFactory.Set("Protocol", TypeIdValue(TcpSocketFactory::GetTypeId()));
        sourceFactory.Set("Remote",
                          AddressValue(InetSocketAddress(fabric.GetRdma(0)->GetAddress(), 5000)));
        sourceFactory.Set("MaxBytes", UintegerValue(BYTES));
        std::vector<Ptr<LosslessQueueDisc>> discs;
        for (uint32_t h = 0; h <= SENDERS; h++)
        {
            Ptr<LosslessNetDevice> port = fabric.GetRdma(h)->GetDevice();
            Ptr<QueueDisc> disc =
                port->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(port);
            discs.push_back(DynamicCast<LosslessQueueDisc>(disc));
            if (h > 0)
            {
                Ptr<RdmaHw> far = fabric.GetRdma(0);
                AddNeighbour(port, far->GetAddress(), far->GetDevice());
                AddNeighbour(far->GetDevice(), fabric.GetRdma(h)->GetAddress(), port);
                port->GetNode()->AddApplication(sourceFactory.Create<Application>());
                port->GetNode()->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
                    "Tx",
                    MakeCallback(&TcpIncastTestCase::Sent, this));
            }
        }
        LinkCounter links(fabric);
        Simulator::Stop(Seconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), SENDERS * BYTES, "bytes received");
        NS_TEST_EXPECT_MSG_EQ(m_sentPayload, SENDERS * BYTES, "bytes sent: none twice");
        NS_TEST_EXPECT_MSG_GT(links.Sum(&LinkCounter::Count::pauses), 0, "pauses");
        NS_TEST_EXPECT_MSG_EQ(links.Sum(&LinkCounter::Count::drops), 0, "drops at ports");
        for (const auto& disc : discs)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(disc->GetStats().nTotalDroppedPackets), 0, "drops");
            NS_TEST_EXPECT_MSG_EQ(Number(disc->GetNPackets()), 0, "left");
        }
        NS_TEST_EXPECT_MSG_EQ(Number(EthernetSwitchOf(fabric, 0)->GetBuffer().GetUsedBytes()),
                              0,
                              "buffer");
    }

    uint64_t m_sentPayload{0}; //!< of all senders [B]
};

/// The suite `lossless-queue-disc`.
class LosslessQueueDiscTestSuite : public TestSuite
{
  public:
    LosslessQueueDiscTestSuite()
        : TestSuite("lossless-queue-disc", Type::UNIT)
    {
        AddTestCase(new GateTestCase);
        AddTestCase(new ExpiryTestCase);
        AddTestCase(new StrictPriorityTestCase);
        AddTestCase(new WeightsTestCase);
        AddTestCase(new MarksTestCase);
        AddTestCase(new DetectorClassTestCase);
        AddTestCase(new BurstTestCase);
        AddTestCase(new OverflowTestCase("5p", 5));
        AddTestCase(new OverflowTestCase("3000B", 2));
        AddTestCase(new OverflowTestCase("2056B", 2)); // just two
        AddTestCase(new NextToRdmaTestCase);
        AddTestCase(new TcpIncastTestCase);
    }
};

LosslessQueueDiscTestSuite g_losslessQueueDiscTestSuite; //!< registers itself

} // namespace
