// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// A port as an ns-3 NetDevice: UDP over it, ECN of IP packets, pcap files, and no link at all.

#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/pcap-file.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Packets of ns-3's protocol stack: priority, limits, addresses, link state.
class NetDeviceTestCase : public LosslessTestCase
{
  public:
    NetDeviceTestCase()
        : LosslessTestCase("the NetDevice interface")
    {
    }

  private:
    bool Received(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t protocol, const Address& from)
    {
        m_received.push_back(packet->GetSize());
        m_protocols.push_back(protocol);
        m_from = Mac48Address::ConvertFrom(from);
        return true;
    }

    bool Overheard(Ptr<NetDevice>,
                   Ptr<const Packet>,
                   uint16_t,
                   const Address&,
                   const Address&,
                   NetDevice::PacketType type)
    {
        m_types.push_back(type);
        return true;
    }

    void DoRun() override
    {
        QbbHelper helper;
        helper.SetDeviceAttribute("StackPriority", UintegerValue(2));
        // Of each priority, room for three frames of 1000 + 18 B, not for four.
        helper.SetDeviceAttribute("StackQueueSize", UintegerValue(4000));
        helper.SetDeviceAttribute("Mtu", UintegerValue(1000));
        const NetDeviceContainer devices =
            helper.Install(CreateObject<Node>(), CreateObject<Node>());
        Ptr<LosslessNetDevice> near = DynamicCast<LosslessNetDevice>(devices.Get(0));
        Ptr<LosslessNetDevice> far = DynamicCast<LosslessNetDevice>(devices.Get(1));
        far->SetReceiveCallback(MakeCallback(&NetDeviceTestCase::Received, this));
        far->SetPromiscReceiveCallback(MakeCallback(&NetDeviceTestCase::Overheard, this));
        NS_TEST_EXPECT_MSG_EQ(near->IsLinkUp(), true, "link");
        NS_TEST_EXPECT_MSG_EQ(near->GetMtu(), uint16_t(1000), "MTU");
        NS_TEST_EXPECT_MSG_EQ((near->GetChannel() == far->GetChannel()), true, "channel");
        NS_TEST_EXPECT_MSG_EQ((near->GetChannel()->GetDevice(1) == far), true, "ends");
        NS_TEST_EXPECT_MSG_EQ(near->IsBroadcast() && near->IsMulticast() && near->NeedsArp(),
                              true,
                              "Ethernet");
        NS_TEST_EXPECT_MSG_EQ(near->IsBridge(), false, "no bridge");
        NS_TEST_EXPECT_MSG_EQ(near->SupportsSendFrom(), true, "SendFrom()");

        PortRecorder recorder(near);
        // One queue for each priority, as a queue disc above sees the port.
        Ptr<NetDeviceQueue> queue = near->GetObject<NetDeviceQueueInterface>()->GetTxQueue(2);
        Ptr<NetDeviceQueue> other = near->GetObject<NetDeviceQueueInterface>()->GetTxQueue(6);
        // Both priorities in use are paused, so that packets wait.
        SendPause(far, 2, true);
        SendPause(far, 6, true);
        const uint16_t protocol = 0x88b5; // local experimental EtherType
        std::vector<bool> accepted;
        std::vector<bool> stopped;
        const auto send = [&](int priority) {
            Ptr<Packet> packet = Create<Packet>(1000);
            if (priority >= 0)
            {
                SocketPriorityTag tag;
                tag.SetPriority(priority);
                packet->AddPacketTag(tag);
            }
            accepted.push_back(near->Send(packet, far->GetAddress(), protocol));
            stopped.push_back(queue->IsStopped());
        };
        CallAt(MicroSeconds(2), [&]() {
            send(-1);
            send(-1);
            send(-1);
            send(-1);
            send(6);
        });
        CallAt(MicroSeconds(3), [&]() {
            NS_TEST_EXPECT_MSG_EQ(Number(near->GetQueueState(2).frames), 3, "StackPriority");
            NS_TEST_EXPECT_MSG_EQ(Number(near->GetQueueState(6).frames), 1, "SocketPriorityTag");
            NS_TEST_EXPECT_MSG_EQ(queue->IsStopped(), true, "still stopped");
            NS_TEST_EXPECT_MSG_EQ(other->IsStopped(), false, "another priority is not");
            SendPause(far, 2, false);
            SendPause(far, 6, false);
        });
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
        const std::vector<bool> expected = {true, true, true, false, true};
        NS_TEST_EXPECT_MSG_EQ((accepted == expected), true, "the fourth is refused");
        // After the third, 4000 - 3 x 1018 = 946 B are left: no room for another of MTU size.
        const std::vector<bool> expectedStop = {false, false, true, true, true};
        NS_TEST_EXPECT_MSG_EQ((stopped == expectedStop), true, "the queue above is stopped");
        NS_TEST_EXPECT_MSG_EQ(queue->IsStopped(), false, "and woken");
        const auto drops = recorder.Of(PortRecorder::DROP);
        LOSSLESS_TEST_REQUIRE(Number(drops.size()), 1, "drops");
        NS_TEST_EXPECT_MSG_EQ(drops[0].reason, Number(LosslessNetDevice::QUEUE_FULL), "reason");
        LOSSLESS_TEST_REQUIRE(Number(m_received.size()), 4, "received");
        NS_TEST_EXPECT_MSG_EQ(Number(m_received[0]), 1000, "without Ethernet header");
        NS_TEST_EXPECT_MSG_EQ(m_protocols[0], protocol, "EtherType");
        NS_TEST_EXPECT_MSG_EQ((m_from == Mac48Address::ConvertFrom(near->GetAddress())),
                              true,
                              "sender");
        const auto sent = recorder.Of(PortRecorder::TRANSMIT, FrameKind::PACKET);
        LOSSLESS_TEST_REQUIRE(Number(sent.size()), 4, "sent");
        NS_TEST_EXPECT_MSG_EQ(Number(sent[0].bytes), 1018, "with Ethernet header and FCS");
        LOSSLESS_TEST_REQUIRE(Number(m_types.size()), 4, "promiscuous");
        NS_TEST_EXPECT_MSG_EQ(Number(m_types[0]), Number(NetDevice::PACKET_HOST), "to this host");

        // A short packet is a frame of 64 B; others' frames are heard by the promiscuous callback
        // only.
        near->SendFrom(Create<Packet>(1), near->GetAddress(), far->GetBroadcast(), protocol);
        near->Send(Create<Packet>(1), Mac48Address("02:00:00:00:00:99"), protocol);
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(recorder.Of(PortRecorder::TRANSMIT).back().bytes),
                              64,
                              "minimum");
        LOSSLESS_TEST_REQUIRE(Number(m_types.size()), 6, "promiscuous");
        NS_TEST_EXPECT_MSG_EQ(Number(m_types[4]), Number(NetDevice::PACKET_BROADCAST), "broadcast");
        NS_TEST_EXPECT_MSG_EQ(Number(m_types[5]),
                              Number(NetDevice::PACKET_OTHERHOST),
                              "other host");
        NS_TEST_EXPECT_MSG_EQ(Number(m_received.size()), 5, "broadcast, but not another's");
    }

    std::vector<uint32_t> m_received;
    std::vector<uint16_t> m_protocols;
    std::vector<NetDevice::PacketType> m_types;
    Mac48Address m_from;
};

