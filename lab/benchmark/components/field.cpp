/// The rows of the prime field, which no engine changes: canonical residues in plain C++.
#include "lab/benchmark/engines/engines.hpp"
#include "lab/benchmark/rows.hpp"
#include "ml_dsa/kernels/residue.hpp"

namespace girih::lab {

namespace {

using ml_dsa::Residue;
using Residues = std::array<Residue, ml_dsa::n>;

Residues random_residues()
{
    Residues residues;
    std::size_t i = 0;
    for (const std::int32_t c : random_coefficients(0, ml_dsa::q - 1)) residues[i++] = Residue{c};
    return residues;
}

/// Adds the row of f(a, b) over pairs of residues, one after another. An iteration is one pair.
template <auto f>
void add(std::string_view component, std::string_view title)
{
    add_component(lattice_of_both, component, {}, title, [](benchmark::State& state) {
        Residues a = random_residues();
        Residues b = random_residues();
        expose(a);
        expose(b);
        each_call(state, ml_dsa::n, [&] {
            for (std::size_t i = 0; i < a.size(); ++i) {
                auto result = f(a[i], b[i]).value();
                benchmark::DoNotOptimize(result);
            }
        });
    });
}

}  // namespace

void add_field_rows()
{
    add<[](Residue a, Residue b) { return a + b; }>("ff_add", "sum of two coefficients");
    add<[](Residue a, Residue b) { return a - b; }>("ff_sub", "difference of two coefficients");
    add<[](Residue a, Residue) { return -a; }>("ff_neg", "negative of a coefficient");
    add<[](Residue a, Residue b) { return a * b; }>("ff_mul", "product of two coefficients");
    add<[](Residue a, Residue) { return inverse(a); }>("ff_inv", "inverse of a coefficient");
    add<[](Residue a, Residue b) { return a / b; }>("ff_div", "quotient of two coefficients");
    add<[](Residue a, Residue b) { return power(a, b.value()); }>("ff_exp", "power of a coefficient");
}

}  // namespace girih::lab
