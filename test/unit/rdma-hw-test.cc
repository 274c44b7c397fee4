// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/input-error.h"
#include "ns3/lossless-fabric.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <limits>

using namespace ns3;

namespace
{

/// Two hosts back to back.
class RdmaHwDeathTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_fabric.AddLink(m_fabric.AddHost("a"),
                         m_fabric.AddHost("b"),
                         DataRate("100Gbps"),
                         Time(0));
        m_fabric.Build();
        m_message.flow = 7;
        m_message.bytes = 1000;
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    void Send(RdmaHw::Connection connection)
    {
        m_fabric.GetRdma(0)->Send(connection, m_fabric.GetRdma(1), m_message);
    }

    LosslessFabric m_fabric;
    RdmaHw::Message m_message;
};

} // namespace

TEST_F(RdmaHwDeathTest, NumbersConnections)
{
    // 0 and 1 are the numbers of InfiniBand's management queue pairs.
    for (uint32_t i = 2; i < 5; i++)
    {
        const auto connection = m_fabric.GetRdma(0)->Connect(m_fabric.GetRdma(1));
        EXPECT_EQ(connection.local, i);
        EXPECT_EQ(connection.remote, i);
    }
    const auto back = m_fabric.GetRdma(1)->Connect(m_fabric.GetRdma(0));
    EXPECT_EQ(back.local, 2u) << "sending and receiving halves are numbered apart";
}

TEST_F(RdmaHwDeathTest, FramesAreNumberedIn32Bits)
{
    Ptr<RdmaHw> hw = m_fabric.GetRdma(0);
    EXPECT_EQ(hw->GetPackets(1), 1u);
    EXPECT_EQ(hw->GetPackets(1001), 2u);
    EXPECT_EQ(hw->GetPackets(4294967295000), 4294967295u);
    for (uint64_t bytes : {uint64_t(4294967295001), std::numeric_limits<uint64_t>::max()})
    {
        try
        {
            hw->GetPackets(bytes);
            FAIL() << bytes;
        }
        catch (const InputError& error)
        {
            EXPECT_EQ(std::string(error.what()),
                      "message: found " + std::to_string(bytes) +
                          " B, expected at most 4294967295000 B, which are 2^32 - 1 frames of "
                          "1000 B (ns3::RdmaHw::Mtu)");
        }
    }
}

TEST_F(RdmaHwDeathTest, AConnectionCarriesOneMessage)
{
    const auto connection = m_fabric.GetRdma(0)->Connect(m_fabric.GetRdma(1));
    Send(connection);
    EXPECT_EQ(m_fabric.GetRdma(0)->GetActiveMessages(), 1u);
    EXPECT_DEATH(Send(connection), "flow 7: its connection is in use");
    Simulator::Run();
    EXPECT_EQ(m_fabric.GetRdma(0)->GetActiveMessages(), 0u);
    EXPECT_DEATH(Send(connection), "flow 7: its connection has carried a message");
}

TEST_F(RdmaHwDeathTest, RefusesBadMessages)
{
    const auto connection = m_fabric.GetRdma(0)->Connect(m_fabric.GetRdma(1));
    m_message.bytes = 0;
    EXPECT_DEATH(Send(connection), "a message of 0 bytes");
    m_message.bytes = 1;
    m_message.priority = 8;
    EXPECT_DEATH(Send(connection), "priority 8, expected 0..7");
}