/// A device without a link refuses packets and says why.
class NoLinkTestCase : public LosslessTestCase
{
  public:
    NoLinkTestCase()
        : LosslessTestCase("a port without a link")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<Node> node = CreateObject<Node>();
        Ptr<LosslessNetDevice> device = CreateObject<QbbNetDevice>();
        device->SetAddress(Mac48Address("02:00:00:00:00:01"));
        node->AddDevice(device);
        PortRecorder recorder(device);
        NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), false, "link");
        NS_TEST_EXPECT_MSG_EQ(device->Send(Create<Packet>(100), device->GetBroadcast(), 0x88b5),
                              false,
                              "refused");
        LOSSLESS_TEST_REQUIRE(Number(recorder.entries.size()), 1, "one drop");
        NS_TEST_EXPECT_MSG_EQ(recorder.entries[0].reason,
                              Number(LosslessNetDevice::LINK_DOWN),
                              "reason");
    }
};

/// A capture of a port holds each frame sent and received once, with Ethernet's link type.
class PcapTestCase : public LosslessTestCase
{
  public:
    PcapTestCase()
        : LosslessTestCase("pcap of a port")
    {
    }

  private:
    /// Runs a flow with two PFC frames; the file is complete when the port is gone.
    static void Capture(const std::string& name)
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 100000)});
        Ptr<LosslessNetDevice> port = fabric.GetSwitches()[0]->GetPort(0);
        fabric.GetQbbHelper().EnablePcap(name, port, false, true);
        Simulator::Schedule(MicroSeconds(2), &SendPause, port, uint8_t(3), true);
        Simulator::Schedule(MicroSeconds(3), &SendPause, port, uint8_t(3), false);
        Simulator::Run();
    }

    void DoRun() override
    {
        const std::string name = CreateTempDirFilename("port.pcap");
        Capture(name);
        Simulator::Destroy();

        PcapFile file;
        file.Open(name, std::ios::in);
        LOSSLESS_TEST_REQUIRE(file.Fail(), false, "the file is readable");
        NS_TEST_EXPECT_MSG_EQ(Number(file.GetDataLinkType()), 1, "DLT_EN10MB");
        uint8_t bytes[2000];
        int64_t data = 0;
        int64_t acks = 0;
        int64_t pauses = 0;
        while (true)
        {
            uint32_t seconds;
            uint32_t fraction;
            uint32_t included;
            uint32_t original;
            uint32_t read;
            file.Read(bytes, sizeof(bytes), seconds, fraction, included, original, read);
            if (file.Fail() || file.Eof())
            {
                break;
            }
            // Without FCS: data 1058, ACK 62, PFC 60 with EtherType 0x8808.
            data += read == 1058;
            acks += read == 62;
            pauses += read == 60 && bytes[12] == 0x88 && bytes[13] == 0x08;
        }
        NS_TEST_EXPECT_MSG_EQ(data, 100, "data frames");
        NS_TEST_EXPECT_MSG_EQ(acks, 100, "ACKs");
        NS_TEST_EXPECT_MSG_EQ(pauses, 2, "pause and resume");
    }
};

