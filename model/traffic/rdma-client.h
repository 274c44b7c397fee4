// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RDMA_CLIENT_H
#define RDMA_CLIENT_H

#include "ns3/application.h"
#include "ns3/flow-spec.h"
#include "ns3/rdma-hw.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * Sends a host's messages at their start times: one application and one pending event for each
 * host, however many messages it has.
 * @ingroup lossless
 */
class RdmaClient : public Application
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    RdmaClient();
    ~RdmaClient() override;

    /// @param hw the RDMA engine that sends
    void SetRdmaHw(Ptr<RdmaHw> hw);

    /**
     * Adds a message; before the application starts.
     * @param remote the receiver's RDMA engine
     * @param message what to send
     * @param start when, after the start of the simulation
     * @param after flow of this application that must have completed before, FlowSpec::NONE for
     * none
     */
    void AddMessage(Ptr<RdmaHw> remote,
                    const RdmaHw::Message& message,
                    Time start,
                    uint32_t after = FlowSpec::NONE);

  protected:
    void DoDispose() override;

  private:
    /// A message and where it goes.
    struct Entry
    {
        Time start;                    //!< when
        Ptr<RdmaHw> remote;            //!< where
        RdmaHw::Connection connection; //!< set up beforehand
        RdmaHw::Message message;       //!< what
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Posts what is due and waits for the next.
    void SendDue();

    /// A message was acknowledged to its end: those that waited for it are due.
    void Completed(const RdmaCompletion& completion);

    Ptr<RdmaHw> m_hw;                         //!< sends
    std::vector<Entry> m_entries;             //!< by start once started
    std::multimap<uint32_t, Entry> m_waiting; //!< by the flow they wait for
    std::size_t m_next{0};                    //!< first not yet sent
    bool m_running{false};                    //!< between start and stop
    EventId m_event;                          //!< of m_next
};

} // namespace ns3

#endif // RDMA_CLIENT_H
