// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Traffic over topologies: ARP, UDP and TCP of the protocol stack, and flows that wait for others.

#include "lossless-test-harness.h"
#include "lossless-topology-test-case.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/input-error.h"
#include "ns3/lossless-fabric.h"
#include "ns3/object-factory.h"
#include "ns3/packet-sink.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/test.h"
#include "ns3/type-id.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Flows of ns-3's own stack take equal-cost paths by their ports, as RDMA's do.
class StackEcmpTestCase : public TopologyTestCase
{
  public:
    StackEcmpTestCase()
        : TopologyTestCase("flows of the protocol stack spread over the cores")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        FatTreeHelper().Build(fabric);
        fabric.Build();
        fabric.InstallInternetStack();
        for (uint32_t core = 0; core < 4; core++)
        {
            Ptr<EthernetSwitch> sw = Switch(fabric, "core" + std::to_string(core));
            for (uint32_t port = 0; port < sw->GetNPorts(); port++)
            {
                sw->GetPort(port)->TraceConnect("FrameReceived",
                                                std::to_string(core),
                                                MakeCallback(&StackEcmpTestCase::Received, this));
            }
        }
        // 32 UDP flows of one pair of hosts in different pods, three packets each.
        std::vector<Ptr<Socket>> sockets;
        for (uint16_t port = 0; port < 32; port++)
        {
            Ptr<Node> node = fabric.GetNodes().Get(fabric.GetHostIndex(0));
            Ptr<Socket> socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
            socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5000 + port));
            socket->Connect(InetSocketAddress(fabric.GetRdma(15)->GetAddress(), 9));
            for (int64_t i = 1; i <= 3; i++)
            {
                CallAt(
                    MilliSeconds(50 * i), // ns-3 delays its ARP requests by up to 10 ms
                    [socket]() { socket->Send(Create<Packet>(100)); },
                    node->GetId());
            }
            sockets.push_back(socket);
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_coresOf.size(), 32, "flows seen by the cores");
        std::set<std::string> used;
        for (const auto& [hash, cores] : m_coresOf)
        {
            NS_TEST_EXPECT_MSG_EQ(cores.size(), 1, "a flow keeps to one path");
            used.insert(cores.begin(), cores.end());
        }
        // 32 flows miss one of 4 cores with a probability of 4 x 0.75^32 = 4e-4; fixed by the
        // ports.
        NS_TEST_EXPECT_MSG_EQ(used.size(), 4, "cores used");
    }

    void Received(std::string core, const Frame& frame)
    {
        if (frame.etherType == 0x0800 && frame.bytes > 100)
        {
            m_coresOf[frame.hash].insert(core);
        }
    }

    std::map<uint32_t, std::set<std::string>> m_coresOf; //!< by flow hash
};

