/// The rows of the components that each engine has of its own, as templates over its lanes.
///
/// An engine's rows are instantiated in a translation unit of its own (engines/), where its lanes
/// need it with other target flags. So everything here depends on Isa; what does not is compiled
/// once, behind support/table.hpp and support/inputs.hpp.
#pragma once

#include <array>

#include "lab/benchmark/components/falcon_rows.hpp"
#include "lab/benchmark/components/ml_kem_rows.hpp"
#include "lab/benchmark/rows.hpp"
#include "lab/measure/random.hpp"
#include "ml_dsa/encoding/hint.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "ml_dsa/lattice/rounding.hpp"

namespace girih::lab {

using ml_dsa::Shape;

template <class Isa>
struct Components {
    using State = benchmark::State;
    using V = typename Isa::Integers;

    /// Times F::run(a, b) over pairs of coefficients, a vector of them after another. An
    /// iteration is one coefficient. (No lambdas here: g++ 12 compiles one that takes vectors
    /// without the engine's target.)
    template <class F>
    static void each_pair(State& state, ml_dsa::Coefficients a, ml_dsa::Coefficients b)
    {
        expose(a);
        expose(b);
        lab::each_call(state, ml_dsa::n, [&] {
            for (std::size_t i = 0; i < ml_dsa::n; i += Isa::integer_lanes)
                F::run(Isa::load(&a[i]), Isa::load(&b[i]));
        });
    }

    /// Times f.
    template <class F>
    static void each_call(State& state, F f)
    {
        lab::each_call(state, 1, [&] {
            f();
            benchmark::ClobberMemory();
        });
    }

    /// Random coefficients that keep a polynomial's bound.
    template <class Poly>
    static Poly random_poly()
    {
        Poly poly;
        poly.c = random_coefficients(Poly::bound.low, Poly::bound.high);
        return poly;
    }

    /// A seed that is another one for each iteration.
    template <std::size_t size>
    class Seed {
      public:
        Seed() { Random{}.fill(bytes_); }

        /// The next seed: the last plus one.
        [[nodiscard]] BytesIn<size> next() noexcept
        {
            store_le64(bytes_.data(), load_le64(bytes_.data()) + 1);
            return bytes_;
        }

      private:
        std::array<Byte, size> bytes_{};
    };

    static void ntt(State& state)
    {
        using Poly = ml_dsa::Poly<ml_dsa::Form::coefficients, ml_dsa::Bound::canonical(ml_dsa::q)>;
        auto w = random_poly<Poly>();
        expose(w);
        each_call(state, [&] {
            auto w_hat = ml_dsa::ntt<Isa>(w);
            benchmark::DoNotOptimize(w_hat);
        });
    }

    static void intt(State& state)
    {
        using Poly = ml_dsa::Poly<ml_dsa::Form::ntt_product, ml_dsa::reduced_bound>;
        auto w_hat = random_poly<Poly>();
        expose(w_hat);
        each_call(state, [&] {
            auto w = ml_dsa::inverse_ntt<Isa>(w_hat);
            benchmark::DoNotOptimize(w);
        });
    }

    struct Power2round {
        static void run(V x, V)
        {
            auto parts = ml_dsa::power2round(x);
            benchmark::DoNotOptimize(parts.high);
            benchmark::DoNotOptimize(parts.low);
        }
    };

    static void power2round(State& state)
    {
        const auto r = random_coefficients(0, ml_dsa::q - 1);
        each_pair<Power2round>(state, r, r);
    }

    template <std::int32_t gamma2>
    struct Decompose {
        static void run(V x, V)
        {
            auto parts = ml_dsa::decompose<gamma2>(x);
            benchmark::DoNotOptimize(parts.high);
            benchmark::DoNotOptimize(parts.low);
        }
    };

    template <std::int32_t gamma2>
    static void decompose(State& state)
    {
        const auto r = random_coefficients(0, ml_dsa::q - 1);
        each_pair<Decompose<gamma2>>(state, r, r);
    }

    template <std::int32_t gamma2>
    struct MakeHint {
        static void run(V x, V y)
        {
            auto hint = ml_dsa::make_hint<gamma2>(x, y);
            benchmark::DoNotOptimize(hint);
        }
    };

    template <std::int32_t gamma2>
    static void make_hint(State& state)
    {
        const auto z = random_coefficients(-gamma2, gamma2);
        const auto r = random_coefficients(0, ml_dsa::q - 1);
        each_pair<MakeHint<gamma2>>(state, z, r);
    }