/// A mark on a packet of ns-3's stack arrives in its IPv4 header.
class IpMarkTestCase : public LosslessTestCase
{
  public:
    IpMarkTestCase()
        : LosslessTestCase("marks of carried IPv4 packets")
    {
    }

  private:
    void Received(Ptr<Socket> socket)
    {
        Address from;
        while (Ptr<Packet> packet = socket->RecvFrom(from))
        {
            SocketIpTosTag tag;
            m_tos.push_back(packet->RemovePacketTag(tag) ? tag.GetTos() : 0xff);
        }
    }

    void DoRun() override
    {
        // Checksums on: a rewritten header must pass the receiver's check.
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallInternetStack();
        Ptr<LosslessNetDevice> out = fabric.GetSwitches()[0]->GetPort(1);
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        int packets = 0;
        detector->mark = [&packets](const Frame& frame) {
            return frame.kind == FrameKind::PACKET && packets++ == 1 ? CodePoint::CONGESTION
                                                                     : CodePoint::NOT_CAPABLE;
        };
        out->SetDetector(6, detector);
        PortRecorder recorder(out);
        Ptr<Node> from = fabric.GetNodes().Get(fabric.GetHostIndex(0));
        Ptr<Node> to = fabric.GetNodes().Get(fabric.GetHostIndex(1));
        Ptr<Socket> receiver = Socket::CreateSocket(to, UdpSocketFactory::GetTypeId());
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        receiver->SetIpRecvTos(true);
        receiver->SetRecvCallback(MakeCallback(&IpMarkTestCase::Received, this));
        Ptr<Socket> sender = Socket::CreateSocket(from, UdpSocketFactory::GetTypeId());
        sender->Bind();
        sender->Connect(InetSocketAddress(fabric.GetRdma(1)->GetAddress(), 9));
        // ECT(1), and "low delay", which UDP sockets of ns-3 turn into SocketPriorityTag 6.
        sender->SetIpTos(0x11);
        const auto send = [sender]() {
            for (int i = 0; i < 3; i++)
            {
                sender->Send(Create<Packet>(500));
            }
        };
        CallAt(MicroSeconds(1), send, from->GetId());
        Simulator::Run();
        sender->Close();
        receiver->Close();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
        const std::vector<uint8_t> expected = {0x11, 0x13, 0x11};
        NS_TEST_EXPECT_MSG_EQ((m_tos == expected), true, "ECN bits at the receiver");
        const auto marks = recorder.Of(PortRecorder::MARK);
        LOSSLESS_TEST_REQUIRE(Number(marks.size()), 1, "marks");
        // 500 + 8 + 20 B and Ethernet's 18 B.
        NS_TEST_EXPECT_MSG_EQ(Number(marks[0].bytes), 546, "frame size");
        NS_TEST_EXPECT_MSG_EQ(Number(marks[0].priority),
                              6,
                              "the tag's priority, at the switch too");
    }

    std::vector<uint8_t> m_tos;
};

/// The suite `lossless-link-net-device`.
class LosslessLinkNetDeviceTestSuite : public TestSuite
{
  public:
    LosslessLinkNetDeviceTestSuite()
        : TestSuite("lossless-link-net-device", Type::SYSTEM)
    {
        AddTestCase(new NetDeviceTestCase);
        AddTestCase(new NoLinkTestCase);
        AddTestCase(new PcapTestCase);
        AddTestCase(new IpMarkTestCase);
    }
};

LosslessLinkNetDeviceTestSuite g_losslessLinkNetDeviceTestSuite; //!< registers itself

} // namespace
