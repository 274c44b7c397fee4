// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "qbb-helper.h"

#include "ns3/log.h"
#include "ns3/lossless-channel.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/qbb-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbHelper");

namespace
{

/// A port sent or received a packet.
void
Sniffed(const Encapsulation* encapsulation, Ptr<PcapFileWrapper> file, Ptr<const Packet> packet)
{
    encapsulation->Capture(file, Simulator::Now(), packet);
}

} // namespace

QbbHelper::QbbHelper()
{
    m_deviceFactory.SetTypeId("ns3::QbbNetDevice");
    m_channelFactory.SetTypeId("ns3::LosslessChannel");
}

void
QbbHelper::SetDeviceType(const std::string& type)
{
    m_deviceFactory.SetTypeId(type);
}

void
QbbHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_deviceFactory.Set(name, value);
}

void
QbbHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    m_channelFactory.Set(name, value);
}

Ptr<NetDevice>
QbbHelper::AddDevice(Ptr<Node> node)
{
    Ptr<LosslessNetDevice> device = m_deviceFactory.Create<LosslessNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    node->AddDevice(device);
    // Lets a queue disc above the device hold packets back, by priority.
    device->AggregateObject(
        CreateObjectWithAttributes<NetDeviceQueueInterface>("NTxQueues",
                                                            UintegerValue(PRIORITIES)));
    return device;
}

NetDeviceContainer
QbbHelper::Install(Ptr<Node> a, Ptr<Node> b)
{
    Ptr<LosslessChannel> channel = m_channelFactory.Create<LosslessChannel>();
    NetDeviceContainer devices;
    for (const auto& node : {a, b})
    {
        Ptr<NetDevice> device = AddDevice(node);
        DynamicCast<LosslessNetDevice>(device)->Attach(channel);
        devices.Add(device);
    }
    return devices;
}

Ptr<PcapFileWrapper>
QbbHelper::Capture(const std::string& path, Ptr<LosslessNetDevice> device, bool promiscuous)
{
    const Encapsulation* encapsulation = &device->GetEncapsulation();
    const auto type = static_cast<PcapHelper::DataLinkType>(encapsulation->GetCaptureType());
    Ptr<PcapFileWrapper> file = PcapHelper().CreateFile(path, std::ios::out, type);
    device->TraceConnectWithoutContext(promiscuous ? "PromiscSniffer" : "Sniffer",
                                       MakeBoundCallback(&Sniffed, encapsulation, file));
    return file;
}

void
QbbHelper::EnablePcapInternal(std::string prefix,
                              Ptr<NetDevice> device,
                              bool promiscuous,
                              bool explicitFilename)
{
    Ptr<LosslessNetDevice> port = DynamicCast<LosslessNetDevice>(device);
    if (!port)
    {
        NS_LOG_INFO("device " << device << " is no LosslessNetDevice");
        return;
    }
    PcapHelper pcap;
    const std::string name = explicitFilename ? prefix : pcap.GetFilenameFromDevice(prefix, device);
    Capture(name, port, promiscuous);
}

} // namespace ns3
