// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "scheme-presets.h"

#include "ns3/abort.h"
#include "ns3/congestion-detector.h"
#include "ns3/input-error.h"
#include "ns3/object-factory.h"

#include <utility>

namespace ns3
{

namespace
{

Scheme
None()
{
    Scheme scheme;
    scheme.name = "none";
    scheme.description = "line rate, flow control alone";
    scheme.controller = "ns3::RateController";
    scheme.rdmaSettings = {{"SendCnp", "false"}};
    return scheme;
}

Scheme
DcqcnSigcomm15()
{
    Scheme scheme;
    scheme.name = "dcqcn:sigcomm15";
    scheme.description = "DCQCN with the values of its SIGCOMM 2015 paper";
    scheme.detector = "ns3::EcnDetector";
    scheme.detectorSettings = {
        {"Kmin", "5000"},
        {"Kmax", "200000"},
        {"Pmax", "0.01"},
        {"ReferenceRate", "0b/s"},
    };
    scheme.controller = "ns3::Dcqcn";
    scheme.controllerSettings = {
        {"Variant", "Paper"},
        {"InitialAlpha", "1"},
        {"Gain", "0.00390625"},
        {"AlphaTimer", "55us"},
        {"IncreaseTimer", "55us"},
        {"ByteCounter", "10000000"},
        {"FastRecoveryStages", "5"},
        {"AdditiveIncrease", "40Mb/s"},
        {"HyperIncrease", "200Mb/s"},
        {"ReferenceRate", "0b/s"},
        {"MinRate", "100Mb/s"},
        {"ClampTargetRate", "true"},
        {"HoldInterval", "50us"},
    };
    scheme.rdmaSettings = {{"SendCnp", "true"}, {"CnpInterval", "50us"}};
    return scheme;
}

Scheme
DcqcnHpcc()
{
    Scheme scheme;
    scheme.name = "dcqcn:hpcc";
    scheme.description = "DCQCN with the values of HPCC's simulator, scaled with the line rate";
    scheme.detector = "ns3::EcnDetector";
    scheme.detectorSettings = {
        {"Kmin", "100000"},
        {"Kmax", "400000"},
        {"Pmax", "0.2"},
        {"ReferenceRate", "25Gb/s"},
    };
    scheme.controller = "ns3::Dcqcn";
    scheme.controllerSettings = {
        {"Variant", "Adapter"},
        {"InitialAlpha", "1"},
        {"Gain", "0.00390625"},
        {"AlphaTimer", "1us"},
        {"IncreaseTimer", "300us"},
        {"DecreaseInterval", "4us"},
        {"FastRecoveryStages", "1"},
        {"AdditiveIncrease", "5Mb/s"},
        {"HyperIncrease", "50Mb/s"},
        {"ReferenceRate", "25Gb/s"},
        {"MinRate", "1000Mb/s"},
        {"ClampTargetRate", "false"},
        {"HoldInterval", "4us"},
    };
    scheme.rdmaSettings = {{"SendCnp", "true"}, {"CnpInterval", "500ns"}};
    return scheme;
}

/// Changes one value of a list that has it.
void
Set(std::vector<Scheme::Setting>& settings, const std::string& attribute, const std::string& value)
{
    for (Scheme::Setting& setting : settings)
    {
        if (setting.attribute == attribute)
        {
            setting.value = value;
            return;
        }
    }
    NS_ABORT_MSG("no setting " << attribute);
}

Scheme
DcqcnTcd21()
{
    Scheme scheme = DcqcnSigcomm15();
    scheme.name = "dcqcn:tcd21";
    scheme.description = "DCQCN as the TCD paper compares with: initial alpha 0.5";
    Set(scheme.controllerSettings, "InitialAlpha", "0.5");
    scheme.controllerSettings.push_back({"AlphaBeforeCut", "true"});
    return scheme;
}

Scheme
DcqcnTcd()
{
    Scheme scheme = DcqcnTcd21();
    scheme.name = "dcqcn+tcd";
    scheme.description = "DCQCN over ternary congestion detection: UE holds, initial alpha 1.2";
    scheme.detector = "ns3::TcdDetector";
    scheme.detectorSettings.push_back({"Epsilon", "0.05"});
    Set(scheme.controllerSettings, "InitialAlpha", "1.2");
    scheme.controllerSettings.push_back({"HoldOnUndetermined", "true"});
    return scheme;
}

Scheme
DcqcnNpEcn()
{
    Scheme scheme = DcqcnTcd21();
    scheme.name = "dcqcn+npecn";
    scheme.description = "DCQCN as dcqcn:tcd21 over NP-ECN, the marking of PCN";
    scheme.detector = "ns3::NpEcnDetector";
    scheme.detectorSettings = {{"Threshold", "200000"}};
    return scheme;
}

Scheme
PcnNsdi20()
{
    Scheme scheme;
    scheme.name = "pcn";
    scheme.description = "PCN: NP-ECN marks, the receiver tells its rate each 50 us";
    scheme.detector = "ns3::NpEcnDetector";
    scheme.detectorSettings = {{"Threshold", "200000"}};
    scheme.controller = "ns3::Pcn";
    scheme.controllerSettings = {{"WMin", "0.0078125"}, {"WMax", "0.5"}};
    scheme.rdmaSettings = {
        {"SendCnp", "true"},
        {"CnpRule", "ReceiveRate"},
        {"CnpInterval", "50us"},
        {"MarkedShare", "0.95"},
    };
    return scheme;
}

Scheme
TimelySigcomm15()
{
    Scheme scheme;
    scheme.name = "timely";
    scheme.description = "TIMELY with the values of its SIGCOMM 2015 paper";
    scheme.controller = "ns3::Timely";
    scheme.controllerSettings = {
        {"Variant", "Gradient"},
        {"EwmaGain", "0.875"},
        {"Beta", "0.8"},
        {"TLow", "50us"},
        {"THigh", "500us"},
        {"MinRtt", "20us"},
        {"AdditiveIncrease", "10Mb/s"},
        {"ReferenceRate", "10Gb/s"},
        {"HaiThreshold", "5"},
        {"HaiFactor", "5"},
        {"Segment", "16000"},
        {"HalfCap", "true"},
        {"ScaleWithTime", "false"},
        {"HaiByDifference", "false"},
        {"MinRate", "100Mb/s"},
    };
    scheme.rdmaSettings = {{"SendCnp", "false"}};
    return scheme;
}

/**
 * @param name of the result
 * @param over whose controller keeps the rate
 * @returns Mercury over it
 */
Scheme
Mercury(const std::string& name, const Scheme& over)
{
    Scheme scheme;
    scheme.name = name;
    scheme.description = "Mercury: the switch sends windows, " + over.name + " keeps the rate";
    scheme.detector = "ns3::MercuryDetector";
    scheme.detectorSettings = {
        {"Threshold", "200000"},
        {"ReferenceRate", "40Gb/s"},
        {"XoffShare", "0.5"},
        {"Period", "10us"},
        {"CnpInterval", "50us"},
        {"FlowKey", "SourceDestination"},
    };
    scheme.controller = "ns3::MercuryWindow";
    scheme.controllerSettings = {
        {"Controller", FactoryText(over.controller, over.controllerSettings)},
        {"RestoreInterval", "55us"},
    };
    // No frame is marked; the CNPs are the switches'.
    scheme.rdmaSettings = over.rdmaSettings;
    Set(scheme.rdmaSettings, "SendCnp", "false");
    return scheme;
}

Scheme
PaccInfocom22()
{
    Scheme scheme;
    scheme.name = "pacc";
    scheme.description = "PACC with own parameters: the switch's PI controller sends DCQCN's CNPs";
    scheme.detector = "ns3::PaccDetector";
    scheme.detectorSettings = {
        {"Period", "80us"},
        {"CnpInterval", "50us"},
        {"QueueReference", "100000"},
        {"ReferenceRate", "40Gb/s"},
        {"XoffShare", "0.5"},
        {"Alpha", "0.125"},
        {"Beta", "1.25"},
        {"Theta", "0.5"},
    };
    scheme.controller = "ns3::Dcqcn";
    scheme.controllerSettings = DcqcnSigcomm15().controllerSettings;
    // No frame is marked; the CNPs are the switches'.
    scheme.rdmaSettings = {{"SendCnp", "false"}};
    return scheme;
}

Scheme
RoccConext20()
{
    Scheme scheme;
    scheme.name = "rocc";
    scheme.description = "RoCC: the switch's PI controller tells the fair rate each 40 us";
    scheme.detector = "ns3::RoccDetector";
    scheme.detectorSettings = {
        {"Interval", "40us"},
        {"QueueReference", "0"},
        {"MidThreshold", "0"},
        {"MaxThreshold", "0"},
        {"QueueUnit", "600"},
        {"Alpha", "0.3"},
        {"Beta", "1.5"},
        {"MinRate", "100Mb/s"},
    };
    scheme.controller = "ns3::Rocc";
    scheme.controllerSettings = {{"RecoveryTimer", "100us"}};
    scheme.rdmaSettings = {{"SendCnp", "false"}};
    return scheme;
}

/// @returns a scheme of layer 2: the ports of hosts limit rates, their connections do not
Scheme
Layer2(const std::string& name, const std::string& prefix, const std::string& description)
{
    Scheme scheme;
    scheme.name = name;
    scheme.description = description;
    scheme.detector = "ns3::" + prefix + "Detector";
    scheme.controller = "ns3::RateController";
    scheme.reactionPoint = "ns3::" + prefix + "ReactionPoint";
    scheme.rdmaSettings = {{"SendCnp", "false"}};
    return scheme;
}

Scheme
Ecm07()
{
    Scheme scheme =
        Layer2("ecm", "Ecm", "ECM: rate limiters in the hosts' ports, told by sampled queues");
    scheme.detectorSettings = {
        {"Qeq", "24000"},
        {"Qmc", "0"},
        {"Qsc", "0"},
        {"QscShare", "0.8"},
        {"FixedInterval", "100500"},
        {"RandomInterval", "64000"},
        {"Sscale", "4"},
        {"W", "2"},
    };
    scheme.reactionPointSettings = {
        {"W", "2"},
        {"Gi", "0"},
        {"Gd", "0"},
        {"Qeq", "24000"},
        {"Ru", "1Mb/s"},
        {"Alpha", "0.5"},
        {"Beta", "0.1"},
        {"InitialShare", "0.25"},
        {"MinRate", "100Mb/s"},
        {"MaxTimeout", "10us"},
        {"IncreaseInterval", "1ms"},
        {"IncreaseRate", "1Mb/s"},
        {"Limiters", "64"},
    };
    return scheme;
}

Scheme
Qcn8021Qau()
{
    Scheme scheme = Layer2("qcn",
                           "Qcn",
                           "QCN (802.1Qau) with its MIB's defaults: limiters in the hosts' ports");
    scheme.detectorSettings = {
        {"Qeq", "26000"},
        {"Weight", "1"},
        {"SampleBase", "150000"},
        {"Jitter", "0.15"},
        {"HeaderOctets", "0"},
    };
    scheme.reactionPointSettings = {
        {"TimeReset", "15ms"},
        {"ByteReset", "150000"},
        {"Threshold", "5"},
        {"AiRate", "5Mb/s"},
        {"HaiRate", "50Mb/s"},
        {"Gd", "0.0078125"},
        {"MinDecFac", "0.5"},
        {"MinRate", "5Mb/s"},
        {"Limiters", "64"},
    };
    return scheme;
}

Scheme
IbCcGran()
{
    Scheme scheme;
    scheme.name = "ibcc";
    scheme.description = "InfiniBand's congestion control: FECN, and delays by CCTI at the sender";
    scheme.detector = "ns3::FecnDetector";
    scheme.detectorSettings = {{"Threshold", "50000"}};
    scheme.controller = "ns3::IbCc";
    scheme.controllerSettings = {
        {"CctiIncrease", "1"},
        {"CctiLimit", "127"},
        {"CctiMin", "0"},
        {"CctiTimer", "150"},
        {"HoldOnUndetermined", "false"}, // there is no UE
    };
    // Acknowledgements bring BECN back.
    scheme.rdmaSettings = {{"SendCnp", "false"}, {"AckInterval", "1"}};
    return scheme;
}

Scheme
IbCcTcd()
{
    Scheme scheme = IbCcGran();
    scheme.name = "ibcc+tcd";
    scheme.description = "IB CC over ternary congestion detection: UE holds, CCTI rises by 2";
    scheme.detector = "ns3::TcdDetector";
    scheme.detectorSettings = {
        {"Kmin", "50000"},
        {"Kmax", "50000"},
        {"Pmax", "1"},
        {"Epsilon", "0.05"},
    };
    Set(scheme.controllerSettings, "CctiIncrease", "2");
    Set(scheme.controllerSettings, "HoldOnUndetermined", "true");
    return scheme;
}

Scheme
HpccSigcomm19()
{
    Scheme scheme;
    scheme.name = "hpcc";
    scheme.description = "HPCC with the values of its SIGCOMM 2019 paper";
    scheme.detector = "ns3::IntTelemetry";
    scheme.controller = "ns3::Hpcc";
    scheme.controllerSettings = {
        {"Eta", "0.95"},
        {"MaxStage", "5"},
        {"AdditiveIncrease", "0"},
        {"Flows", "100"},
        {"BaseRtt", "0s"},
        {"MinRate", "100Mb/s"},
    };
    // HPCC's acknowledgements are in the data's priority, and its ports count them.
    scheme.rdmaSettings = {{"SendCnp", "false"}, {"Telemetry", "true"}, {"AckPriority", "-1"}};
    return scheme;
}

/**
 * Santos, Turner and Janakiraman, GLOBECOM 2002.
 * @param marking name of the marking of packets
 * @param detector does it
 * @param detectorSettings its values
 * @param response name of the source response
 * @param controller is it
 * @returns the one with the other
 */
Scheme
Marking(const std::string& marking,
        const std::string& detector,
        const std::vector<Scheme::Setting>& detectorSettings,
        const std::string& response,
        const std::string& controller)
{
    Scheme scheme;
    scheme.name = marking + "+" + response;
    scheme.description = marking + (marking == "naive" ? "" : "-triggered") +
                         " marking of 2002, for InfiniBand, and the source response " +
                         controller.substr(controller.rfind(':') + 1);
    scheme.detector = detector;
    scheme.detectorSettings = detectorSettings;
    scheme.controller = controller;
    scheme.controllerSettings = {{"MinRateDivisor", "256"}};
    if (response != "lipd")
    {
        scheme.controllerSettings.push_back({"Factor", "2"});
    }
    // Each packet is acknowledged, and its mark comes back with the acknowledgement.
    scheme.rdmaSettings = {{"SendCnp", "false"}, {"AckInterval", "1"}};
    return scheme;
}

/// @returns each marking with each source response
std::vector<Scheme>
Markings()
{
    std::vector<Scheme> schemes;
    for (const auto& [response, controller] :
         {std::pair{"lipd", "ns3::Lipd"}, {"fimd", "ns3::Fimd"}, {"aimd", "ns3::Aimd"}})
    {
        schemes.push_back(Marking("naive", "ns3::NaiveMarkingDetector", {}, response, controller));
        schemes.push_back(Marking("input", "ns3::InputMarkingDetector", {}, response, controller));
        schemes.push_back(Marking("input-output",
                                  "ns3::InputOutputMarkingDetector",
                                  {{"OutputThreshold", "8"}},
                                  response,
                                  controller));
    }
    return schemes;
}

std::vector<Scheme>
MakeSchemes()
{
    Scheme dcqcn = DcqcnSigcomm15();
    dcqcn.name = "dcqcn";

    Scheme sigcomm15 = DcqcnSigcomm15();
    sigcomm15.aliasOf = dcqcn.name;
    sigcomm15.description = "the same as " + dcqcn.name;

    Scheme snippet = TimelySigcomm15();
    snippet.name = "timely:snippet";
    snippet.description = "TIMELY with structure and values of its authors' code snippet";
    Set(snippet.controllerSettings, "EwmaGain", "0.02");
    Set(snippet.controllerSettings, "THigh", "1ms");
    Set(snippet.controllerSettings, "MinRtt", "0s");
    Set(snippet.controllerSettings, "ScaleWithTime", "true");
    Set(snippet.controllerSettings, "HaiByDifference", "true");

    Scheme patched = TimelySigcomm15();
    patched.name = "timely:patched";
    patched.description = "patched TIMELY of Zhu et al., CoNEXT 2016";
    Set(patched.controllerSettings, "Variant", "Patched");
    Set(patched.controllerSettings, "Beta", "0.008");

    Scheme timelyTcd = TimelySigcomm15();
    timelyTcd.name = "timely+tcd";
    timelyTcd.description = "TIMELY over ternary congestion detection: UE holds, beta 1.6";
    timelyTcd.detector = "ns3::TcdDetector";
    timelyTcd.detectorSettings = DcqcnTcd().detectorSettings;
    Set(timelyTcd.controllerSettings, "Beta", "1.6");
    timelyTcd.controllerSettings.push_back({"HoldOnUndetermined", "true"});

    Scheme hpccSimulator = HpccSigcomm19();
    hpccSimulator.name = "hpcc:simulator";
    hpccSimulator.description = "HPCC without additive stages, as its public simulator is run";
    Set(hpccSimulator.controllerSettings, "MaxStage", "0");

    return {None(),
            dcqcn,
            sigcomm15,
            DcqcnHpcc(),
            DcqcnTcd21(),
            DcqcnTcd(),
            DcqcnNpEcn(),
            PcnNsdi20(),
            TimelySigcomm15(),
            snippet,
            patched,
            timelyTcd,
            IbCcGran(),
            IbCcTcd(),
            HpccSigcomm19(),
            hpccSimulator,
            PaccInfocom22(),
            RoccConext20(),
            Ecm07(),
            Qcn8021Qau(),
            Mercury("mercury", DcqcnSigcomm15()),
            Mercury("mercury+timely", TimelySigcomm15()),
            Mercury("mercury+hpcc", HpccSigcomm19())};
}

} // namespace

const std::vector<Scheme>&
Schemes()
{
    static const std::vector<Scheme> schemes = [] {
        std::vector<Scheme> all = MakeSchemes();
        const std::vector<Scheme> markings = Markings();
        all.insert(all.end(), markings.begin(), markings.end());
        return all;
    }();
    return schemes;
}

std::string
SchemeNames()
{
    std::string list;
    for (const Scheme& scheme : Schemes())
    {
        list += (list.empty() ? "" : ", ") + scheme.name;
    }
    return list;
}

const Scheme&
FindScheme(const std::string& name)
{
    std::vector<std::string> names;
    for (const Scheme& scheme : Schemes())
    {
        if (scheme.name == name)
        {
            return scheme;
        }
        names.push_back(scheme.name);
    }
    ThrowUnknownName("scheme", name, names);
}

bool
NeedsInputBuffers(const Scheme& scheme)
{
    return !scheme.detector.empty() &&
           ObjectFactory(scheme.detector).Create<CongestionDetector>()->SeesInputs();
}

} // namespace ns3