    template <std::int32_t gamma2>
    struct UseHint {
        static void run(V x, V y)
        {
            auto high = ml_dsa::use_hint<gamma2>(x, y);
            benchmark::DoNotOptimize(high);
        }
    };

    template <std::int32_t gamma2>
    static void use_hint(State& state)
    {
        const auto hint = random_coefficients(0, 1);
        const auto r = random_coefficients(0, ml_dsa::q - 1);
        each_pair<UseHint<gamma2>>(state, hint, r);
    }

    template <Shape S>
    static void expand_a(State& state)
    {
        Seed<ml_dsa::rho_bytes> rho;
        ml_dsa::Matrix<S> a_hat;
        expose(a_hat);
        each_call(state, [&] { ml_dsa::expand_a<S, Isa>(rho.next(), a_hat); });
    }

    /// One vector of k polynomials: half of ExpandS (FIPS 204, Algorithm 33), or a little more.
    template <Shape S>
    static void expand_s(State& state)
    {
        Seed<ml_dsa::rho_prime_bytes> rho_prime;
        ml_dsa::PolyVector<S.k, ml_dsa::SecretPoly<S>> s;
        expose(s);
        each_call(state, [&] {
            const auto seed = rho_prime.next();
            auto tasks = keccak::make_tasks<S.k>(
                [&](std::size_t r) { return ml_dsa::BoundedTask<S, Isa>{seed, r, s[r].c}; });
            keccak::run<typename Isa::WideWords>(tasks);
        });
    }

    template <Shape S>
    static void expand_mask(State& state)
    {
        Seed<ml_dsa::rho_prime_bytes> rho_double_prime;
        ml_dsa::PolyVector<S.l, ml_dsa::MaskPoly<S>> y;
        expose(y);
        each_call(state, [&] { ml_dsa::expand_mask<S, Isa>(rho_double_prime.next(), 0, y); });
    }

    template <Shape S>
    static void sample_in_ball(State& state)
    {
        Seed<ml_dsa::dilithium2.c_tilde_bytes> c_tilde;
        each_call(state, [&] {
            auto challenge = ml_dsa::sample_in_ball<S, Isa>(c_tilde.next());
            benchmark::DoNotOptimize(challenge);
        });
    }

    template <int bits>
    static void encode(State& state)
    {
        using Poly = ml_dsa::Poly<ml_dsa::Form::coefficients, ml_dsa::Bound{0, (1 << bits) - 1}>;
        auto w = random_poly<Poly>();
        std::array<Byte, ml_dsa::packed_bytes(bits)> bytes;
        expose(w);
        expose(bytes);
        each_call(state, [&] { ml_dsa::simple_bit_pack<bits, Isa>(w, bytes); });
    }

    template <int bits>
    static void decode(State& state)
    {
        std::array<Byte, ml_dsa::packed_bytes(bits)> bytes;
        Random{}.fill(bytes);
        expose(bytes);
        each_call(state, [&] {
            auto w = ml_dsa::simple_bit_unpack<bits, Isa>(bytes);
            benchmark::DoNotOptimize(w);
        });
    }

    /// Hints of omega ones each: several, so that the processor cannot learn where one's are.
    template <Shape S>
    static auto random_hints()
    {
        Random random;
        std::array<ml_dsa::Hint<S>, 16> hints;
        for (auto& h : hints) {
            for (auto& poly : h.p) poly.c = {};
            for (std::size_t ones = 0; ones < S.omega;) {
                const auto position = static_cast<std::size_t>(random.between(0, S.k * ml_dsa::n - 1));
                std::int32_t& bit = h[position / ml_dsa::n].c[position % ml_dsa::n];
                ones += bit == 0;
                bit = 1;
            }
        }
        return hints;
    }

    template <Shape S>
    static void encode_hint_bits(State& state)
    {
        auto hints = random_hints<S>();
        std::array<Byte, S.omega + S.k> bytes;
        expose(hints);
        expose(bytes);
        std::size_t i = 0;
        each_call(state, [&] { ml_dsa::hint_bit_pack<S, Isa>(hints[i++ % hints.size()], bytes); });
    }

