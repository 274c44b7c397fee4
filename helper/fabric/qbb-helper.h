// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef QBB_HELPER_H
#define QBB_HELPER_H

#include "ns3/lossless-net-device.h"
#include "ns3/net-device-container.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/trace-helper.h"

#include <string>

namespace ns3
{

/**
 * Links two nodes by a lossless link, Ethernet unless SetDeviceType() says otherwise; pcap of any
 * port by PcapHelperForDevice's EnablePcap() and EnablePcapAll().
 * @ingroup lossless
 */
class QbbHelper : public PcapHelperForDevice
{
  public:
    QbbHelper();

    /// @param type of devices installed from now on, a LosslessNetDevice; QbbNetDevice by default
    void SetDeviceType(const std::string& type);

    /**
     * @param name of an attribute of the devices
     * @param value for devices installed from now on
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param name of a LosslessChannel attribute
     * @param value for links installed from now on
     */
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param a one node
     * @param b the other
     * @returns the two devices, that of a first
     */
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b);

    /**
     * Captures a port.
     * @param path of the file
     * @param device the port
     * @param promiscuous whether also what is not for the port
     * @returns the file, which its owner can close to see whether all was written
     */
    static Ptr<PcapFileWrapper> Capture(const std::string& path,
                                        Ptr<LosslessNetDevice> device,
                                        bool promiscuous);

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;

    /**
     * @param node gets a device
     * @returns the device
     */
    Ptr<NetDevice> AddDevice(Ptr<Node> node);

    ObjectFactory m_deviceFactory;  //!< SetDeviceType()
    ObjectFactory m_channelFactory; //!< LosslessChannel
};

} // namespace ns3

#endif // QBB_HELPER_H
