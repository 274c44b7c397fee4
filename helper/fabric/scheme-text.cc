// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Schemes as text: classes with their attributes in one value, and all presets as JSON.

#include "scheme-presets.h"

#include "ns3/attribute-text.h"
#include "ns3/json-writer.h"

#include <ostream>

namespace ns3
{

namespace
{

/// Writes a part of a scheme, or null if it has none.
void
WritePart(JsonWriter& json, const std::string& type, const std::vector<Scheme::Setting>& settings)
{
    if (type.empty() && settings.empty())
    {
        json.Null();
        return;
    }
    json.BeginObject();
    if (!type.empty())
    {
        json.Member("type", type);
    }
    for (const Scheme::Setting& setting : settings)
    {
        json.Key(setting.attribute);
        json.ValueFromText(setting.value);
    }
    json.EndObject();
}

} // namespace

std::string
FactoryText(const std::string& type, const std::vector<Scheme::Setting>& settings)
{
    std::string text = type + "[";
    for (const Scheme::Setting& setting : settings)
    {
        text += (text.back() == '[' ? "" : "|") + setting.attribute + "=" + setting.value;
    }
    return text + "]";
}

bool
ReadFactory(const std::string& text, std::string& type, std::vector<Scheme::Setting>& settings)
{
    std::vector<NamedText> found;
    if (text.find('[') == std::string::npos || !ReadClassText(text, type, found))
    {
        return false;
    }
    settings.clear();
    for (const auto& [name, value] : found)
    {
        settings.push_back({name, value});
    }
    return true;
}

void
WriteSchemes(std::ostream& out)
{
    JsonWriter json(out);
    json.BeginArray();
    for (const Scheme& scheme : Schemes())
    {
        json.BeginObject();
        json.Member("name", scheme.name);
        json.Key("alias_of");
        if (scheme.aliasOf.empty())
        {
            json.Null();
        }
        else
        {
            json.Value(scheme.aliasOf);
        }
        json.Member("description", scheme.description);
        json.Member("input_buffers", NeedsInputBuffers(scheme));
        json.Key("detector");
        WritePart(json, scheme.detector, scheme.detectorSettings);
        json.Key("controller");
        WritePart(json, scheme.controller, scheme.controllerSettings);
        json.Key("reaction_point");
        WritePart(json, scheme.reactionPoint, scheme.reactionPointSettings);
        json.Key("rdma");
        WritePart(json, "", scheme.rdmaSettings);
        json.EndObject();
    }
    json.EndArray();
}

} // namespace ns3
