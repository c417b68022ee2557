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

/// f of numbers of both kinds, given by their bits: the same, where the processor's result is no
/// infinity, no NaN and not subnormal.
template <class F, class... Bits>
void expect_same(const char* operation, F f, Bits... x)
{
    const auto native = f(NativeFpr::of_bits(x)...);
    const auto emulated = f(EmulatedFpr::of_bits(x)...);
    const auto is_same = [&] {
        if constexpr (requires { native.bits(); })
            return (native.value() != 0 && !std::isnormal(native.value())) ||
                   native.bits() == emulated.bits();
        else
            return native == emulated;
    }();
    if (is_same) return;
    testing::Message numbers;
    ((numbers << ' ' << std::hexfloat << NativeFpr::of_bits(x).value()), ...);
    ADD_FAILURE() << operation << " of" << numbers;
}

void compare_binary(std::uint64_t x, std::uint64_t y)
{
    expect_same("sum", [](auto a, auto b) { return a + b; }, x, y);
    expect_same("difference", [](auto a, auto b) { return a - b; }, x, y);
    expect_same("product", [](auto a, auto b) { return a * b; }, x, y);
    if ((y & ~sign_bit) != 0) expect_same("quotient", [](auto a, auto b) { return a / b; }, x, y);
    expect_same("order", [](auto a, auto b) { return less(a, b); }, x, y);
}

void compare_unary(std::uint64_t x)
{
    expect_same("negative", [](auto a) { return -a; }, x);
    expect_same("half", [](auto a) { return half(a); }, x);
    expect_same("double", [](auto a) { return twice(a); }, x);
    expect_same("square", [](auto a) { return square(a); }, x);
    expect_same("square root", [](auto a) { return sqrt(a); }, x & ~sign_bit);
}

void compare_integers(std::uint64_t x)
{
    const NativeFpr native = NativeFpr::of_bits(x);
    const double magnitude = std::abs(native.value());
    if (magnitude < 0x1p51) {
        expect_same("nearest integer", [](auto a) { return round(a); }, x);
        expect_same("floor", [](auto a) { return floor(a); }, x);
        EXPECT_EQ(static_cast<double>(floor(native)), std::floor(native.value()));
    }
    if (magnitude < 0x1p63) {
        expect_same("integer part", [](auto a) { return trunc(a); }, x);
        EXPECT_EQ(static_cast<double>(trunc(native)), std::trunc(native.value()));
    }
}

TEST(Fpr, IsTheProcessorsBitForBit)
{
    Patterns patterns;
    for (std::size_t i = 0; i < rounds() && !HasFailure(); ++i) {
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
