// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/input-error.h"
#include "ns3/link-technology.h"
#include "ns3/lossless-net-device.h"
#include "ns3/lossless-switch.h"
#include "ns3/type-id.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace ns3;

TEST(LinkTechnology, EthernetIsTheDefault)
{
    EXPECT_EQ(LinkTechnologies().at(0).name, "ethernet");
    const LinkTechnology& ethernet = FindLinkTechnology("ethernet");
    EXPECT_EQ(&ethernet, &LinkTechnologies().at(0));
    EXPECT_EQ(ethernet.deviceType, "ns3::QbbNetDevice");
    EXPECT_EQ(ethernet.switchType, "ns3::EthernetSwitch");
}

TEST(LinkTechnology, NamesAreUniqueAndClassesAreThere)
{
    std::set<std::string> names;
    for (const LinkTechnology& technology : LinkTechnologies())
    {
        EXPECT_TRUE(names.insert(technology.name).second) << technology.name;
        EXPECT_FALSE(technology.description.empty()) << technology.name;
        EXPECT_EQ(&FindLinkTechnology(technology.name), &technology);
        // LookupByName() ends the program where there is none.
        const TypeId device = TypeId::LookupByName(technology.deviceType);
        EXPECT_TRUE(device.IsChildOf(LosslessNetDevice::GetTypeId())) << technology.deviceType;
        EXPECT_TRUE(device.HasConstructor()) << technology.deviceType;
        const TypeId sw = TypeId::LookupByName(technology.switchType);
        EXPECT_TRUE(sw.IsChildOf(LosslessSwitch::GetTypeId())) << technology.switchType;
        EXPECT_TRUE(sw.HasConstructor()) << technology.switchType;
        TypeId::AttributeInformation size;
        EXPECT_TRUE(
            TypeId::LookupByName(technology.bufferType).LookupAttributeByName("BufferSize", &size))
            << technology.bufferType;
    }
}

TEST(LinkTechnology, AnUnknownNameIsAnErrorThatNamesTheNearest)
{
    try
    {
        FindLinkTechnology("ethernett");
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        const std::string message = error.what();
        EXPECT_NE(message.find("link"), std::string::npos) << message;
        EXPECT_NE(message.find("ethernett"), std::string::npos) << message;
        EXPECT_NE(message.find("'ethernet'"), std::string::npos) << message;
    }
    EXPECT_THROW(FindLinkTechnology(""), InputError);
    EXPECT_THROW(FindLinkTechnology("Ethernet"), InputError);
}

TEST(LinkTechnology, DetectorsOfFullInputsNeedInputsThatCanBeFull)
{
    const LinkTechnology& ethernet = FindLinkTechnology("ethernet");
    const LinkTechnology& infiniband = FindLinkTechnology("infiniband");
    for (const Scheme& scheme : Schemes())
    {
        EXPECT_NO_THROW(CheckLink(scheme, infiniband)) << scheme.name;
        if (NeedsInputBuffers(scheme))
        {
            EXPECT_THROW(CheckLink(scheme, ethernet), InputError) << scheme.name;
        }
        else
        {
            EXPECT_NO_THROW(CheckLink(scheme, ethernet)) << scheme.name;
        }
    }
    EXPECT_TRUE(NeedsInputBuffers(FindScheme("input-output+fimd")));
    EXPECT_FALSE(NeedsInputBuffers(FindScheme("dcqcn")));
}