    template <Shape S>
    static void decode_hint_bits(State& state)
    {
        const auto hints = random_hints<S>();
        std::array<std::array<Byte, S.omega + S.k>, hints.size()> encoded;
        for (std::size_t i = 0; i < hints.size(); ++i) ml_dsa::hint_bit_pack<S, Isa>(hints[i], encoded[i]);
        expose(encoded);
        std::size_t i = 0;
        each_call(state, [&] {
            ml_dsa::Hint<S> h;
            benchmark::DoNotOptimize(ml_dsa::hint_bit_unpack<S, Isa>(encoded[i++ % encoded.size()], h));
            benchmark::DoNotOptimize(h);
        });
    }

    template <std::int32_t alpha>
    static void add_rounding_rows()
    {
        static_assert(alpha % 2 == 0);
        add_row(dilithium_name("decompose", {alpha}), decompose<alpha / 2>);
        add_row(dilithium_name("make_hint", {alpha}), make_hint<alpha / 2>);
        add_row(dilithium_name("use_hint", {alpha}), use_hint<alpha / 2>);
    }

    template <int bits>
    static void add_packing_rows()
    {
        add_row(dilithium_name("encode", {bits}), encode<bits>);
        add_row(dilithium_name("decode", {bits}), decode<bits>);
    }

    template <Shape S>
    static void add_hint_rows()
    {
        add_row(dilithium_name("encode_hint_bits", {S.k, S.omega}), encode_hint_bits<S>);
        add_row(dilithium_name("decode_hint_bits", {S.k, S.omega}), decode_hint_bits<S>);
    }
};

/// Adds the rows of all components on an engine's lanes: in the order of the dilithium library's
/// tables, then Falcon's and ML-KEM's.
template <class Isa>
void add_component_rows()
{
    using Rows = Components<Isa>;
    constexpr Shape d2 = ml_dsa::dilithium2.shape();
    constexpr Shape d3 = ml_dsa::dilithium3.shape();
    constexpr Shape d5 = ml_dsa::dilithium5.shape();

    add_row(dilithium_name("ntt"), Rows::ntt);
    add_row(dilithium_name("intt"), Rows::intt);

    add_row(dilithium_name("power2round"), Rows::power2round);
    Rows::template add_rounding_rows<2 * d2.gamma2>();
    Rows::template add_rounding_rows<2 * d3.gamma2>();

    add_row(dilithium_name("expand_a", {d2.k, d2.l}), Rows::template expand_a<d2>);
    add_row(dilithium_name("expand_a", {d3.k, d3.l}), Rows::template expand_a<d3>);
    add_row(dilithium_name("expand_a", {d5.k, d5.l}), Rows::template expand_a<d5>);

    add_row(dilithium_name("expand_s", {d2.eta, d2.k}), Rows::template expand_s<d2>);
    add_row(dilithium_name("expand_s", {d5.eta, d5.k}), Rows::template expand_s<d5>);
    add_row(dilithium_name("expand_s", {d3.eta, d3.k}), Rows::template expand_s<d3>);

    add_row(dilithium_name("expand_mask", {d2.gamma1, d2.l}), Rows::template expand_mask<d2>);
    add_row(dilithium_name("expand_mask", {d3.gamma1, d3.l}), Rows::template expand_mask<d3>);
    add_row(dilithium_name("expand_mask", {d5.gamma1, d5.l}), Rows::template expand_mask<d5>);

    add_row(dilithium_name("sample_in_ball", {d2.tau}), Rows::template sample_in_ball<d2>);
    add_row(dilithium_name("sample_in_ball", {d3.tau}), Rows::template sample_in_ball<d3>);
    add_row(dilithium_name("sample_in_ball", {d5.tau}), Rows::template sample_in_ball<d5>);

    Rows::template add_packing_rows<d2.eta_bits()>();
    Rows::template add_packing_rows<d3.eta_bits()>();
    Rows::template add_packing_rows<d2.w1_bits()>();
    Rows::template add_packing_rows<ml_dsa::Shape::t1_bits>();
    Rows::template add_packing_rows<ml_dsa::d>();
    Rows::template add_packing_rows<d2.z_bits()>();
    Rows::template add_packing_rows<d3.z_bits()>();

    Rows::template add_hint_rows<d2>();
    Rows::template add_hint_rows<d3>();
    Rows::template add_hint_rows<d5>();

    add_falcon_component_rows<Isa>();
    add_ml_kem_component_rows<Isa>();
}

}  // namespace girih::lab
