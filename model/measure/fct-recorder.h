// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FCT_RECORDER_H
#define LOSSLESS_FCT_RECORDER_H

#include "ns3/flow-spec.h"
#include "ns3/ptr.h"
#include "ns3/rdma-hw.h"
#include "ns3/slowdown-statistics.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @param ns a time, 0 or later [ns]
 * @returns it in seconds, exact, with nine decimals
 */
std::string SecondsText(int64_t ns);

/**
 * Completion time of each flow, from the traces MessageCompleted (sender) and MessageReceived
 * (receiver) of RdmaHw. FCT counts from the posting of the message to its last acknowledgement.
 * @ingroup lossless
 */
class FctRecorder
{
  public:
    /// What is known of a flow before it runs.
    struct FlowInfo
    {
        FlowSpec flow;           //!< what is sent
        uint32_t source{0};      //!< number of the sending host in flows.csv
        uint32_t destination{0}; //!< number of the receiving host in flows.csv
        int64_t idealNs{0};      //!< FCT of the flow alone in the network [ns]
        uint32_t packets{0};     //!< data frames
        uint32_t pathHops{0};    //!< links from host to host
    };

    /// Sums over the flows.
    struct Totals
    {
        uint64_t flows{0};         //!< completed
        uint64_t packetsCe{0};     //!< data frames received with CE, of all flows
        uint64_t packetsUe{0};     //!< data frames received with UE, of all flows
        uint64_t retransmitted{0}; //!< data frames sent again
        int64_t lastEndNs{0};      //!< when the last one completed [ns]
    };

    /// @param info of a flow; ids must come as 0, 1, 2, ...
    void AddFlow(const FlowInfo& info);

    /// @param hw whose messages are recorded
    void Connect(Ptr<RdmaHw> hw);

    /// @param action called when the last flow completes
    void SetAllCompleted(std::function<void()> action);

    /// Takes over what has arrived of messages that are not complete. @param hw of the receivers
    void AddReceptions(Ptr<const RdmaHw> hw);

    /// @returns number of flows
    uint64_t GetNFlows() const;

    /// @returns number of completed flows, kept up to date
    uint64_t GetNCompleted() const;

    /// @returns sums over completed flows, marks over all
    Totals GetTotals() const;

    /**
     * @param ns a time [ns]
     * @returns payload that completed flows had delivered by then, each taken as even over its
     * completion time [B]
     */
    double GetBytesBy(int64_t ns) const;

    /// @returns slowdown of the completed flows
    SlowdownStatistics GetSlowdown() const;

    /**
     * Writes flows.csv, by flow number. The columns that only the end of a flow tells (fct_s,
     * slowdown, cnp_ce, cnp_ue) are empty for a flow that has not ended; its marks are those of
     * what has arrived, after AddReceptions().
     * @param out gets the table with its header
     */
    void WriteCsv(std::ostream& out) const;

  private:
    /// A flow and what became of it. Plain numbers, as there may be many.
    struct Record
    {
        FlowInfo info;             //!< known before
        int64_t startNs{0};        //!< when the message was posted [ns]
        int64_t endNs{0};          //!< when its last acknowledgement arrived [ns]
        uint32_t packetsCe{0};     //!< data frames received with CE
        uint32_t packetsUe{0};     //!< and with UE
        uint32_t cnpCe{0};         //!< CNPs received that said CE
        uint32_t cnpUe{0};         //!< and UE
        uint32_t retransmitted{0}; //!< data frames sent again
        bool completed{false};     //!< the sender has the last acknowledgement
    };

    void Completed(const RdmaCompletion& completion);
    void Received(const RdmaReception& reception);

    /// @returns completion time over ideal completion time
    static double Slowdown(const Record& record);

    std::vector<Record> m_records;        //!< by flow number
    uint64_t m_completed{0};              //!< how many
    std::function<void()> m_allCompleted; //!< called when the last flow completes
};

} // namespace ns3

#endif // LOSSLESS_FCT_RECORDER_H
