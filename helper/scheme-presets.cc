// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "scheme-presets.h"

#include "ns3/input-error.h"

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
        {"Machine", "Paper"},
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
        {"Machine", "Adapter"},
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

std::vector<Scheme>
MakeSchemes()
{
    Scheme dcqcn = DcqcnSigcomm15();
    dcqcn.name = "dcqcn";
    dcqcn.description = "the same as dcqcn:sigcomm15";
    return {None(), dcqcn, DcqcnSigcomm15(), DcqcnHpcc()};
}

} // namespace

const std::vector<Scheme>&
Schemes()
{
    static const std::vector<Scheme> schemes = MakeSchemes();
    return schemes;
}

const Scheme&
FindScheme(const std::string& name)
{
    std::vector<std::string> names;
    std::string list;
    for (const Scheme& scheme : Schemes())
    {
        if (scheme.name == name)
        {
            return scheme;
        }
        names.push_back(scheme.name);
        list += (list.empty() ? "" : ", ") + scheme.name;
    }
    const std::string nearest = NearestName(name, names);
    throw InputError("scheme",
                     "'" + name + "'",
                     "one of " + list +
                         (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
}

} // namespace ns3
