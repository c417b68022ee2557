/// The rows of ML-KEM's components that each engine has of its own (see rows.hpp).
#pragma once

#include <array>
#include <memory>
#include <span>

#include "lab/benchmark/rows.hpp"
#include "ml_kem/lanes/encryption.hpp"

namespace girih::lab {

template <class Isa>
struct MlKemComponents {
    using State = benchmark::State;
    using Coefficients = ml_kem::Coefficients;

    static void add(std::string_view component, std::initializer_list<std::int64_t> arguments,
                    std::string_view title, Row row)
    {
        add_component(ml_kem_components, component, arguments, title, row);
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

    static void add_transform_rows()
    {
        add("ntt", {}, "NTT of a polynomial", [](State& state) {
            ml_kem::NoisePoly f;
            ml_kem::NttPoly f_hat;
            draw(f);
            expose(f_hat);
            each_call(state, [&] { ml_kem::ntt<Isa>(f, f_hat); });
        });
        add("intt", {}, "inverse NTT of a polynomial", [](State& state) {
            ml_kem::ProductPoly f_hat;
            ml_kem::RingPoly f;
            draw(f_hat);
            expose(f);
            each_call(state, [&] { ml_kem::inverse_ntt<Isa>(f_hat, f); });
        });
        add("make_factor", {}, "a polynomial made ready to be a factor", [](State& state) {
            ml_kem::NttPoly f;
            ml_kem::Factor factor;
            draw(f);
            expose(factor);
            each_call(state, [&] { ml_kem::make_factor<Isa>(f.c, factor); });
        });
    }

    template <ml_kem::Params P>
    static void add_set_rows()
    {
        constexpr auto k = static_cast<std::int64_t>(P.k);
        add("dot", {k}, "product of a row and a column of {0} polynomials", [](State& state) {
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
        });
        // Each iteration has another rho, as that of the noise has another r.
        add("sample_matrix", {k}, "the matrix of {0} x {0} polynomials", [](State& state) {
            std::array<ml_kem::PublicPoly, P.k * P.k> a_hat;
            std::array<Byte, ml_kem::rho_bytes> rho{};
            expose(a_hat);
            each_call(state, [&] {
                store_le64(rho.data(), load_le64(rho.data()) + 1);
                ml_kem::MatrixTasks<Isa, 1> tasks;
                ml_kem::add_matrix_tasks<Isa>(P.k, rho, ml_kem::Orientation::as_is, a_hat.data(), tasks);
                keccak::run_all<Isa>(tasks);
            });
        });
        // y, e1 and e2 of an encryption: 2 k + 1 polynomials.
        add("sample_noise", {k}, "noise of {0} polynomials", [](State& state) {
            const auto noise = std::make_unique<ml_kem::Noise>();
            std::array<Byte, ml_kem::sigma_bytes> r{};
            expose(*noise);
            each_call(state, [&] {
                store_le64(r.data(), load_le64(r.data()) + 1);
                keccak::TaskArray<ml_kem::NoiseTask<Isa>, 2 * P.k + 1> tasks;
                ml_kem::add_noise_tasks<Isa>(P, r, *noise, tasks);
                keccak::run_all<Isa>(tasks);
            });
        });
    }

    template <int d>
    static void add_compression_rows()
    {
        using Packed = std::array<Byte, ml_kem::packed_bytes(d)>;
        add("compress", {d}, "Compress and ByteEncode of a polynomial, {0} bits a coefficient",
            [](State& state) {
                ml_kem::RingPoly f;
                Packed bytes;
                draw(f);
                expose(bytes);
                each_call(state, [&] { ml_kem::compress_and_encode<d, Isa>(f.c, bytes); });
            });
        add("decompress", {d}, "ByteDecode and Decompress of a polynomial, {0} bits a coefficient",
            [](State& state) {
                ml_kem::DecompressedPoly f;
                Packed bytes;
                Random{}.fill(bytes);
                expose(bytes);
                expose(f);
                each_call(state, [&] { ml_kem::decode_and_decompress<d, Isa>(bytes, f); });
            });
    }

    static void add_encoding_rows()
    {
        using Packed = std::array<Byte, ml_kem::poly_bytes>;
        constexpr auto bits = ml_kem::coefficient_bits;
        add("encode", {bits}, "ByteEncode of a polynomial, {0} bits a coefficient", [](State& state) {
            Coefficients f;
            Packed bytes;
            draw(f, 0, ml_kem::q - 1);
            expose(bytes);
            each_call(state, [&] { ml_kem::byte_encode<bits, Isa>(f, bytes); });
        });
        add("decode", {bits}, "ByteDecode of a polynomial with its check, {0} bits a coefficient",
            [](State& state) {
                Packed bytes;
                std::array<ml_kem::PublicPoly, 1> t_hat;
                Random{}.fill(bytes);
                expose(bytes);
                expose(t_hat);
                each_call(state, [&] {
                    bool is_good = ml_kem::decode_public_vector<Isa>(bytes, t_hat);
                    benchmark::DoNotOptimize(is_good);
                });
            });
    }

    static void add_rows()
    {
        add_transform_rows();
        add_set_rows<ml_kem::ml_kem_512>();
        add_set_rows<ml_kem::ml_kem_768>();
        add_set_rows<ml_kem::ml_kem_1024>();
        add_compression_rows<4>();
        add_compression_rows<5>();
        add_compression_rows<10>();
        add_compression_rows<11>();
        add_encoding_rows();
    }
};

}  // namespace girih::lab
