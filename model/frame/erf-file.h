// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_ERF_FILE_H
#define LOSSLESS_ERF_FILE_H

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * A capture file of InfiniBand packets. Wireshark and tshark know them as records of the extensible
 * record format (ERF) in a pcap file, link type 197; the link type for InfiniBand itself, 247, they
 * refuse (tshark 4.0).
 *
 * Each record begins with a header of 16 bytes: time in 2^-32 s, little-endian; type; flags (4,
 * records of different lengths); length with the header; losses; length on the wire.
 * @ingroup lossless
 */
class ErfFile
{
  public:
    static constexpr uint32_t LINK_TYPE = 197;   //!< of the pcap file
    static constexpr uint32_t HEADER_BYTES = 16; //!< before each packet

    /// Type of a record.
    enum RecordType : uint8_t
    {
        INFINIBAND = 21,      //!< a packet from its local route header to its VCRC
        INFINIBAND_LINK = 25, //!< a link flow-control packet
    };

    /**
     * Creates the file.
     * @param name of the file; if it cannot be written, an InputError says so
     */
    explicit ErfFile(const std::string& name);

    /// @param file open, of the type LINK_TYPE
    explicit ErfFile(Ptr<PcapFileWrapper> file);

    /**
     * @param now present time
     * @param packet as it was on the wire
     * @param type of the packet
     */
    void Write(Time now, Ptr<const Packet> packet, RecordType type);

  private:
    Ptr<PcapFileWrapper> m_file; //!< closes itself
};

} // namespace ns3

#endif // LOSSLESS_ERF_FILE_H
