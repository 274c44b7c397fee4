// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "mercury-window.h"

#include "ns3/attribute-text.h"
#include "ns3/dcqcn.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MercuryWindow");

NS_OBJECT_ENSURE_REGISTERED(MercuryWindow);

TypeId
MercuryWindow::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MercuryWindow")
            .SetParent<RateController>()
            .SetGroupName("Lossless")
            .AddConstructor<MercuryWindow>()
            .AddAttribute(
                "Controller",
                "Keeps the rate, with its attributes, such as ns3::Dcqcn[Gain=0.0625]",
                // Not by its name alone, which may not be registered yet.
                ObjectFactoryValue(ObjectFactory(Dcqcn::GetTypeId().GetName())),
                MakeObjectFactoryAccessor(&MercuryWindow::SetFactory, &MercuryWindow::GetFactory),
                // Within itself it would have no end.
                MakeClassChecker<RateController>("ns3::MercuryWindow::Controller",
                                                 "ns3::MercuryWindow"))
            .AddAttribute("RestoreInterval",
                          "Time without a CNP after which an increase of the rate opens the window",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&MercuryWindow::m_restoreInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("BaseRtt",
                          "Base round-trip time of all flows. 0: that of each flow's path",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MercuryWindow::m_baseRttSetting),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
MercuryWindow::SetFactory(ObjectFactory factory)
{
    m_factory = factory;
    m_controller = factory.Create<RateController>();
}

ObjectFactory
MercuryWindow::GetFactory() const
{
    return m_factory;
}

Ptr<const RateController>
MercuryWindow::GetController() const
{
    return m_controller;
}

Ptr<RateController>
MercuryWindow::Fork() const
{
    Ptr<MercuryWindow> copy = CopyObject<MercuryWindow>(Ptr<const MercuryWindow>(this));
    copy->m_controller = m_controller->Fork();
    return copy;
}

void
MercuryWindow::DoStart(Time now)
{
    m_controller->Start(m_lineRateBps, m_baseRtt, m_frameBytes, now);
    const Time baseRtt = m_baseRttSetting.IsZero() ? m_baseRtt : m_baseRttSetting;
    if (baseRtt.IsStrictlyPositive())
    {
        m_wholeWindow = WindowOf(
            std::ceil(static_cast<double>(m_lineRateBps) * baseRtt.GetNanoSeconds() / 8e9));
    }
    m_cwnd = m_wholeWindow;
    m_rateBps = m_controller->GetRateBps();
    m_windowBytes = std::min(m_cwnd, m_controller->GetWindowBytes());
}

void
MercuryWindow::OnAck(const Acknowledgement& ack, Time now)
{
    m_controller->OnAck(ack, now);
    TakeOver(false, now);
}

void
MercuryWindow::OnCnp(const Cnp& cnp, Time now)
{
    m_controller->OnCnp(cnp, now);
    if (cnp.code != CodePoint::CAPABLE)
    {
        m_lastCnp = now;
        if (cnp.windowBytes > 0)
        {
            m_cwnd = std::min<uint64_t>(m_cwnd, cnp.windowBytes);
        }
    }
    TakeOver(false, now);
}

void
MercuryWindow::OnSend(Frame& frame, uint32_t wireBytes, Time now)
{
    m_controller->OnSend(frame, wireBytes, now);
    TakeOver(false, now);
}

Time
MercuryWindow::NextTimer() const
{
    return m_controller->NextTimer();
}

void
MercuryWindow::OnTimer(Time now)
{
    m_controller->OnTimer(now);
    TakeOver(true, now);
}

void
MercuryWindow::TakeOver(bool timer, Time now)
{
    const double rateBps = m_controller->GetRateBps();
    const bool increase = rateBps > m_rateBps || rateBps >= static_cast<double>(m_lineRateBps) ||
                          (timer && rateBps == m_rateBps);
    m_rateBps = rateBps;
    if (increase && m_cwnd < m_wholeWindow && now - m_lastCnp >= m_restoreInterval)
    {
        NS_LOG_LOGIC(now << " window " << m_cwnd << " -> " << m_wholeWindow << " B");
        m_cwnd = m_wholeWindow;
    }
    m_windowBytes = std::min(m_cwnd, m_controller->GetWindowBytes());
}

} // namespace ns3
