/// The rows of ML-DSA's components that each engine has of its own (see rows.hpp).
#pragma once

#include <array>

#include "lab/benchmark/rows.hpp"
#include "ml_dsa/encoding/hint.hpp"
#include "ml_dsa/kernels/ntt.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/lanes/sampling.hpp"

namespace girih::lab {

template <class Isa>
struct MlDsaComponents {
    using State = benchmark::State;
    using V = typename Isa::Integers;
    using Shape = ml_dsa::Shape;

    static void add(std::string_view component, std::initializer_list<std::int64_t> arguments,
                    std::string_view title, Row row)
    {
        add_component(lattice_of_both, component, arguments, title, row);
    }

    /// Random coefficients that keep a polynomial's bound.
    template <class Poly>
    static Poly random_poly()
    {
        Poly poly;
        poly.c = random_coefficients(Poly::bound.low, Poly::bound.high);
        return poly;
    }

    /// Times F::run(a, b) over pairs of coefficients, a vector of them after another. An iteration
    /// is one coefficient.
    template <class F>
    static void each_pair(State& state, std::int32_t low, std::int32_t high)
    {
        auto a = random_coefficients(low, high);
        auto b = random_coefficients(0, ml_dsa::q - 1);
        expose(a);
        expose(b);
        lab::each_call(state, ml_dsa::n, [&] {
            for (std::size_t i = 0; i < ml_dsa::n; i += Isa::integer_lanes)
                F::run(Isa::load(&a[i]), Isa::load(&b[i]));
        });
    }
    struct Power2round {
        static void run(V, V r)
        {
            auto parts = ml_dsa::power2round(r);
            benchmark::DoNotOptimize(parts.high);
            benchmark::DoNotOptimize(parts.low);
        }
    };
    template <std::int32_t gamma2>
    struct Decompose {
        static void run(V, V r)
        {
            auto parts = ml_dsa::decompose<gamma2>(r);
            benchmark::DoNotOptimize(parts.high);
            benchmark::DoNotOptimize(parts.low);
        }
    };
    template <std::int32_t gamma2>
    struct MakeHint {
        static void run(V z, V r)
        {
            auto hint = ml_dsa::make_hint<gamma2>(z, r);
            benchmark::DoNotOptimize(hint);
        }
    };
    template <std::int32_t gamma2>
    struct UseHint {
        static void run(V hint, V r)
        {
            auto high = ml_dsa::use_hint<gamma2>(hint, r);
            benchmark::DoNotOptimize(high);
        }
    };

    template <std::int32_t gamma2>
    static void add_rounding_rows()
    {
        add("decompose", {2 * gamma2}, "Decompose of a coefficient, 2 gamma2 = {0}",
            [](State& state) { each_pair<Decompose<gamma2>>(state, 0, 1); });
        add("make_hint", {2 * gamma2}, "MakeHint of a coefficient, 2 gamma2 = {0}",
            [](State& state) { each_pair<MakeHint<gamma2>>(state, -gamma2, gamma2); });
        add("use_hint", {2 * gamma2}, "UseHint of a coefficient, 2 gamma2 = {0}",
            [](State& state) { each_pair<UseHint<gamma2>>(state, 0, 1); });
    }

    static void add_transform_rows()
    {
        add("ntt", {}, "NTT of a polynomial", [](State& state) {
            using Poly = ml_dsa::Poly<ml_dsa::Form::coefficients, ml_dsa::Bound::canonical(ml_dsa::q)>;
            auto w = random_poly<Poly>();
            expose(w);
            each_call(state, [&] {
                auto w_hat = ml_dsa::ntt<Isa>(w);
                benchmark::DoNotOptimize(w_hat);
            });
        });
        add("intt", {}, "inverse NTT of a polynomial", [](State& state) {
            auto w_hat = random_poly<ml_dsa::Poly<ml_dsa::Form::ntt_product, ml_dsa::reduced_bound>>();
            expose(w_hat);
            each_call(state, [&] {
                auto w = ml_dsa::inverse_ntt<Isa>(w_hat);
                benchmark::DoNotOptimize(w);
            });
        });
    }

    /// A row of f(seed, object), of another seed in each iteration.
    template <std::size_t size, class Object, auto f>
    static void each_seed(State& state)
    {
        std::array<Byte, size> seed;
        Random{}.fill(seed);
        Object object;
        expose(object);
        each_call(state, [&] {
            store_le64(seed.data(), load_le64(seed.data()) + 1);
            f(BytesIn<size>{seed}, object);
        });
    }