/// ns-3's own protocols over the fabric: a broadcast reaches each host once, an answer comes back.
class BroadcastTestCase : public TopologyTestCase
{
  public:
    BroadcastTestCase()
        : TopologyTestCase("broadcast, ARP and UDP over a fat-tree")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        FatTreeHelper().Build(fabric);
        fabric.Build();
        fabric.InstallInternetStack();
        for (uint32_t host = 0; host < fabric.GetNHosts(); host++)
        {
            fabric.GetRdma(host)->GetDevice()->TraceConnect(
                "FrameReceived",
                std::to_string(host),
                MakeCallback(&BroadcastTestCase::Received, this));
        }
        Ptr<Socket> server = MakeSocket(fabric, 15);
        server->Bind(InetSocketAddress(Ipv4Address::GetAny(), 7));
        server->SetRecvCallback(MakeCallback(&BroadcastTestCase::Echo, this));
        Ptr<Socket> client = MakeSocket(fabric, 0);
        client->Connect(InetSocketAddress(fabric.GetRdma(15)->GetAddress(), 7));
        client->SetRecvCallback(MakeCallback(&BroadcastTestCase::Answered, this));
        CallAt(MilliSeconds(1), [client]() { client->Send(Create<Packet>(100)); });
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        // ns-3's ARP does not learn from requests: host 0 asks for host 15, then 15 for 0.
        for (uint32_t sender : {0u, 15u})
        {
            for (uint32_t host = 0; host < fabric.GetNHosts(); host++)
            {
                const uint32_t expected = host == sender ? 0 : 1;
                NS_TEST_EXPECT_MSG_EQ(m_broadcasts[std::make_pair(sender, host)],
                                      expected,
                                      "broadcasts of host " << sender << " at host " << host);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(m_broadcasts.size(), 2 * 16, "no other broadcast");
        NS_TEST_EXPECT_MSG_EQ(m_echoes, 1, "packets at the server");
        NS_TEST_EXPECT_MSG_EQ(m_answerBytes, 100, "bytes that came back");
    }

    static Ptr<Socket> MakeSocket(const LosslessFabric& fabric, uint32_t host)
    {
        return Socket::CreateSocket(fabric.GetNodes().Get(fabric.GetHostIndex(host)),
                                    UdpSocketFactory::GetTypeId());
    }

    void Received(std::string host, const Frame& frame)
    {
        if (frame.destination == BROADCAST_ENDPOINT)
        {
            // A host's address ends with its number + 1.
            const uint32_t sender = frame.addresses.sourceMac[5] - 1;
            m_broadcasts[std::make_pair(sender, static_cast<uint32_t>(std::stoul(host)))]++;
        }
    }

    void Echo(Ptr<Socket> socket)
    {
        Address from;
        Ptr<Packet> packet = socket->RecvFrom(from);
        m_echoes++;
        socket->SendTo(packet, 0, from);
    }

    void Answered(Ptr<Socket> socket)
    {
        m_answerBytes += socket->Recv()->GetSize();
    }

    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_broadcasts; //!< by sender and receiver
    uint32_t m_echoes{0};                                           //!< at the server
    uint32_t m_answerBytes{0};                                      //!< at the client
};

/// TCP and RDMA between the same two hosts, each in its priority.
class TcpNextToRdmaTestCase : public TopologyTestCase
{
  public:
    TcpNextToRdmaTestCase()
        : TopologyTestCase("TCP next to RDMA")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t tcpBytes = 2000000;
        LosslessFabric fabric;
        FatTreeHelper().Build(fabric);
        fabric.Build();
        fabric.InstallInternetStack();
        const InetSocketAddress server(fabric.GetRdma(15)->GetAddress(), 5000);

        ObjectFactory sinkFactory("ns3::PacketSink");
        sinkFactory.Set("Protocol", TypeIdValue(TcpSocketFactory::GetTypeId()));
        sinkFactory.Set("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), 5000)));
        Ptr<PacketSink> sink = sinkFactory.Create<PacketSink>();
        fabric.GetNodes().Get(fabric.GetHostIndex(15))->AddApplication(sink);
        ObjectFactory sourceFactory("ns3::BulkSendApplication");
        sourceFactory.Set("Protocol", TypeIdValue(TcpSocketFactory::GetTypeId()));
        sourceFactory.Set("Remote", AddressValue(server));
        sourceFactory.Set("MaxBytes", UintegerValue(tcpBytes));
        Ptr<Application> source = sourceFactory.Create<Application>();
        fabric.GetNodes().Get(fabric.GetHostIndex(0))->AddApplication(source);

        // Starts when TCP has had the time to resolve the address and to be under way.
        CompletionRecorder recorder(fabric);
        FlowSpec flow = MakeFlow(0, 0, 15, 1000000);
        flow.startNs = 20000000;
        fabric.InstallFlows({flow});
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), tcpBytes, "bytes by TCP");
        NS_TEST_ASSERT_MSG_EQ(recorder.completions.size(), 1, "the RDMA flow");
        // Priority 3 before priority 0: at most the frame on the line, of 1518 + 20 B (123.04 ns),
        // is before each of the flow's frames, at each of 6 links; the ACKs' way back, too.
        const Time late = NanoSeconds(recorder.Fct(0)) - fabric.GetIdealFct(flow);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(late, NanoSeconds(2 * 6 * 124), "RDMA has priority");
        for (const auto& sw : EthernetSwitch::Among(fabric.GetSwitches()))
        {
            NS_TEST_EXPECT_MSG_EQ(sw->GetDrops(), 0, "drops");
            NS_TEST_EXPECT_MSG_EQ(sw->GetBuffer().GetUsedBytes(), 0, "buffer in use at the end");
        }
    }
};

/// Flows that start when another of the same host has completed.
class ClosedLoopTestCase : public TopologyTestCase
{
  public:
    ClosedLoopTestCase()
        : TopologyTestCase("closed loop")
    {
    }

