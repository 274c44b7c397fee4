// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/flow-hash.h"
#include "ns3/forwarding-table.h"
#include "ns3/frame.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

TEST(ForwardingTable, WithoutARouteThereIsNoPort)
{
    ForwardingTable table;
    EXPECT_EQ(table.Choose(0, 77), ForwardingTable::NO_PORT);
    EXPECT_TRUE(table.Get(0).empty());
    table.Set(5, {2});
    EXPECT_EQ(table.Choose(5, 77), 2u);
    // Between the known ones, beyond them, and of a frame whose endpoint is not known.
    EXPECT_EQ(table.Choose(4, 77), ForwardingTable::NO_PORT);
    EXPECT_EQ(table.Choose(6, 77), ForwardingTable::NO_PORT);
    EXPECT_EQ(table.Choose(UNKNOWN_ENDPOINT, 77), ForwardingTable::NO_PORT);
    EXPECT_TRUE(table.Get(4).empty());
    EXPECT_TRUE(table.Get(UNKNOWN_ENDPOINT).empty());
    // Taken away again.
    table.Set(5, {});
    EXPECT_EQ(table.Choose(5, 77), ForwardingTable::NO_PORT);
    EXPECT_TRUE(table.Get(5).empty());
}

TEST(ForwardingTable, OnePortIsTakenWhateverTheHash)
{
    ForwardingTable table;
    table.SetSalt(3);
    table.Set(0, {7});
    for (uint32_t hash = 0; hash < 100; hash++)
    {
        EXPECT_EQ(table.Choose(0, hash * 0x9e3779b9), 7u);
    }
}

TEST(ForwardingTable, DestinationsOfOneGroupAreApart)
{
    ForwardingTable table;
    const std::vector<uint32_t> up = {4, 5, 6};
    const std::vector<uint32_t> order = {6, 5, 4};
    for (uint32_t d = 0; d < 1000; d++)
    {
        table.Set(d, up);
    }
    table.Set(1000, {4, 5});   // the beginning of that group
    table.Set(1001, order);    // the order is part of it
    table.Set(500, {1, 2, 3}); // away from the group, which the others keep
    EXPECT_EQ(table.Get(0), up);
    EXPECT_EQ(table.Get(499), up);
    EXPECT_EQ(table.Get(501), up);
    EXPECT_EQ(table.Get(999), up);
    EXPECT_EQ(table.Get(1000), (std::vector<uint32_t>{4, 5}));
    EXPECT_EQ(table.Get(1001), order);
    EXPECT_EQ(table.Get(500), (std::vector<uint32_t>{1, 2, 3}));
    table.Set(500, up); // and back
    EXPECT_EQ(table.Get(500), up);
    for (uint32_t hash = 0; hash < 64; hash++)
    {
        const uint32_t port = table.Choose(0, hash * 0x9e3779b9);
        EXPECT_EQ(table.Choose(999, hash * 0x9e3779b9), port) << "the flow decides";
        EXPECT_EQ(table.Choose(1001, hash * 0x9e3779b9), order[port - 4]) << "the same place";
    }
}

TEST(ForwardingTable, TheSaltedHashChoosesAmongAll)
{
    ForwardingTable table;
    const std::vector<uint32_t> ports = {2, 3, 8, 9};
    table.Set(1, ports);
    std::array<int, 4> chosen{};
    uint32_t differ = 0;
    for (uint32_t flow = 0; flow < 4000; flow++)
    {
        const uint32_t hash = HashFlow(0x0a000001, 0x0a000002, 0xc000 + flow);
        table.SetSalt(11);
        const uint32_t port = table.Choose(1, hash);
        EXPECT_EQ(port, ports[ChooseByHash(hash, 11, 4)]);
        chosen[std::find(ports.begin(), ports.end(), port) - ports.begin()]++;
        table.SetSalt(12);
        differ += table.Choose(1, hash) != port;
    }
    // 1000 each on average, standard deviation 27; the next switch chooses anew: 3000 differ.
    for (int count : chosen)
    {
        EXPECT_NEAR(count, 1000, 150);
    }
    EXPECT_NEAR(differ, 3000, 150);
}

TEST(ForwardingTable, AddressesAndPortsToFlood)
{
    const uint8_t mac[6] = {0x02, 0, 0, 0, 0x01, 0xff};
    EXPECT_EQ(MacNumber(mac), 0x0200000001ffu);
    ForwardingTable table;
    EXPECT_EQ(table.FindEndpoint(mac), UNKNOWN_ENDPOINT);
    EXPECT_FALSE(table.IsFloodPort(0));
    auto addresses = std::make_shared<AddressTable>();
    (*addresses)[0x0200000001ff] = 510;
    table.SetAddresses(addresses, {false, true});
    EXPECT_EQ(table.FindEndpoint(mac), 510u);
    const uint8_t other[6] = {0x02, 0, 0, 0, 0x02, 0xff};
    EXPECT_EQ(table.FindEndpoint(other), UNKNOWN_ENDPOINT);
    EXPECT_FALSE(table.IsFloodPort(0));
    EXPECT_TRUE(table.IsFloodPort(1));
    EXPECT_FALSE(table.IsFloodPort(2)) << "beyond the list";
}
