/// Claims about kernels: their inputs, the forms of their outputs, and bounds. Tests include this
/// before girih's kernels: GIRIH_ASSERT_BOUND becomes a claim about abstract integers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine.hpp"
#include "module_lattice/poly.hpp"

#undef GIRIH_ASSERT_BOUND
#define GIRIH_ASSERT_BOUND(poly) \
    ::girih::proofs::expect_within(#poly, ::girih::proofs::range_of((poly).c), (poly).bound)

namespace girih::proofs {

using module_lattice::Bound;

/// A declared bound that is more than 10 % above the largest number found, and the reason for it.
struct Loose {
    std::string_view name;
    std::string_view reason;
};

/// Fills with inputs: any integers in the bound. Their forms are the variables x_first, ...
template <class Coefficients>
void fill(Coefficients& c, Bound bound, std::uint64_t first)
{
    for (auto& x : c) store_number(&x, any_in({bound.low, bound.high}, variable(first++)));
}
/// For proofs of bounds alone, where the outputs' forms would be large.
template <class Coefficients>
void fill_without_forms(Coefficients& c, Bound bound)
{
    for (auto& x : c) store_number(&x, any_in({bound.low, bound.high}, unknown));
}
template <class Coefficients>
Range range_of(const Coefficients& c)
{
    Range r = range_of(load_number(&c[0]));
    for (const auto& x : c) {
        const Range own = range_of(load_number(&x));
        r = {std::min(r.low, own.low), std::max(r.high, own.high)};
    }
    return r;
}

inline void expect_within(std::string_view name, Range found, Bound declared)
{
    if (found.low < declared.low || found.high > declared.high)
        fail(std::string(name) + " is found in [" + std::to_string(found.low) + ", " +
             std::to_string(found.high) + "], declared in [" + std::to_string(declared.low) + ", " +
             std::to_string(declared.high) + "]");
}
/// And not above it by more than 10 %, unless the bound is among the loose ones.
inline void expect_bound(std::string_view name, Range found, Bound declared, std::span<const Loose> loose)
{
    expect_within(name, found, declared);
    const std::int64_t largest = std::max(-found.low, found.high);
    const bool is_loose = 10 * declared.magnitude() > 11 * largest;
    const bool is_listed = std::ranges::find(loose, name, &Loose::name) != loose.end();
    ::testing::Test::RecordProperty(std::string(name),
                                    std::to_string(largest) + " of " + std::to_string(declared.magnitude()));
    if (is_loose != is_listed)
        fail(std::string(name) + (is_loose ? " is loose: " : " is listed as loose, but is not: ") +
             std::to_string(largest) + " of " + std::to_string(declared.magnitude()));
}
/// Output i has the form expected(i), for all i.
template <class Coefficients, class Expected>
void expect_forms(const Coefficients& c, const Expected& expected)
{
    for (std::size_t i = 0; i < c.size(); ++i)
        if (form_of(load_number(&c[i])) != expected(i))
            return fail("output " + std::to_string(i) + " is another map");
}

/// The engines' shapes as GoogleTest's types, and their names.
using Shapes = ::testing::Types<Portable, Neon, Avx2, Avx512>;
struct ShapeNames {
    template <class Shape>
    static std::string GetName(int)
    {
        return std::string(Shape::name);
    }
};

}  // namespace girih::proofs