  private:
    void DoRun() override
    {
        // Flow 1 waits for flow 0, flow 2 for flow 1 and its own time, which is later; flow 3 has
        // no part in it.
        const int64_t later = 5000000;
        std::vector<FlowSpec> flows = {MakeFlow(0, 0, 1, 1000000, 1000),
                                       MakeFlow(1, 0, 1, 500000, 0),
                                       MakeFlow(2, 0, 1, 500000, later),
                                       MakeFlow(3, 0, 1, 1000, 2 * later)};
        flows[1].after = 0;
        flows[2].after = 1;
        LosslessFabric fabric;
        AddChain(fabric, {"100Gb/s", "100Gb/s"}, MicroSeconds(1));
        fabric.Build();
        CompletionRecorder recorder(fabric);
        fabric.InstallFlows(flows);
        Simulator::Run();
        const auto& done = recorder.completions;
        NS_TEST_ASSERT_MSG_EQ(done.size(), 4, "completed flows");
        NS_TEST_EXPECT_MSG_EQ(done.at(0).start, NanoSeconds(1000), "start of the first");
        NS_TEST_EXPECT_MSG_EQ(done.at(1).start, done.at(0).end, "start of the second");
        NS_TEST_EXPECT_MSG_EQ(done.at(2).start, NanoSeconds(later), "start of the third");
        NS_TEST_EXPECT_MSG_EQ(done.at(3).start, NanoSeconds(2 * later), "start of the fourth");
        // Each is alone in the network.
        for (const FlowSpec& flow : flows)
        {
            NS_TEST_EXPECT_MSG_EQ(done.at(flow.id).end - done.at(flow.id).start,
                                  fabric.GetIdealFct(flow),
                                  "completion time of flow " << flow.id);
        }
        Simulator::Destroy();
        ExpectStopped();
        ExpectRefused(MakeFlow(1, 1, 0, 1000), 0); // of another host
        ExpectRefused(MakeFlow(1, 0, 1, 1000), 1); // itself
    }

    /// A client that is stopped posts nothing any more, although what is under way completes.
    void ExpectStopped()
    {
        std::vector<FlowSpec> flows = {MakeFlow(0, 0, 1, 1000000),
                                       MakeFlow(1, 0, 1, 1000),
                                       MakeFlow(2, 0, 1, 1000, 1000000)};
        flows[1].after = 0;
        LosslessFabric fabric;
        AddChain(fabric, {"100Gb/s", "100Gb/s"}, MicroSeconds(1));
        fabric.Build();
        CompletionRecorder recorder(fabric);
        fabric.InstallFlows(flows);
        fabric.GetNodes()
            .Get(fabric.GetHostIndex(0))
            ->GetApplication(0)
            ->SetStopTime(MicroSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), 1, "the first alone");
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.count(0), 1, "the first alone");
        Simulator::Destroy();
    }

    /**
     * @param flow number 1
     * @param after the flow it is to wait for, which cannot be
     */
    void ExpectRefused(FlowSpec flow, uint32_t after)
    {
        flow.after = after;
        LosslessFabric fabric;
        AddChain(fabric, {"100Gb/s", "100Gb/s"}, MicroSeconds(1));
        fabric.Build();
        std::string error;
        try
        {
            fabric.InstallFlows({MakeFlow(0, 0, 1, 1000), flow});
        }
        catch (const InputError& e)
        {
            error = e.what();
        }
        NS_TEST_EXPECT_MSG_EQ(error,
                              "flow 1: found it to start after flow " + std::to_string(after) +
                                  ", expected an earlier flow of the same host",
                              "the error");
        Simulator::Destroy();
    }
};

/// The suite `lossless-topology-traffic`.
class LosslessTopologyTrafficTestSuite : public TestSuite
{
  public:
    LosslessTopologyTrafficTestSuite()
        : TestSuite("lossless-topology-traffic", Type::UNIT)
    {
        AddTestCase(new StackEcmpTestCase);
        AddTestCase(new BroadcastTestCase);
        AddTestCase(new TcpNextToRdmaTestCase);
        AddTestCase(new ClosedLoopTestCase);
    }
};

LosslessTopologyTrafficTestSuite g_losslessTopologyTrafficTestSuite; //!< registers itself

} // namespace
