// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "flow-size-distribution.h"

#include "ns3/input-error.h"
#include "ns3/input-file.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

FlowSizeDistribution::FlowSizeDistribution(std::vector<Point> points)
    : m_points(std::move(points))
{
}

FlowSizeDistribution
FlowSizeDistribution::FromFile(const std::string& path)
{
    InputFile file(path, "a CDF of flow sizes (lines of: size_bytes probability)");
    std::vector<Point> points;
    // Beyond 2^53 a double no longer holds every whole number of bytes.
    const double maxBytes = 9007199254740992.0;
    while (file.NextLine())
    {
        file.RequireFields(2, "size_bytes probability");
        const std::string& size = file.GetFields()[0];
        const std::string& probability = file.GetFields()[1];
        const Point point{file.GetReal(0, "size", 0.0, maxBytes),
                          file.GetReal(1, "probability", 0.0, 1.0)};
        if (!points.empty() && point.bytes < points.back().bytes)
        {
            file.Fail("size " + size + " below the size of the line before",
                      "sizes that do not decrease");
        }
        if (!points.empty() && point.probability < points.back().probability)
        {
            file.Fail("probability " + probability + " below that of the line before",
                      "probabilities that do not decrease");
        }
        points.push_back(point);
    }
    if (points.empty())
    {
        throw InputError(path, 0, "no points", "lines of: size_bytes probability");
    }
    if (points.back().probability != 1.0)
    {
        throw InputError(path,
                         file.GetLine(),
                         "the end of the CDF below probability 1",
                         "1 as the last probability");
    }
    if (points.back().bytes < 1.0)
    {
        throw InputError(path, file.GetLine(), "no flow size above 0", "a largest size above 0");
    }
    FlowSizeDistribution distribution(std::move(points));
    if (!(distribution.Mean() > 0))
    {
        throw InputError(path, file.GetLine(), "flows of 0 bytes alone", "a mean above 0");
    }
    return distribution;
}

FlowSizeDistribution
FlowSizeDistribution::FromSize(uint64_t bytes)
{
    if (bytes == 0)
    {
        throw InputError("flow size", "0", "at least 1 byte");
    }
    return FlowSizeDistribution({{static_cast<double>(bytes), 1.0}});
}

double
FlowSizeDistribution::Mean() const
{
    double mean = m_points.front().bytes * m_points.front().probability;
    for (std::size_t i = 1; i < m_points.size(); ++i)
    {
        const Point& a = m_points[i - 1];
        const Point& b = m_points[i];
        mean += (b.probability - a.probability) * (a.bytes + b.bytes) / 2.0;
    }
    return mean;
}

double
FlowSizeDistribution::Quantile(double u) const
{
    const auto b = std::lower_bound(
        m_points.begin(),
        m_points.end(),
        u,
        [](const Point& point, double probability) { return point.probability < probability; });
    if (b == m_points.begin())
    {
        return b->bytes;
    }
    if (b == m_points.end())
    {
        return m_points.back().bytes;
    }
    const auto a = b - 1;
    return a->bytes +
           (b->bytes - a->bytes) * (u - a->probability) / (b->probability - a->probability);
}

double
FlowSizeDistribution::Cdf(double bytes) const
{
    const auto b =
        std::upper_bound(m_points.begin(),
                         m_points.end(),
                         bytes,
                         [](double size, const Point& point) { return size < point.bytes; });
    if (b == m_points.begin())
    {
        return 0.0;
    }
    if (b == m_points.end())
    {
        return 1.0;
    }
    const auto a = b - 1;
    return a->probability +
           (b->probability - a->probability) * (bytes - a->bytes) / (b->bytes - a->bytes);
}

uint64_t
FlowSizeDistribution::Sample(const Ptr<UniformRandomVariable>& random) const
{
    const double bytes = Quantile(random->GetValue(0.0, 1.0));
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(bytes)));
}

} // namespace ns3
