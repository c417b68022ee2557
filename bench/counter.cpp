#include "counter.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace girih::bench {

namespace {

struct Moment {
    std::chrono::steady_clock::time_point time;
    std::uint64_t ticks;
};

/// The counter and the clock at one moment: the closest pair of several, in case the thread is interrupted
/// between.
Moment this_moment()
{
    Moment closest{};
    std::uint64_t least = UINT64_MAX;
    for (int attempt = 0; attempt < 32; ++attempt) {
        const std::uint64_t before = Counter::start();
        const auto time = std::chrono::steady_clock::now();
        const std::uint64_t after = Counter::stop();
        if (after - before >= least) continue;
        least = after - before;
        closest = {time, before + least / 2};
    }
    return closest;
}

double measured_rate()
{
    using namespace std::chrono_literals;
    const Moment begin = this_moment();
    std::this_thread::sleep_for(100ms);
    const Moment end = this_moment();
    const std::chrono::duration<double> seconds = end.time - begin.time;
    return static_cast<double>(end.ticks - begin.ticks) / seconds.count();
}

}  // namespace

double ticks_per_second()
{
    static const double rate = measured_rate();
    return rate;
}

std::uint64_t empty_measurement()
{
    std::uint64_t least = UINT64_MAX;
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const std::uint64_t begin = Counter::start();
        least = std::min(least, Counter::stop() - begin);
    }
    return least;
}

}  // namespace girih::bench
