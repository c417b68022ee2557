#include "lab/benchmark/components/field.hpp"

#include "lab/benchmark/rows.hpp"
#include "lab/measure/random.hpp"
#include "ml_dsa/lattice/residue.hpp"

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

/// Times f(a, b) over pairs of residues, one after another. An iteration is one pair.
template <class F>
void each_pair(benchmark::State& state, F f)
{
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
}

}  // namespace

void add_field_rows()
{
    const auto add = [](std::string_view component, Row row) { add_row(dilithium_name(component), row); };
    using State = benchmark::State;
    add("ff_add", [](State& state) { each_pair(state, [](Residue a, Residue b) { return a + b; }); });
    add("ff_sub", [](State& state) { each_pair(state, [](Residue a, Residue b) { return a - b; }); });
    add("ff_neg", [](State& state) { each_pair(state, [](Residue a, Residue) { return -a; }); });
    add("ff_mul", [](State& state) { each_pair(state, [](Residue a, Residue b) { return a * b; }); });
    add("ff_inv", [](State& state) { each_pair(state, [](Residue a, Residue) { return inverse(a); }); });
    add("ff_div", [](State& state) { each_pair(state, [](Residue a, Residue b) { return a / b; }); });
    add("ff_exp",
        [](State& state) { each_pair(state, [](Residue a, Residue b) { return power(a, b.value()); }); });
}

}  // namespace girih::lab
