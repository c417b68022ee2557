/// Floating point in integers, as the images have it, against the double unit of the processor that
/// runs both: the same bits. memset and ML-DSA's transforms in assembly are tested here too. An
/// image for an emulator, which it talks to by semihosting. Its argument is the number of rounds;
/// it stops at a difference, and prints the rounds done.
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "core/wide.hpp"
#include "falcon/kernels/fft/complex.hpp"
#include "falcon/sampling/sampler.hpp"
#include "isa/cortex_m/engine.hpp"
#include "isa/cortex_m/fpr.hpp"
#include "isa/cortex_m/fpr_calls.hpp"
#include "isa/doubles/native_fpr.hpp"
#include "ml_dsa/small/parts.hpp"

namespace {

struct Engine {};
using Fpr = girih::isa::cortex_m::OutlinedFpr<Engine>;
using Native = girih::isa::NativeFpr<Engine>;

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// ---- Semihosting (Arm, "Semihosting for AArch32 and AArch64")

std::uint32_t semihost(std::uint32_t operation, const void* argument)
{
    register std::uint32_t r0 __asm__("r0") = operation;
    register const void* r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt #0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}
void print(const char* text) { (void)semihost(4, text); }  // SYS_WRITE0
[[noreturn]] void leave(bool is_good)
{
    // SYS_EXIT, with ADP_Stopped_ApplicationExit, or with ADP_Stopped_RunTimeErrorUnknown
    for (;;) (void)semihost(0x18, reinterpret_cast<const void*>(is_good ? 0x20026UL : 0x20023UL));
}
std::uint32_t argument()
{
    static char text[64];
    struct {
        char* at;
        std::uint32_t size;
    } line{text, sizeof text};
    (void)semihost(0x15, &line);  // SYS_GET_CMDLINE
    std::uint32_t number = 0;
    for (const char* c = text; *c != 0; ++c)
        if (*c >= '0' && *c <= '9') number = 10 * number + static_cast<std::uint32_t>(*c - '0');
    return number;
}
void print_hex(std::uint64_t number)
{
    char text[18] = {};
    for (int i = 0; i < 16; ++i) text[i] = "0123456789abcdef"[number >> (60 - 4 * i) & 15];
    text[16] = ' ';
    print(text);
}

void expect(const char* operation, std::uint64_t a, std::uint64_t b, std::uint64_t is, std::uint64_t expected)
{
    if (is == expected) return;
    print(operation);
    const char* before = " of ";
    for (const std::uint64_t number : {a, b, is, expected}) {
        print(before);
        print_hex(number);
        before = ", ";
    }
    print("(what it is, and what it should be)\n");
    leave(false);
}

// ---- Numbers

class Patterns {
  public:
    std::uint64_t word()
    {
        // splitmix64
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
    std::uint32_t below(std::uint32_t limit)
    {
        return static_cast<std::uint32_t>((word() >> 32) * limit >> 32);
    }
    /// Zeros, and numbers from 2^-spread to 2^(spread + 1), some of them with a significand that is
    /// all but empty or full.
    std::uint64_t number(std::uint32_t spread)
    {
        const std::uint32_t kind = below(16);
        if (kind == 0) return word() & sign_bit;
        const std::uint64_t exponent = 1023 - spread + below(2 * spread + 1);
        std::uint64_t significand = word() >> 12;
        if (kind < 4) significand &= ~std::uint64_t{0} << below(53);
        if (kind == 4) significand |= (std::uint64_t{1} << below(53)) - 1;
        significand &= (std::uint64_t{1} << 52) - 1;
        return (word() & sign_bit) | exponent << 52 | significand;
    }

  private:
    std::uint64_t state_ = 1;
};

/// The double unit's, not that of a compiler that knows the numbers.
double native(std::uint64_t bits)
{
    double a = __builtin_bit_cast(double, bits);
    __asm__ volatile("" : "+w"(a));
    return a;
}
std::uint64_t bits(double a) { return __builtin_bit_cast(std::uint64_t, a); }

void compare_binary(std::uint64_t x, std::uint64_t y)
{
    const Fpr a = Fpr::of_bits(x);
    const Fpr b = Fpr::of_bits(y);
    const double p = native(x);
    const double q = native(y);
    expect("a sum", x, y, (a + b).bits(), bits(p + q));
    expect("a difference", x, y, (a - b).bits(), bits(p - q));
    expect("a product", x, y, (a * b).bits(), bits(p * q));
    if ((y & ~sign_bit) != 0) expect("a quotient", x, y, (a / b).bits(), bits(p / q));
    std::uint64_t difference = 0;
    const std::uint64_t sum = girih::isa::cortex_m::fpr_calls::add_and_subtract(x, y, difference);
    expect("a sum of two", x, y, sum, bits(p + q));
    expect("a difference of two", x, y, difference, bits(p - q));
}

void compare_unary(std::uint64_t x)
{
    const Fpr a = Fpr::of_bits(x);
    expect("a square", x, 0, square(a).bits(), bits(native(x) * native(x)));
    const std::uint64_t positive = x & ~sign_bit;
    double root = native(positive);
    __asm__ volatile("vsqrt.f64 %P0, %P0" : "+w"(root));
    expect("a root", positive, 0, sqrt(Fpr::of_bits(positive)).bits(), bits(root));
}

void compare_integers(std::uint64_t x, std::uint64_t word, std::uint32_t shift)
{
    const Fpr a = Fpr::of_bits(x);
    const double magnitude = native(x & ~sign_bit);
    if (magnitude < 0x1p63) {
        const auto truncated = static_cast<std::int64_t>(native(x));
        const std::int64_t floored = truncated - (static_cast<double>(truncated) > native(x) ? 1 : 0);
        expect("trunc", x, 0, static_cast<std::uint64_t>(trunc(a)), static_cast<std::uint64_t>(truncated));
        expect("floor", x, 0, static_cast<std::uint64_t>(floor(a)), static_cast<std::uint64_t>(floored));
    }
    if (magnitude < 0x1p51) {
        const std::int64_t nearest = round(Native{native(x)});
        expect("round", x, 0, static_cast<std::uint64_t>(round(a)), static_cast<std::uint64_t>(nearest));
    }
    const std::int64_t integer = static_cast<std::int64_t>(word) >> (11 + shift);
    expect("an integer", word, shift, Fpr::of(integer).bits(), bits(static_cast<double>(integer)));
    const auto small = static_cast<std::int16_t>(integer);
    expect("a small integer", word, shift, Fpr::of(small).bits(), bits(static_cast<double>(small)));
}

void compare_butterflies(Patterns& patterns)
{
    std::uint64_t numbers[6];
    girih::falcon::Butterfly<Fpr> x[2];
    girih::falcon::Butterfly<Native> y[2];
    for (std::uint64_t& number : numbers) number = patterns.number(20);
    for (int i = 0; i < 2; ++i) {
        std::memcpy(&x[i], numbers, sizeof numbers);
        std::memcpy(&y[i], numbers, sizeof numbers);
    }
    x[0].forward();
    y[0].forward();
    x[1].inverse();
    y[1].inverse();
    expect("a butterfly", numbers[0], numbers[1], std::memcmp(x, y, sizeof x) != 0, false);
}

/// The sampler's own arithmetic: near the table's numbers too, where words decide one by one.
void compare_samplers(Patterns& patterns)
{
    const auto& words = girih::falcon::rcdt_words;
    std::uint64_t low = patterns.word();
    std::uint32_t high = patterns.below(256);
    const std::uint32_t kind = patterns.below(4);
    if (kind != 0) {
        const std::size_t entry = 3 * patterns.below(18);
        low = std::uint64_t{words[entry + 1]} << 32 | words[entry];
        high = words[entry + 2];
        if (kind == 1) low += patterns.below(3) - 1;
        if (kind == 2) low ^= std::uint64_t{1} << patterns.below(64);
    }
    std::uint32_t expected = 0;
    for (std::size_t i = 0; i < words.size(); i += 3) {
        const std::uint64_t entry = std::uint64_t{words[i + 1]} << 32 | words[i];
        if (high < words[i + 2] || (high == words[i + 2] && low < entry)) ++expected;
    }
    expect("a count", low, high, girih::isa::cortex_m::Isa::count_above(low, high, words), expected);
    const std::uint64_t a = patterns.word();
    const std::uint64_t b = kind == 3 ? ~std::uint64_t{0} : patterns.word();
    expect("a high product", a, b, Fpr::multiply_high(a, b), girih::multiply_high(a, b));
}

/// Only the lowest byte of memset's int counts, and only the given bytes change.
void compare_memset()
{
    constexpr std::uint8_t before = 0x3C;
    volatile std::uint8_t bytes[200];  // so that no loop here becomes a call of memset
    for (const volatile int byte : {0x5A, 0x1A5, -0x5B, -0x100})
        for (std::uint32_t at = 0; at < 4; ++at)
            for (std::uint32_t size = 0; size + 8 < sizeof bytes; ++size) {
                for (volatile std::uint8_t& b : bytes) b = before;
                std::memset(const_cast<std::uint8_t*>(&bytes[at]), byte, size);
                for (std::uint32_t i = 0; i < sizeof bytes; ++i)
                    expect("memset", at, size, bytes[i],
                           i - at < size ? static_cast<std::uint8_t>(byte) : before);
            }
}

/// ML-DSA's transforms in assembly at the ends of their range, against loops.
void compare_transforms()
{
    namespace ml_dsa = girih::ml_dsa;
    using girih::isa::cortex_m::Isa;
    static ml_dsa::Coefficients before, by_assembly, by_loops;
    const auto expect_same = [](const char* operation) {
        for (std::size_t i = 0; i < ml_dsa::n; ++i) {
            const std::int32_t difference = ml_dsa::small::reduce(by_assembly[i] - by_loops[i]);
            expect(operation, static_cast<std::uint32_t>(before[i]), i,
                   static_cast<std::uint32_t>(difference), 0);
        }
    };
    // All coefficients but the last, and that. The last sum is 2,141,441,839.
    constexpr std::int32_t ends[][2] = {
        {ml_dsa::q, ml_dsa::q}, {ml_dsa::q - 1, ml_dsa::q - 1}, {ml_dsa::q - 1, 4'435'759}};
    for (const auto& [others, last] : ends)
        for (const std::int32_t sign : {1, -1}) {
            before.fill(sign * others);
            before[ml_dsa::n - 1] = sign * last;
            by_assembly = by_loops = before;
            bool has_both = Isa::ml_dsa_ntt(by_assembly.data(), ml_dsa::small::ordered_zetas.data());
            ml_dsa::small::ntt_in_loops<Isa>(by_loops);
            expect_same("a transform");
            by_assembly = by_loops = before;
            has_both &= Isa::ml_dsa_inverse_ntt(by_assembly.data(), ml_dsa::small::ordered_zetas.data());
            ml_dsa::small::inverse_ntt_in_loops<Isa>(by_loops);
            for (std::int32_t& c : by_loops)
                c = ml_dsa::small::multiply<Isa>(c, ml_dsa::tables::inverse_factor);
            expect_same("an inverse transform");
            expect("assembly", 0, 0, has_both, true);
        }
}

}  // namespace

int main()
{
    Patterns patterns;
    compare_memset();
    compare_transforms();
    const std::uint32_t rounds = argument();
    const std::uint64_t special[] = {0, sign_bit, bits(1.5), bits(-1.5)};
    for (const std::uint64_t a : special) {
        compare_unary(a);
        compare_integers(a, a, 0);
        for (const std::uint64_t b : special) compare_binary(a, b);
    }
    for (std::uint32_t i = 0; i < rounds; ++i) {
        constexpr std::uint32_t spreads[] = {2, 12, 60, 199};
        const std::uint32_t spread = spreads[i % 4];
        const std::uint64_t x = patterns.number(spread);
        const std::uint64_t y = patterns.number(spread);
        compare_binary(x, y);
        compare_unary(x);
        // Equal magnitudes, and neighbours.
        compare_binary(x, x ^ sign_bit);
        compare_binary(x, x);
        if ((x & ~sign_bit) != 0) {
            compare_binary(x, (x ^ sign_bit) + patterns.below(4));
            compare_binary(x + patterns.below(4), x);
        }
        compare_integers(patterns.number(66), patterns.word(), patterns.below(53));
        if (i % 8 == 0) compare_butterflies(patterns);
        compare_samplers(patterns);
    }
    print(rounds == 0 ? "no rounds were asked for\n" : "all rounds are done\n");
    leave(rounds != 0);
}
