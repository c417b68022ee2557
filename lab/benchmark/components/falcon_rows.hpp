/// The rows of Falcon's components that each engine has of its own (see rows.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "falcon/keygen/keygen.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "falcon/sampling/speculative_sampler.hpp"
#include "falcon/standard/sign.hpp"
#include "falcon/standard/verify.hpp"
#include "lab/benchmark/rows.hpp"

namespace girih::lab {

template <class Isa, falcon::Shape S>
struct FalconComponents {
    using State = benchmark::State;
    using Fpr = typename Isa::Fpr;
    static constexpr std::size_t n = S.n();

    static void add(std::string_view component, std::string_view title, Row row)
    {
        const Scheme scheme{"bench_falcon::", "Falcon-" + std::to_string(n) + ": "};
        add_component(scheme, component, {n}, title, row);
    }

    /// Random coefficients between two bounds.
    template <class Poly>
    static Poly random_poly(std::int64_t low, std::int64_t high)
    {
        Random random;
        Poly f;
        for (auto& a : f) a = static_cast<std::decay_t<decltype(a)>>(random.between(low, high));
        return f;
    }
    static auto random_residues() { return random_poly<falcon::ResiduePoly<n>>(0, falcon::q - 1); }
    static auto random_short() { return random_poly<falcon::ShortPoly<n>>(-300, 300); }

    /// A row of a copy and a transform: in place its numbers would grow without end.
    template <auto transform>
    static void each_transform(State& state)
    {
        Random random;
        auto f = std::make_unique<falcon::Poly<Fpr, n>>();
        for (Fpr& a : *f) a = Fpr::of(random.between(-6000, 6000));
        expose(*f);
        auto to = std::make_unique<falcon::Poly<Fpr, n>>();
        each_call(state, [&] {
            *to = *f;
            transform(*to);
        });
    }

    static void add_transform_rows()
    {
        add("fft", "FFT of a polynomial", each_transform<[](auto& f) { falcon::fft<Fpr>(f); }>);
        add("ifft", "inverse FFT of a polynomial",
            each_transform<[](auto& f) { falcon::inverse_fft<Fpr>(f); }>);
        // c - s h: two transforms, one product.
        add("ntt_product", "product of two polynomials by NTT", [](State& state) {
            falcon::PreparedFactor<Isa, n> h;
            h.prepare(random_residues());
            const auto c = random_residues();
            const auto s2 = random_short();
            transform::Points<n> s;
            expose(s);
            each_call(state, [&] {
                std::copy(s2.begin(), s2.end(), s.c.begin());
                h.subtract_product(c, s);
            });
        });
    }

    static void add_sampling_rows()
    {
        add("sample_leaf", "two samples of integers at a leaf of the tree", [](State& state) {
            std::array<Byte, falcon::seed_bytes> seed;
            Random{}.fill(seed);
            keccak::Shake256<Isa> source;
            source.absorb(seed);
            typename falcon::UsualSampler<Isa>::Type sampler{S.sigma_min(), source};
            falcon::Poly<Fpr, 2> t{Fpr{0.25}, Fpr{0.75}};
            falcon::Poly<Fpr, 2> z;
            expose(t);
            expose(z);
            each_call(state, [&] {
                sampler.sample_leaf(Fpr{1 / 1.5}, t, z);
                // Another centre for the next one, which has to wait for this one, as in a
                // signature. (Less than half, or it grows.)
                t[0] = (t[0] + z[0]) * Fpr{0.40625};
                t[1] = (t[1] + z[1]) * Fpr{0.34375};
            });
        });
        add("hash_to_point", "HashToPoint of a 32-byte message", [](State& state) {
            std::array<Byte, falcon::salt_bytes> salt;
            std::array<Byte, 32> message;
            Random random;
            random.fill(salt);
            random.fill(message);
            falcon::ResiduePoly<n> c;
            expose(c);
            each_call(state, [&] {
                ++salt[0];
                falcon::hash_message<Isa, n>(salt, message, c);
            });
        });
    }

    static void add_encoding_rows()
    {
        using Signature = std::array<Byte, S.signature_bytes(falcon::Format::padded)>;
        using PublicKey = std::array<Byte, S.public_key_bytes()>;
        add("compress", "compression of a signature", [](State& state) {
            const auto s = random_short();
            Signature bytes;
            expose(bytes);
            each_call(state, [&] { (void)falcon::compress_vartime<Isa, n>(s, bytes); });
        });
        add("decompress", "decompression of a signature", [](State& state) {
            const auto from = random_short();
            Signature bytes;
            const std::size_t used = falcon::compress_vartime<Isa, n>(from, bytes);
            falcon::ShortPoly<n> s;
            expose(s);
            each_call(state,
                      [&] { (void)falcon::decompress_vartime<Isa, n>(BytesIn<>{bytes}.first(used), s); });
        });
        add("encode_public_key", "packing of a public key", [](State& state) {
            const auto h = random_residues();
            PublicKey bytes;
            expose(bytes);
            each_call(state, [&] { falcon::encode_public_key<S, Isa>(h, bytes); });
        });
        add("decode_public_key", "unpacking of a public key", [](State& state) {
            PublicKey bytes;
            falcon::encode_public_key<S, Isa>(random_residues(), bytes);
            falcon::ResiduePoly<n> h;
            expose(h);
            each_call(state, [&] { (void)falcon::decode_public_key<S, Isa>(bytes, h); });
        });
    }

    /// F and G of an f and g that have them.
    static void ntru_solve(State& state)
    {
        std::array<Byte, falcon::seed_bytes> seed;
        Random{}.fill(seed);
        falcon::SmallPoly<n> f;
        falcon::SmallPoly<n> g;
        std::array<Byte, S.secret_key_bytes()> sk;
        const falcon::DrawnPair<S> pair{sk};
        std::uint32_t attempt = 0;
        do {
            falcon::draw_pair<S, Isa>(seed, attempt++, pair.f, pair.g);
            f = pair.f;
            g = pair.g;
        } while (!falcon::is_short<Isa, n>(f, g) || !falcon::complete<S, Isa>(sk, pair));
        Wiped<falcon::NtruSolver<Isa, S.logn>> solver{uninitialized};
        each_call(state, [&] {
            if (solver->solve(f, g) == nullptr) fail(state, "ntru_solve: no solution");
        });
    }

    static void add_rows()
    {
        add_transform_rows();
        add_sampling_rows();
        add_encoding_rows();
        add("ntru_solve", "NTRUSolve, F and G of f and g", ntru_solve);
    }
};

}  // namespace girih::lab