    template <Shape S>
    static void add_matrix_row()
    {
        add("expand_a", {S.k, S.l}, "ExpandA, the matrix of {0} x {1} polynomials",
            each_seed<ml_dsa::rho_bytes, ml_dsa::Matrix<S>,
                      [](auto rho, auto& a_hat) { ml_dsa::expand_a_in_lanes<S, Isa>(rho, a_hat); }>);
    }
    /// One vector of k polynomials: half of ExpandS (FIPS 204, Algorithm 33), or a little more.
    template <Shape S>
    static void add_secret_row()
    {
        add("expand_s", {S.eta, S.k}, "half of ExpandS, {1} polynomials, eta = {0}",
            each_seed<ml_dsa::rho_prime_bytes, ml_dsa::PolyVector<S.k, ml_dsa::SecretPoly<S>>,
                      [](auto rho_prime, auto& s) {
                          auto tasks = keccak::make_tasks<S.k>([&](std::size_t r) {
                              return ml_dsa::BoundedTask<S, Isa>{rho_prime, r, s[r].c};
                          });
                          keccak::run<typename Isa::WideWords>(tasks);
                      }>);
    }
    template <Shape S>
    static void add_mask_row()
    {
        add("expand_mask", {S.gamma1, S.l}, "ExpandMask, {1} polynomials, gamma1 = {0}",
            each_seed<ml_dsa::rho_prime_bytes, ml_dsa::PolyVector<S.l, ml_dsa::MaskPoly<S>>,
                      [](auto rho_double_prime, auto& y) {
                          std::array<ml_dsa::MaskPolyTask<S, Isa>, S.l> tasks;
                          std::size_t finished = 0;
                          for (std::size_t r = 0; r < S.l; ++r) tasks[r].begin(rho_double_prime, r, finished);
                          keccak::run<typename Isa::WideWords>(tasks);
                          for (std::size_t r = 0; r < S.l; ++r)
                              ml_dsa::unpack_mask<S, Isa>(tasks[r].bytes(), y[r]);
                      }>);
    }
    template <Shape S>
    static void add_challenge_row()
    {
        add("sample_in_ball", {S.tau}, "SampleInBall, tau = {0}", [](State& state) {
            std::array<Byte, ml_dsa::dilithium2.c_tilde_bytes> c_tilde{};
            each_call(state, [&] {
                store_le64(c_tilde.data(), load_le64(c_tilde.data()) + 1);
                auto challenge = ml_dsa::sample_in_ball<S, Isa>(c_tilde);
                benchmark::DoNotOptimize(challenge);
            });
        });
    }

    template <int bits>
    static void add_packing_rows()
    {
        using Packed = std::array<Byte, ml_dsa::packed_bytes(bits)>;
        add("encode", {bits}, "packing of a polynomial, {0} bits a coefficient", [](State& state) {
            using Poly = ml_dsa::Poly<ml_dsa::Form::coefficients, ml_dsa::Bound{0, (1 << bits) - 1}>;
            auto w = random_poly<Poly>();
            Packed bytes;
            expose(w);
            expose(bytes);
            each_call(state, [&] { ml_dsa::simple_bit_pack<bits, Isa>(w, bytes); });
        });
        add("decode", {bits}, "unpacking of a polynomial, {0} bits a coefficient", [](State& state) {
            Packed bytes;
            Random{}.fill(bytes);
            expose(bytes);
            each_call(state, [&] {
                auto w = ml_dsa::simple_bit_unpack<bits, Isa>(bytes);
                benchmark::DoNotOptimize(w);
            });
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
    static void add_hint_rows()
    {
        using Packed = std::array<Byte, S.omega + S.k>;
        add("encode_hint_bits", {S.k, S.omega}, "HintBitPack, {0} polynomials, omega = {1}",
            [](State& state) {
                auto hints = random_hints<S>();
                Packed bytes;
                expose(hints);
                expose(bytes);
                std::size_t i = 0;
                each_call(state, [&] { ml_dsa::hint_bit_pack<S, Isa>(hints[i++ % hints.size()], bytes); });
            });
        add("decode_hint_bits", {S.k, S.omega}, "HintBitUnpack, {0} polynomials, omega = {1}",
            [](State& state) {
                const auto hints = random_hints<S>();
                std::array<Packed, hints.size()> encoded;
                for (std::size_t i = 0; i < hints.size(); ++i)
                    ml_dsa::hint_bit_pack<S, Isa>(hints[i], encoded[i]);
                expose(encoded);
                std::size_t i = 0;
                each_call(state, [&] {
                    ml_dsa::Hint<S> h;
                    benchmark::DoNotOptimize(
                        ml_dsa::hint_bit_unpack<S, Isa>(encoded[i++ % encoded.size()], h));
                    benchmark::DoNotOptimize(h);
                });
            });
    }

    /// In the order of the dilithium library's tables.
    static void add_rows()
    {
        constexpr Shape d2 = ml_dsa::dilithium2.shape();
        constexpr Shape d3 = ml_dsa::dilithium3.shape();
        constexpr Shape d5 = ml_dsa::dilithium5.shape();
        add_transform_rows();
        add("power2round", {}, "Power2Round of a coefficient",
            [](State& state) { each_pair<Power2round>(state, 0, 1); });
        add_rounding_rows<d2.gamma2>();
        add_rounding_rows<d3.gamma2>();
        add_matrix_row<d2>();
        add_matrix_row<d3>();
        add_matrix_row<d5>();
        add_secret_row<d2>();
        add_secret_row<d5>();
        add_secret_row<d3>();
        add_mask_row<d2>();
        add_mask_row<d3>();
        add_mask_row<d5>();
        add_challenge_row<d2>();
        add_challenge_row<d3>();
        add_challenge_row<d5>();
        add_packing_rows<d2.eta_bits()>();
        add_packing_rows<d3.eta_bits()>();
        add_packing_rows<d2.w1_bits()>();
        add_packing_rows<Shape::t1_bits>();
        add_packing_rows<ml_dsa::d>();
        add_packing_rows<d2.z_bits()>();
        add_packing_rows<d3.z_bits()>();
        add_hint_rows<d2>();
        add_hint_rows<d3>();
        add_hint_rows<d5>();
    }
};

}  // namespace girih::lab
