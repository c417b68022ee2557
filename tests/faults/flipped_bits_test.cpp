/// A single bit of signing's state flips at some moment: on its stack, in a general register, in a
/// vector register. The tests count the outcomes, with girih_options.verify_after_sign and without.
///
/// Every trial is a separate process: a timer interrupts it, and the handler flips a bit of its
/// state. The process sends the result of girih_sign; the parent, which is intact, verifies it.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "support/bytes.hpp"
#include "support/rounds.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::steady_clock;
using test::ByteString;

// ---- In the process that is interrupted

std::uintptr_t bottom_of_stack = 0;  ///< above everything that signing has there
std::uint64_t choice = 0;            ///< which bit

void flip_a_bit(int, siginfo_t*, void* context)
{
    auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
    const auto stack =
        static_cast<std::uintptr_t>(machine.gregs[REG_RSP]) - 128;  // a function may use as much below
    if (stack >= bottom_of_stack) return;                           // before or after
    const std::uint64_t kind = choice % 8;
    const std::uint64_t which = choice / 8;
    if (kind == 0) {
        constexpr std::array registers{REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_R8,
                                       REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
        machine.gregs[registers[which / 64 % registers.size()]] ^= static_cast<greg_t>(1ULL << which % 64);
    } else if (kind == 1) {
        auto* const vectors = reinterpret_cast<Byte*>(machine.fpregs->_xmm);
        vectors[which / 8 % sizeof machine.fpregs->_xmm] ^= static_cast<Byte>(1U << which % 8);
    } else {
        // Anywhere, or in the frames of what runs just now.
        const std::uintptr_t all = bottom_of_stack - stack;
        const std::uintptr_t some = kind < 5 ? all : std::min<std::uintptr_t>(all, 8192);
        reinterpret_cast<Byte*>(stack)[which / 8 % some] ^= static_cast<Byte>(1U << which % 8);
    }
}

struct Released {
    int error;
    std::size_t bytes;
    std::array<Byte, 4627> signature;
};

int fill_counting(void*, std::uint8_t* out, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(3 * i + 1);
    return 0;
}
constexpr girih_random counting_source{fill_counting, nullptr, 0};

/// Where the frame of a function that is called here begins, except for the caller's own pushes.
[[gnu::noinline]] std::uintptr_t frame_of_the_next_call()
{
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// ---- In the process that watches

/// How many trials had each outcome.
struct Counts {
    int same = 0;   ///< the signature that is made without a fault
    int other = 0;  ///< another one, which verifies as well
    int wrong = 0;  ///< one that does not verify
    int fault = 0;  ///< GIRIH_ERROR_FAULT
    int error = 0;  ///< another error
    int died = 0;   ///< a signal, or no end within a second of the processor's time
};

class FlippedBits : public test::EveryAlgorithm {
  public:
    const test::KeyPair keys = test::key_pair(alg, test::counting(girih_seed_bytes(alg)));
    const ByteString message = test::counting(100);

    void sign(int verify, Released& out) const
    {
        static girih_options options;  // not on the stack: the request is not state of signing
        options.random = &counting_source;
        options.verify_after_sign = verify;
        out.error =
            girih_sign(alg, keys.secret_key.data(), keys.secret_key.size(), message.data(), message.size(),
                       &options, out.signature.data(), girih_signature_bytes(alg), &out.bytes);
    }

    [[noreturn]] void sign_with_a_fault(int verify, microseconds moment, std::uint64_t bit, int to) const
    {
        static std::array<Byte, 64 * 1024> handlers_stack;
        const stack_t elsewhere{handlers_stack.data(), 0, handlers_stack.size()};
        sigaltstack(&elsewhere, nullptr);
        struct sigaction action{};
        action.sa_sigaction = flip_a_bit;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigaction(SIGALRM, &action, nullptr);
        const rlimit second{1, 1};
        setrlimit(RLIMIT_CPU, &second);
        choice = bit;
        static Released out;  // not on the stack
        sign(0, out);         // the memory is touched: it will take the same time again
        bottom_of_stack = frame_of_the_next_call();
        const itimerval timer{{0, 0}, {0, static_cast<suseconds_t>(moment.count())}};
        setitimer(ITIMER_REAL, &timer, nullptr);
        sign(verify, out);
        const itimerval never{};
        setitimer(ITIMER_REAL, &never, nullptr);
        const bool is_sent = write(to, &out, sizeof out) == static_cast<ssize_t>(sizeof out);
        _exit(is_sent ? 0 : 1);
    }

    /// One trial: nothing if the process died.
    [[nodiscard]] bool run(int verify, microseconds moment, std::uint64_t bit, Released& out) const
    {
        int ends[2];
        EXPECT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            sign_with_a_fault(verify, moment, bit, ends[1]);
        }
        close(ends[1]);
        std::size_t received = 0;
        pollfd waiting{ends[0], POLLIN, 0};
        while (received < sizeof out && poll(&waiting, 1, 60'000) > 0) {
            const ssize_t got =
                read(ends[0], reinterpret_cast<Byte*>(&out) + received, sizeof out - received);
            if (got <= 0) break;
            received += static_cast<std::size_t>(got);
        }
        close(ends[0]);
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        return received == sizeof out;
    }

    [[nodiscard]] Counts count(int trials, int verify, microseconds time, const Released& expected) const
    {
        Counts counts;
        test::Numbers numbers{static_cast<std::uint64_t>(verify) + 1};
        for (int trial = 0; trial < trials; ++trial) {
            Released out{};
            const microseconds moment{numbers.between(1, std::max<std::int64_t>(time.count(), 2))};
            const auto bit = static_cast<std::uint64_t>(numbers.between(0, INT64_MAX / 2));
            if (!run(verify, moment, bit, out)) {
                ++counts.died;
            } else if (out.error == GIRIH_ERROR_FAULT) {
                ++counts.fault;
            } else if (out.error != GIRIH_OK) {
                ++counts.error;
            } else if (out.bytes == expected.bytes && out.signature == expected.signature) {
                ++counts.same;
            } else if (out.bytes <= out.signature.size() &&
                       test::verify(alg, keys.public_key, message, BytesIn<>{out.signature}.first(out.bytes),
                                    {}) == GIRIH_OK) {
                ++counts.other;
            } else {
                ++counts.wrong;
            }
        }
        return counts;
    }
};
INSTANTIATE_TEST_SUITE_P(Of, FlippedBits, testing::Values("ML-DSA-44", "Falcon-512"),
                         test::EveryAlgorithm::name);

TEST_P(FlippedBits, OfSigningMakeWrongSignaturesThatAreHeldBack)
{
    const int trials = test::are_exhaustive() ? 50'000 : 3000;
    Released expected{};
    sign(0, expected);
    ASSERT_EQ(expected.error, GIRIH_OK);
    microseconds time{1'000'000};
    for (int i = 0; i < 20; ++i) {
        Released again{};
        const auto begin = steady_clock::now();
        sign(0, again);
        time = std::min(time, duration_cast<microseconds>(steady_clock::now() - begin));
    }
    const Counts bare = count(trials, 0, time, expected);
    const Counts checked = count(trials, 1, time, expected);
    for (const auto& [name, counts] : {std::pair{"as it is", bare}, std::pair{"verified", checked}})
        std::printf(
            "%s, %s: of %d signatures %d are as without a fault, %d others that verify, %d wrong; %d faults "
            "found, %d other errors, %d processes died\n",
            GetParam(), name, trials, counts.same, counts.other, counts.wrong, counts.fault, counts.error,
            counts.died);
    // The clock decides the moments, so these numbers differ from run to run. About 10 in 1000 of
    // Falcon's signatures are wrong, the fewest of all; and about 3 in 1000 of ML-DSA-44's wrong
    // ones are not held back (a flip in the caller's arguments, where the message is, cannot be
    // found). Each bound is so far off that one run in a million exceeds it by chance.
    EXPECT_GT(bare.wrong, trials / 1000) << "the simulator makes wrong signatures";
    EXPECT_EQ(bare.fault, 0);
    EXPECT_GT(checked.fault, trials / 1000);
    EXPECT_LE(checked.wrong, 3 + (checked.wrong + checked.fault) / 50) << "at least 98 of 100 are held back";
}

}  // namespace
