/// Floating point in integers against the processor's: the same bits, for numbers of every kind
/// that Falcon can meet.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "support/falcon.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih;
using test::EmulatedFpr;
using test::NativeFpr;

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// Rounds of random numbers: 10^8 with GIRIH_EXHAUSTIVE set.
std::size_t rounds() { return test::rounds(1'000'000, 100'000'000); }

/// Bit patterns of zeros and normal numbers: random ones, near ones, and those whose significand is
/// all but empty or full.
class Patterns {
  public:
    /// An exponent of at least 2^-spread and at most 2^spread.
    std::uint64_t next(int spread)
    {
        const std::uint64_t kind = engine_() % 16;
        if (kind == 0) return engine_() & sign_bit;
        const auto range = static_cast<std::uint64_t>(2 * spread + 1);
        const std::uint64_t exponent = 1023 - static_cast<std::uint64_t>(spread) + engine_() % range;
        std::uint64_t significand = engine_() >> 12;
        if (kind < 4) significand &= ~std::uint64_t{0} << (engine_() % 53);
        if (kind == 4) significand |= (std::uint64_t{1} << (engine_() % 53)) - 1;
        significand &= (std::uint64_t{1} << 52) - 1;
        return (engine_() & sign_bit) | exponent << 52 | significand;
    }
    std::uint64_t word() { return engine_(); }

  private:
    std::mt19937_64 engine_{1};
};

bool is_zero_or_normal(double a) { return a == 0 || std::isnormal(a); }

struct Pair {
    NativeFpr native;
    EmulatedFpr emulated;
    explicit Pair(std::uint64_t bits) : native(NativeFpr::of_bits(bits)), emulated(EmulatedFpr::of_bits(bits))
    {
    }
};

/// The same bits, where the processor's result is no infinity, no NaN and not subnormal.
void expect_same(NativeFpr native, EmulatedFpr emulated, const char* operation, std::uint64_t a,
                 std::uint64_t b = 0)
{
    if (!is_zero_or_normal(native.value())) return;
    if (native.bits() == emulated.bits()) return;
    ADD_FAILURE() << operation << std::hex << " of " << a << " and " << b << ": " << emulated.bits()
                  << " instead of " << native.bits();
}

void compare_binary(std::uint64_t x, std::uint64_t y)
{
    const Pair a{x};
    const Pair b{y};
    expect_same(a.native + b.native, a.emulated + b.emulated, "sum", x, y);
    expect_same(a.native - b.native, a.emulated - b.emulated, "difference", x, y);
    expect_same(a.native * b.native, a.emulated * b.emulated, "product", x, y);
    if ((y & ~sign_bit) != 0) expect_same(a.native / b.native, a.emulated / b.emulated, "quotient", x, y);
    ASSERT_EQ(less(a.native, b.native), less(a.emulated, b.emulated)) << std::hex << x << " < " << y;
}

void compare_unary(std::uint64_t x)
{
    const Pair a{x};
    expect_same(-a.native, -a.emulated, "negative", x);
    expect_same(half(a.native), half(a.emulated), "half", x);
    expect_same(twice(a.native), twice(a.emulated), "double", x);
    expect_same(square(a.native), square(a.emulated), "square", x);
    const Pair positive{x & ~sign_bit};
    expect_same(sqrt(positive.native), sqrt(positive.emulated), "square root", x);
}

void compare_integers(std::uint64_t x)
{
    const Pair a{x};
    const double magnitude = std::abs(a.native.value());
    if (magnitude < 0x1p51) {
        ASSERT_EQ(round(a.native), round(a.emulated)) << std::hex << x;
        ASSERT_EQ(floor(a.native), floor(a.emulated)) << std::hex << x;
        ASSERT_EQ(static_cast<double>(floor(a.native)), std::floor(a.native.value()));
    }
    if (magnitude < 0x1p63) {
        ASSERT_EQ(trunc(a.native), trunc(a.emulated)) << std::hex << x;
        ASSERT_EQ(static_cast<double>(trunc(a.native)), std::trunc(a.native.value()));
    }
}

TEST(Fpr, IsTheProcessorsBitForBit)
{
    Patterns patterns;
    for (std::size_t i = 0; i < rounds() && !HasFatalFailure() && !HasNonfatalFailure(); ++i) {
        const int spread = i % 3 == 0 ? 4 : i % 3 == 1 ? 70 : 1000;
        const std::uint64_t x = patterns.next(spread);
        const std::uint64_t y = patterns.next(spread);
        compare_binary(x, y);
        compare_unary(x);
        // Equal magnitudes, and neighbours.
        compare_binary(x, x ^ sign_bit);
        if (i % 4 == 0 && (x & ~sign_bit) != 0) compare_binary(x, (x ^ sign_bit) + (patterns.word() & 3));
        compare_integers(patterns.next(66));
    }
}

TEST(Fpr, RoundsHalvesToEven)
{
    for (std::int64_t i = -4096; i <= 4096; ++i) {
        for (const double fraction : {0.0, 0.25, 0.5, 0.75, 0.5 - 0x1p-40, 0.5 + 0x1p-40}) {
            const double value = static_cast<double>(i) + fraction;
            const auto nearest = static_cast<std::int64_t>(std::nearbyint(value));
            ASSERT_EQ(round(NativeFpr{value}), nearest) << value;
            ASSERT_EQ(round(EmulatedFpr{value}), nearest) << value;
        }
    }
}

TEST(Fpr, TruncatesWhatIsTooLargeToZero)
{
    EXPECT_EQ(trunc(NativeFpr{0x1.fffffffffffffp62}), INT64_MAX - 1023);
    EXPECT_EQ(trunc(NativeFpr{0x1p63}), 0);
    EXPECT_EQ(trunc(NativeFpr{-0x1p63}), 0);
    EXPECT_EQ(trunc(NativeFpr{0x1p1000}), 0);
    EXPECT_EQ(trunc(NativeFpr::of_bits(0x7FF8000000000000)), 0);  // not a number
}

TEST(Fpr, TakesIntegersUpTo53Bits)
{
    Patterns patterns;
    for (int bits = 0; bits <= 53; ++bits) {
        for (int i = 0; i < 1000; ++i) {
            const auto magnitude = static_cast<std::int64_t>(bits == 0 ? 0 : patterns.word() >> (64 - bits));
            for (const std::int64_t value : {magnitude, -magnitude})
                ASSERT_EQ(EmulatedFpr::of(value).bits(), NativeFpr::of(value).bits()) << value;
        }
    }
}

TEST(Fpr, MakesZeroOfWhatWouldBeSubnormal)
{
    const EmulatedFpr tiny{0x1p-1022};
    EXPECT_EQ(half(tiny).bits(), 0u);
    EXPECT_EQ((tiny * EmulatedFpr{0.5}).bits(), 0u);
    EXPECT_EQ((tiny * EmulatedFpr{-0.5}).bits(), sign_bit);
    EXPECT_EQ((EmulatedFpr{0x1.8p-1022} - tiny).bits(), 0u);
}

}  // namespace
