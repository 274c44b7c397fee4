// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FUZZ_H
#define LOSSLESS_FUZZ_H

#include "ns3/nstime.h"
#include "ns3/study-options.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

/**
 * @file
 * What the fuzzers share: random choices that are the same on every machine, and the loop over the
 * cases. A case is a function of its seed: case number i of --seed=S is case 0 of --seed=S+i, so a
 * failure is run alone by --seed=ITS_SEED --cases=1.
 */

namespace ns3
{
namespace losslessfuzz
{

/// A property that does not hold.
class Violation : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @param holds the property
 * @param parts what to say if it does not, printed one after the other
 */
template <typename... Parts>
void
Require(bool holds, const Parts&... parts)
{
    if (!holds)
    {
        std::ostringstream text;
        (text << ... << parts);
        throw Violation(text.str());
    }
}

/// Random choices; std's distributions would differ between libraries.
class Random
{
  public:
    /// @param seed of the case
    explicit Random(uint64_t seed)
        : m_engine(seed)
    {
    }

    /// @returns 64 random bits
    uint64_t Bits()
    {
        return m_engine();
    }

    /**
     * @param min smallest
     * @param max largest
     * @returns a whole number
     */
    uint64_t Whole(uint64_t min, uint64_t max)
    {
        const uint64_t span = max - min + 1;
        return span == 0 ? Bits() : min + Bits() % span;
    }

    /**
     * @param min smallest, above 0
     * @param max largest
     * @returns a whole number, each order of magnitude as often
     */
    uint64_t Size(uint64_t min, uint64_t max)
    {
        const double exponent = Real() * std::log2(static_cast<double>(max) / min);
        return std::clamp(static_cast<uint64_t>(min * std::exp2(exponent)), min, max);
    }

    /// @returns a number of at least 0 and below 1
    double Real()
    {
        return static_cast<double>(Bits() >> 11) * 0x1p-53;
    }

    /**
     * @param probability 0..1
     * @returns whether it happens
     */
    bool Chance(double probability)
    {
        return Real() < probability;
    }

    /**
     * @param choices at least one
     * @returns one of them
     */
    template <typename Choices>
    auto Pick(const Choices& choices) -> decltype(*std::begin(choices))
    {
        return *std::next(std::begin(choices), Whole(0, std::size(choices) - 1));
    }

    /**
     * @param first of the choices
     * @param rest of them
     * @returns one of them
     */
    template <typename T, typename... Rest>
    T Choose(const T& first, const Rest&... rest)
    {
        return Pick(std::vector<T>{first, static_cast<T>(rest)...});
    }

  private:
    std::mt19937_64 m_engine; //!< the standard fixes its numbers
};

/// Runs cases and tells of those that fail.
class Fuzzer
{
  public:
    /**
     * @param random source of the case
     * @returns what kind of case it was, for the figures
     * @throws Violation or anything else if it failed
     */
    using Case = std::function<std::string(Random& random)>;

    /**
     * @param name of the program
     * @param usage first paragraph of --help
     * @param runCase one case
     */
    Fuzzer(const std::string& name, const std::string& usage, Case runCase)
        : m_name(name),
          m_options(name, usage),
          m_case(std::move(runCase))
    {
    }

    /// @returns the options, for those of this fuzzer alone
    StudyOptions& GetOptions()
    {
        return m_options;
    }

    /**
     * @param argc number of arguments
     * @param argv arguments
     * @returns the exit code: 1 if a case failed
     */
    int Main(int argc, char* argv[])
    {
        uint32_t cases = 1000;
        uint32_t seed = 1;
        uint32_t limit = 60;
        Time time;
        m_options.AddCount("cases", "Number of cases, at most", cases, 1);
        m_options.AddCount("seed", "Seed of the first case; the next has the next", seed);
        m_options.AddTime("time",
                          "Wall-clock time after which no case begins; 0s for all",
                          time,
                          true);
        m_options.AddCount("limit", "Seconds that a case may take", limit, 1);
        try
        {
            m_options.Parse(argc, argv);
        }
        catch (const std::exception& error)
        {
            std::cerr << "error: " << error.what() << std::endl;
            return 1;
        }
        WatchSignals();
        const auto start = std::chrono::steady_clock::now();
        uint32_t failed = 0;
        uint32_t ran = 0;
        for (; ran < cases && failed < MOST_FAILURES; ran++)
        {
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
            if (!time.IsZero() && spent.count() >= time.GetSeconds())
            {
                break;
            }
            SayBefore(seed + ran);
            alarm(limit);
            try
            {
                Random random(seed + ran);
                m_kinds[m_case(random)]++;
            }
            catch (const std::exception& error)
            {
                failed++;
                std::cout << Current() << error.what() << std::endl;
            }
            alarm(0);
        }
        for (const auto& [kind, count] : m_kinds)
        {
            std::cout << count << ' ' << kind << '\n';
        }
        std::cout << ran << " cases from seed " << seed << ", " << failed << " failed" << std::endl;
        return failed ? 1 : 0;
    }

  private:
    /// Enough to see what is wrong.
    static constexpr uint32_t MOST_FAILURES = 20;

    /// @returns what runs now and how it is run alone, for a signal's handler to write
    static char* Current()
    {
        static char text[256];
        return text;
    }

    void SayBefore(uint32_t seed) const
    {
        std::snprintf(Current(),
                      256,
                      "FAIL %s --seed=%u --cases=1: ",
                      m_name.c_str(),
                      static_cast<unsigned>(seed));
    }

    /// A handler may do little else.
    static void Write(const char* text)
    {
        [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, text, std::strlen(text));
    }

    static void Signalled(int signal)
    {
        Write(Current());
        Write(signal == SIGALRM   ? "takes too long\n"
              : signal == SIGABRT ? "aborted\n"
                                  : "ended by a signal\n");
        std::signal(signal, SIG_DFL);
        raise(signal);
    }

    static void WatchSignals()
    {
        std::vector<int> signals{SIGALRM, SIGABRT};
#ifndef __SANITIZE_ADDRESS__ // which tells of the others itself, and then aborts
        signals.insert(signals.end(), {SIGSEGV, SIGBUS, SIGFPE, SIGILL});
#endif
        for (int signal : signals)
        {
            std::signal(signal, &Fuzzer::Signalled);
        }
    }

    std::string m_name;                      //!< of the program
    StudyOptions m_options;                  //!< command line
    Case m_case;                             //!< one case
    std::map<std::string, uint64_t> m_kinds; //!< number by kind
};

/// A file of the process that is overwritten by each case.
class ScratchFile
{
  public:
    ScratchFile()
        : m_path(Folder() + "/lossless-fuzz-" + std::to_string(getpid()))
    {
    }

    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    ~ScratchFile()
    {
        unlink(m_path.c_str());
    }

    /**
     * @param text becomes the content
     * @returns the file's path
     */
    const std::string& Write(const std::string& text)
    {
        std::ofstream file(m_path, std::ios::binary);
        file << text;
        file.close();
        Require(file.good(), "cannot write ", m_path);
        return m_path;
    }

  private:
    static std::string Folder()
    {
        // In memory where there is such a place.
        return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    }

    std::string m_path; //!< where it is
};

} // namespace losslessfuzz
} // namespace ns3

#endif // LOSSLESS_FUZZ_H
