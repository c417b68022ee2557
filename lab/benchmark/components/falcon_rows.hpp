/// The rows of Falcon's components that each engine has of its own (see rows.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "falcon/hash_to_point.hpp"
#include "falcon/keygen/keygen.hpp"
#include "falcon/sampling/speculative_sampler.hpp"
#include "falcon/sign.hpp"
#include "falcon/verify.hpp"
#include "lab/benchmark/rows.hpp"
#include "lab/measure/random.hpp"

namespace girih::lab {

template <class Isa, falcon::Params P>
struct FalconComponents {
    using State = benchmark::State;
    using Fpr = typename Isa::Fpr;
    static constexpr std::size_t n = P.n();

    /// Times f.
    template <class F>
    static void each_call(State& state, F f)
    {
        lab::each_call(state, 1, [&] {
            f();
            benchmark::ClobberMemory();
        });
    }

    /// Numbers that transforms there and back leave as they are, but for rounding.
    static auto random_polynomial()
    {
        Random random;
        auto f = std::make_unique<falcon::Poly<Fpr, n>>();
        for (Fpr& a : *f) a = Fpr::of(random.between(-6000, 6000));
        expose(*f);
        return f;
    }
    static falcon::ResiduePoly<n> random_residues()
    {
        Random random;
        falcon::ResiduePoly<n> f;
        for (auto& a : f) a = static_cast<falcon::Residue>(random.between(0, falcon::q - 1));
        return f;
    }
    static falcon::ShortPoly<n> random_short()
    {
        Random random;
        falcon::ShortPoly<n> f;
        for (auto& a : f) a = static_cast<std::int16_t>(random.between(-300, 300));
        return f;
    }

    /// A transform is a copy and the transform: in place its numbers would grow without end.
    static void fft(State& state)
    {
        const auto f = random_polynomial();
        auto to = std::make_unique<falcon::Poly<Fpr, n>>();
        each_call(state, [&] {
            *to = *f;
            falcon::fft<Fpr>(*to);
        });
    }
    static void inverse_fft(State& state)
    {
        const auto f = random_polynomial();
        auto to = std::make_unique<falcon::Poly<Fpr, n>>();
        each_call(state, [&] {
            *to = *f;
            falcon::inverse_fft<Fpr>(*to);
        });
    }

    /// c - s h: two transforms, one product.
    static void ntt_product(State& state)
    {
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
    }

    /// Both integers of a leaf.
    static void sample_leaf(State& state)
    {
        std::array<Byte, falcon::seed_bytes> seed;
        Random{}.fill(seed);
        keccak::Shake256<Isa> source;
        source.absorb(seed);
        typename falcon::UsualSampler<Isa>::Type sampler{P.sigma_min(), source};
        falcon::Poly<Fpr, 2> t{Fpr{0.25}, Fpr{0.75}};
        falcon::Poly<Fpr, 2> z;
        expose(t);
        expose(z);
        each_call(state, [&] {
            sampler.sample_leaf(Fpr{1 / 1.5}, t, z);
            // Another centre for the next one, which has to wait for this one, as in a signature.
            // (Less than half, or it grows.)
            t[0] = (t[0] + z[0]) * Fpr{0.40625};
            t[1] = (t[1] + z[1]) * Fpr{0.34375};
        });
    }

    static void hash_to_point(State& state)
    {
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
    }

    static void compress(State& state)
    {
        const auto s = random_short();
        std::array<Byte, P.signature_bytes()> bytes;
        expose(bytes);
        each_call(state, [&] { (void)falcon::compress_vartime<Isa, n>(s, bytes); });
    }
    static void decompress(State& state)
    {
        const auto from = random_short();
        std::array<Byte, P.signature_bytes()> bytes;
        const std::size_t used = falcon::compress_vartime<Isa, n>(from, bytes);
        falcon::ShortPoly<n> s;
        expose(s);
        each_call(state, [&] { (void)falcon::decompress_vartime<Isa, n>(BytesIn<>{bytes}.first(used), s); });
    }
    static void encode_public_key(State& state)
    {
        const auto h = random_residues();
        std::array<Byte, P.public_key_bytes()> bytes;
        expose(bytes);
        each_call(state, [&] { falcon::encode_public_key<P, Isa>(h, bytes); });
    }
    static void decode_public_key(State& state)
    {
        std::array<Byte, P.public_key_bytes()> bytes;
        falcon::encode_public_key<P, Isa>(random_residues(), bytes);
        falcon::ResiduePoly<n> h;
        expose(h);
        each_call(state, [&] { (void)falcon::decode_public_key<P, Isa>(bytes, h); });
    }

    /// F and G of an f and g that have them.
    static void ntru_solve(State& state)
    {
        std::array<Byte, falcon::seed_bytes> seed;
        Random{}.fill(seed);
        falcon::SmallPoly<n> f;
        falcon::SmallPoly<n> g;
        std::array<Byte, P.secret_key_bytes()> sk;
        const falcon::DrawnPair<P> pair{sk};
        std::uint32_t attempt = 0;
        do {
            falcon::draw_pair<P, Isa>(seed, attempt++, pair.f, pair.g);
            f = pair.f;
            g = pair.g;
        } while (!falcon::is_short<Isa, n>(f, g) || !falcon::complete<P, Isa>(sk, pair));
        Wiped<falcon::FastNtruSolver<Isa, P.logn>> solver{unset};
        each_call(state, [&] {
            if (solver->solve(f, g) == nullptr) fail(state, "ntru_solve: no solution");
        });
    }

    static void add_rows()
    {
        const auto name = [](const char* component) {
            return std::string{"bench_falcon::"} + component + "<" + std::to_string(n) + ">";
        };
        add_row(name("fft"), fft);
        add_row(name("ifft"), inverse_fft);
        add_row(name("ntt_product"), ntt_product);
        add_row(name("sample_leaf"), sample_leaf);
        add_row(name("hash_to_point"), hash_to_point);
        add_row(name("compress"), compress);
        add_row(name("decompress"), decompress);
        add_row(name("encode_public_key"), encode_public_key);
        add_row(name("decode_public_key"), decode_public_key);
        add_row(name("ntru_solve"), ntru_solve);
    }
};

/// Adds the rows of Falcon's components on an engine's lanes.
template <class Isa>
void add_falcon_component_rows()
{
    FalconComponents<Isa, falcon::falcon_512>::add_rows();
    FalconComponents<Isa, falcon::falcon_1024>::add_rows();
}

}  // namespace girih::lab
