#include "lab/measure/clock.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#if defined(__linux__)
#    include <ctime>

#    include <linux/perf_event.h>
#    include <sched.h>
#    include <sys/resource.h>
#    include <sys/syscall.h>
#    include <unistd.h>
#endif

namespace girih::lab {

namespace {

struct Moment {
    std::chrono::steady_clock::time_point time;
    std::uint64_t ticks;
};

/// The counter and the clock at one moment: the closest pair of several, in case the thread is
/// interrupted between.
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

/// Opens perf_event's count of the cycles that this thread spends in the program itself, which is
/// what an unprivileged program may know. The file that it is read from, or -1.
int open_cycle_event()
{
#if defined(__linux__)
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_CPU_CYCLES;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    const long file = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    std::uint64_t cycles = 0;
    if (file >= 0 && read(static_cast<int>(file), &cycles, sizeof cycles) == sizeof cycles && cycles > 0)
        return static_cast<int>(file);
    if (file >= 0) close(static_cast<int>(file));
#endif
    return -1;
}

template <class C>
std::uint64_t least_measurement()
{
    std::uint64_t least = UINT64_MAX;
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const std::uint64_t begin = C::start();
        least = std::min(least, C::stop() - begin);
    }
    return least;
}

}  // namespace

double ticks_per_second()
{
    static const double rate = measured_rate();
    return rate;
}

std::uint64_t empty_measurement() { return least_measurement<Counter>(); }

std::optional<int> last_core()
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return std::nullopt;
    for (std::size_t core = CPU_SETSIZE; core-- > 0;)
        if (CPU_ISSET(core, &set)) return static_cast<int>(core);
#endif
    return std::nullopt;
}

std::optional<int> stay_on_core(std::optional<int> core)
{
#if defined(__linux__)
    const int chosen = core ? *core : sched_getcpu();
    if (chosen < 0) return std::nullopt;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(chosen), &set);
    if (sched_setaffinity(0, sizeof set, &set) == 0) return chosen;
#endif
    return std::nullopt;
}

long interruptions()
{
#if defined(__linux__)
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
#else
    return 0;
#endif
}

CoreTime CoreTime::now()
{
    double on_core = 0;
#if defined(__linux__)
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    on_core = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#endif
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now().time_since_epoch();
    return {on_core, elapsed.count()};
}

void CycleCounter::choose(Source source)
{
    // Every time-stamp counter of today goes at one rate, near that of the core.
    const bool counts_cycles = Counter::name == "time-stamp counter";
    event_ = source == Source::usual && counts_cycles ? -1 : open_cycle_event();
}

std::string CycleCounter::name()
{
    if (event_ >= 0) return "perf_event's cycles of the core, outside the system";
    if (!Counter::has_ticks) return "nanoseconds of the " + std::string{Counter::name};
    std::ostringstream text;
    text << "ticks of the " << Counter::name << ", " << ticks_per_second() / 1e6 << " MHz";
    return text.str();
}

std::uint64_t CycleCounter::empty_measurement() { return least_measurement<CycleCounter>(); }

std::uint64_t CycleCounter::read_event() noexcept
{
    std::uint64_t cycles = 0;
#if defined(__linux__)
    if (read(event_, &cycles, sizeof cycles) != sizeof cycles) return 0;
#endif
    return cycles;
}

}  // namespace girih::lab
