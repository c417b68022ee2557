/// Welch's t-test on the time of decapsulation, with one secret against many: girih_timing COUNT.
///
/// Traces show what is executed; this shows its effect on the clock, latencies included. At random,
/// each of COUNT calls takes the first secret or one of the others, both from equally many places,
/// so that caches make no difference; the slowest tenth, mostly interruptions, is left out. From
/// 10^6 calls on, |t| above 10 is a failure; fewer calls only show that the program runs. A
/// comparison that stops at the first difference leaks, and must be found.
#include <girih/girih.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "lab/measure/clock.hpp"
#include "support/every_operation.hpp"

namespace {

using namespace girih;
using test::ByteString;

constexpr unsigned secret_count = 32;
constexpr std::size_t enough = 1'000'000;
constexpr double limit = 10;

double welch_t(const std::array<std::vector<double>, 2>& samples)
{
    std::array<double, 2> mean{}, error{};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto count = static_cast<double>(samples[i].size());
        for (const double x : samples[i]) mean[i] += x / count;
        for (const double x : samples[i]) error[i] += (x - mean[i]) * (x - mean[i]) / (count - 1) / count;
    }
    return (mean[0] - mean[1]) / std::sqrt(error[0] + error[1]);
}

/// Times an operation, before which `put` puts a copy of the first secret, or one of the others, in
/// place; whether t is as it should be.
bool is_as_expected(const char* name, std::size_t count, bool leaks,
                    const std::function<void(bool, unsigned)>& put, const std::function<int()>& operation)
{
    test::Numbers coin{1};
    std::vector<std::pair<double, bool>> times;
    for (std::size_t i = 0; i < count; ++i) {
        const auto other = static_cast<unsigned>(coin.between(1, secret_count - 1));
        const bool is_first = coin.between(0, 1) == 0;
        put(is_first, other);
        times.emplace_back(lab::uninterrupted_ticks(operation), is_first);
    }
    std::ranges::sort(times);
    std::array<std::vector<double>, 2> samples;
    for (std::size_t i = 0; i < count * 9 / 10; ++i) samples[times[i].second].push_back(times[i].first);
    const double t = welch_t(samples);
    const bool is_good = std::isfinite(t) && (count < enough || (std::abs(t) > limit) == leaks);
    std::printf("%-24s t = %8.2f of %zu times, %s\n", name, t, count, is_good ? "good" : "FAILED");
    return is_good;
}

/// Under keys of their own. ML-KEM's have the public parts of the first, since A is public, and its
/// ciphertext, which the others reject: dk = s | ek | H(ek) | z.
bool decapsulation_is_constant(const char* name, std::size_t count)
{
    test::EveryOperation operations{girih_algorithm(name), 2};
    std::vector<test::Products> secrets;
    for (unsigned i = 0; i < secret_count; ++i) {
        const ByteString seed = test::Numbers{i}.bytes(operations.seed.size());
        test::Products& made = secrets.emplace_back(operations.alg);
        test::expect_good(
            test::call(girih_keygen_from_seed, operations.alg, seed, made.public_key, made.secret_key));
        test::expect_good(test::call(girih_encapsulate, operations.alg, nullptr, made.public_key,
                                     made.ciphertext, made.shared_secret));
        if (girih_decapsulation_key_size(operations.alg) == 0) continue;
        const std::size_t s_bytes = made.secret_key.size() - made.public_key.size() - 64;
        copy(BytesIn<>{secrets[0].secret_key}.subspan(s_bytes, made.public_key.size() + 32),
             BytesOut<>{made.secret_key}.subspan(s_bytes));
        made.ciphertext = secrets[0].ciphertext;
    }
    const std::vector<test::Products> copies(secret_count, secrets[0]);
    const auto put = [&](bool is_first, unsigned i) {
        const test::Products& from = is_first ? copies[i] : secrets[i];
        copy(from.secret_key, operations.given.secret_key);
        copy(from.ciphertext, operations.given.ciphertext);
    };
    return is_as_expected(name, count, false, put, operations.named("decapsulate").call);
}

bool planted_leak_is_found(std::size_t count)
{
    const ByteString first(256);
    ByteString secret(256);
    const auto put = [&](bool is_first, unsigned i) {
        secret = is_first ? first : test::Numbers{i}.bytes(256);
    };
    return is_as_expected("planted", count, true, put, [&] {
        return static_cast<int>(std::ranges::mismatch(first, secret).in1 - first.begin());
    });
}

}  // namespace

int main(int count, char** arguments)
{
    const std::size_t times = count == 2 ? std::strtoul(arguments[1], nullptr, 10) : 0;
    if (times < 100) return std::fputs("usage: girih_timing COUNT, at least 100\n", stderr), 2;
    (void)lab::stay_on_core();
    bool is_good = planted_leak_is_found(times);
    for (const char* name : {"ML-KEM-768", "sntrup761", "ntrulpr761"})
        is_good = decapsulation_is_constant(name, times) && is_good;
    return is_good ? 0 : 1;
}
