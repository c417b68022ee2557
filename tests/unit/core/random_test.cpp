// The operating system's generator where a filter of system calls refuses what it is asked by, as a
// container's may, and as kernels before getrandom do.
#include "core/random.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <vector>

namespace {

using namespace girih;

struct Refusal {
    long call;
    int error;
};

/// From here on the process is refused these system calls. False if the system has no filters.
bool refuse(const std::vector<Refusal>& refusals)
{
    std::vector<sock_filter> filter{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    for (const Refusal& refusal : refusals) {
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(refusal.call), 0, 1));
        filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(refusal.error)));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum Outcome : int { holds, fails, has_no_filters };

/// Whether a claim holds in a process that is refused these calls.
template <class Claim>
Outcome with(const std::vector<Refusal>& refusals, Claim claim)
{
    const pid_t child = fork();
    if (child == 0) _exit(!refuse(refusals) ? has_no_filters : claim() ? holds : fails);
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? static_cast<Outcome>(WEXITSTATUS(status))
               : fails;
}

using Drawn = std::array<Byte, 1000>;

bool is_filled()
{
    Drawn first{};
    Drawn second{};
    if (!os_random(first) || !os_random(second) || first == second) return false;
    return std::count(first.begin(), first.end(), 0) < 50 &&
           std::any_of(first.end() - 16, first.end(), [](Byte b) { return b != 0; });
}

class SystemRandomness : public testing::TestWithParam<int> {};

TEST_P(SystemRandomness, ComesFromTheDeviceWhereGetrandomIsRefused)
{
    const Outcome outcome = with({{SYS_getrandom, GetParam()}}, is_filled);
    if (outcome == has_no_filters) GTEST_SKIP() << "no filters of system calls here";
    EXPECT_EQ(outcome, holds);
}

TEST_P(SystemRandomness, FailsWithTheReasonAndNoBytesWhereTheDeviceIsRefusedToo)
{
    for (const Refusal device : {Refusal{SYS_openat, EMFILE}, Refusal{SYS_read, EIO}}) {
        const Outcome outcome = with({{SYS_getrandom, GetParam()}, device}, [&] {
            Drawn drawn;
            drawn.fill(0xA5);
            return !os_random(drawn) && errno == device.error && drawn == Drawn{};
        });
        if (outcome == has_no_filters) GTEST_SKIP() << "no filters of system calls here";
        EXPECT_EQ(outcome, holds) << "system call " << device.call;
    }
}

INSTANTIATE_TEST_SUITE_P(Errors, SystemRandomness, testing::Values(ENOSYS, EPERM));

}  // namespace
