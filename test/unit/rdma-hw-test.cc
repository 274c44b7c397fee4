// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/lossless-fabric.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

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
