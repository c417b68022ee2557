/// The rows of ML-KEM's components that each engine has of its own (see rows.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "lab/benchmark/rows.hpp"
#include "lab/measure/random.hpp"
#include "ml_kem/encrypt.hpp"

namespace girih::lab {

template <class Isa>
struct MlKemComponents {
    using State = benchmark::State;
    using Coefficients = ml_kem::Coefficients;

    /// Times f.
    template <class F>
    static void each_call(State& state, F f)
    {
        lab::each_call(state, 1, [&] {
            f();
            benchmark::ClobberMemory();
        });
    }

    static void draw(Coefficients& c, std::int64_t low, std::int64_t high)
    {
        Random random;
        for (ml_kem::Coefficient& a : c) a = static_cast<ml_kem::Coefficient>(random.between(low, high));
        expose(c);
    }

    /// Random coefficients that keep a polynomial's bound.
    template <class P>
    static void draw(P& poly)
    {
        draw(poly.c, P::bound.low, P::bound.high);
    }

    static void ntt(State& state)
    {
        ml_kem::NoisePoly f;
        ml_kem::NttPoly f_hat;
        draw(f);
        expose(f_hat);
        each_call(state, [&] { ml_kem::ntt<Isa>(f, f_hat); });
    }

    static void inverse_ntt(State& state)
    {
        ml_kem::ProductPoly f_hat;
        ml_kem::RingPoly f;
        draw(f_hat);
        expose(f);
        each_call(state, [&] { ml_kem::inverse_ntt<Isa>(f_hat, f); });
    }

    static void make_factor(State& state)
    {
        ml_kem::NttPoly f;
        ml_kem::Factor factor;
        draw(f);
        expose(factor);
        each_call(state, [&] { ml_kem::make_factor<Isa>(f.c, factor); });
    }

    /// The product of a row and a vector of k polynomials.
    template <ml_kem::Params P>
    static void dot(State& state)
    {
        std::array<ml_kem::PublicPoly, P.k> row;
        std::array<ml_kem::Factor, P.k> vector;
        for (ml_kem::PublicPoly& poly : row) draw(poly);
        for (ml_kem::Factor& factor : vector) {
            draw(factor.straight, -ml_kem::reduced_bound, ml_kem::reduced_bound);
            draw(factor.crossed, -ml_kem::reduced_bound, ml_kem::reduced_bound);
        }
        ml_kem::ProductPoly sum;
        expose(sum);
        each_call(state, [&] {
            ml_kem::dot<Isa>(std::span<const ml_kem::PublicPoly>{row},
                             std::span<const ml_kem::Factor>{vector}, sum);
        });
    }

    /// The k^2 polynomials of A^, of another rho in each iteration.
    template <ml_kem::Params P>
    static void sample_matrix(State& state)
    {
        std::array<ml_kem::PublicPoly, P.k * P.k> a_hat;
        std::array<Byte, ml_kem::rho_bytes> rho{};
        expose(a_hat);
        each_call(state, [&] {
            store_le64(rho.data(), load_le64(rho.data()) + 1);
            ml_kem::MatrixTasks<Isa, 1> tasks;
            ml_kem::add_matrix_tasks<Isa>(P.k, rho, ml_kem::Orientation::as_is, a_hat.data(), tasks);
            keccak::run_all<Isa>(tasks);
        });
    }

    /// y, e1 and e2 of an encryption: 2 k + 1 polynomials.
    template <ml_kem::Params P>
    static void sample_noise(State& state)
    {
        const auto noise = std::make_unique<ml_kem::Noise>();
        std::array<Byte, ml_kem::sigma_bytes> r{};
        expose(*noise);
        each_call(state, [&] {
            store_le64(r.data(), load_le64(r.data()) + 1);
            keccak::TaskArray<ml_kem::NoiseTask<Isa>, 2 * P.k + 1> tasks;
            ml_kem::add_noise_tasks<Isa>(P, r, *noise, tasks);
            keccak::run_all<Isa>(tasks);
        });
    }

    template <int d>
    static void compress(State& state)
    {
        ml_kem::RingPoly f;
        std::array<Byte, ml_kem::packed_bytes(d)> bytes;
        draw(f);
        expose(bytes);
        each_call(state, [&] { ml_kem::compress_and_encode<d, Isa>(f.c, bytes); });
    }

    template <int d>
    static void decompress(State& state)
    {
        ml_kem::DecompressedPoly f;
        std::array<Byte, ml_kem::packed_bytes(d)> bytes;
        Random{}.fill(bytes);
        expose(bytes);
        expose(f);
        each_call(state, [&] { ml_kem::decode_and_decompress<d, Isa>(bytes, f); });
    }

    static void encode(State& state)
    {
        Coefficients f;
        std::array<Byte, ml_kem::poly_bytes> bytes;
        draw(f, 0, ml_kem::q - 1);
        expose(bytes);
        each_call(state, [&] { ml_kem::byte_encode<ml_kem::coefficient_bits, Isa>(f, bytes); });
    }

    /// With the modulus check.
    static void decode(State& state)
    {
        std::array<Byte, ml_kem::poly_bytes> bytes;
        std::array<ml_kem::PublicPoly, 1> t_hat;
        Random{}.fill(bytes);
        expose(bytes);
        expose(t_hat);
        each_call(state, [&] {
            bool is_good = ml_kem::decode_public_vector<Isa>(bytes, t_hat);
            benchmark::DoNotOptimize(is_good);
        });
    }

    template <int d>
    static void add_compression_rows()
    {
        add_row(ml_kem_name("compress", {d}), compress<d>);
        add_row(ml_kem_name("decompress", {d}), decompress<d>);
    }

    template <ml_kem::Params P>
    static void add_set_rows()
    {
        constexpr auto k = static_cast<std::int64_t>(P.k);
        add_row(ml_kem_name("dot", {k}), dot<P>);
        add_row(ml_kem_name("sample_matrix", {k}), sample_matrix<P>);
        add_row(ml_kem_name("sample_noise", {k}), sample_noise<P>);
    }
};

/// Adds the rows of ML-KEM's components on an engine's lanes.
template <class Isa>
void add_ml_kem_component_rows()
{
    using Rows = MlKemComponents<Isa>;
    add_row(ml_kem_name("ntt"), Rows::ntt);
    add_row(ml_kem_name("intt"), Rows::inverse_ntt);
    add_row(ml_kem_name("make_factor"), Rows::make_factor);
    Rows::template add_set_rows<ml_kem::ml_kem_512>();
    Rows::template add_set_rows<ml_kem::ml_kem_768>();
    Rows::template add_set_rows<ml_kem::ml_kem_1024>();
    Rows::template add_compression_rows<4>();
    Rows::template add_compression_rows<5>();
    Rows::template add_compression_rows<10>();
    Rows::template add_compression_rows<11>();
    add_row(ml_kem_name("encode", {ml_kem::coefficient_bits}), Rows::encode);
    add_row(ml_kem_name("decode", {ml_kem::coefficient_bits}), Rows::decode);
}

}  // namespace girih::lab
