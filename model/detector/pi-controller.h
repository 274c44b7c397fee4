// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef PI_CONTROLLER_H
#define PI_CONTROLLER_H

#include <algorithm>

namespace ns3
{

/**
 * A bounded proportional-integral controller in incremental form,
 *
 *     y += alpha (x - reference) + beta (x - previous x)
 *
 * as switches use it on their queue (RoCC, PACC, PIE). Since only y is kept, a bound that was
 * reached holds nothing back afterwards.
 * @ingroup lossless
 */
class PiController
{
  public:
    /**
     * @param minimum of the output
     * @param maximum of the output
     * @param output to begin with, after an input of 0
     */
    PiController(double minimum = 0, double maximum = 1, double output = 0)
        : m_minimum(minimum),
          m_maximum(maximum),
          m_output(output)
    {
    }

    /**
     * One step.
     * @param input x
     * @param reference where x is to settle
     * @param alpha gain of the distance to it; negative where the output makes the input grow
     * @param beta gain of the change since the last step
     * @returns the output
     */
    double Step(double input, double reference, double alpha, double beta)
    {
        return Override(input,
                        m_output + alpha * (input - reference) + beta * (input - m_previous));
    }

    /**
     * A step whose output something else decides.
     * @param input x
     * @param output y, bounded here
     * @returns the output
     */
    double Override(double input, double output)
    {
        m_previous = input;
        m_output = std::min(m_maximum, std::max(m_minimum, output));
        return m_output;
    }

    /// @returns the output of the last step
    double GetOutput() const
    {
        return m_output;
    }

    /// @returns the input of the last step
    double GetInput() const
    {
        return m_previous;
    }

  private:
    double m_minimum;     //!< of the output
    double m_maximum;     //!< of the output
    double m_output;      //!< y
    double m_previous{0}; //!< x of the last step
};

} // namespace ns3

#endif // PI_CONTROLLER_H
