/// The kernels of an engine, instantiated in a translation unit of its own, inside its target
/// region. (No lambdas: g++ 12 compiles one that takes vectors without the engine's target.)
#pragma once

#include "falcon/sampling/candidate_lanes.hpp"
#include "falcon/sampling/logarithm.hpp"
#include "kernels/kernels.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "ml_dsa/lattice/rounding.hpp"
#include "ml_kem/encoding.hpp"
#include "ml_kem/hashing/sample.hpp"
#include "ml_kem/lattice/compress.hpp"
#include "ml_kem/lattice/ntt.hpp"
#include "ntru_prime/arithmetic/arithmetic.hpp"
#include "ntru_prime/encoding/encode.hpp"
#include "ntru_prime/hash.hpp"
#include "ntru_prime/sampling/sample.hpp"

namespace girih::test {

template <class Isa>
struct KernelsOf {
    static constexpr std::size_t lanes = Isa::integer_lanes;

    struct MlDsa {
        static void canonical(const Coefficients& a, Coefficients& out)
        {
            for (std::size_t i = 0; i < ml_dsa::n; i += lanes)
                Isa::store(&out[i], ml_dsa::canonical(Isa::load(&a[i])));
        }

        static void power2round(const Coefficients& r, Coefficients& high, Coefficients& low)
        {
            for (std::size_t i = 0; i < ml_dsa::n; i += lanes) {
                const auto parts = ml_dsa::power2round(Isa::load(&r[i]));
                Isa::store(&high[i], parts.high);
                Isa::store(&low[i], parts.low);
            }
        }

        template <std::int32_t gamma2>
        struct Rounding {
            static void decompose(const Coefficients& r, Coefficients& high, Coefficients& low)
            {
                for (std::size_t i = 0; i < ml_dsa::n; i += lanes) {
                    const auto parts = ml_dsa::decompose<gamma2>(Isa::load(&r[i]));
                    Isa::store(&high[i], parts.high);
                    Isa::store(&low[i], parts.low);
                }
            }
            static void make_hint(const Coefficients& z, const Coefficients& r, Coefficients& hint)
            {
                for (std::size_t i = 0; i < ml_dsa::n; i += lanes)
                    Isa::store(&hint[i], ml_dsa::make_hint<gamma2>(Isa::load(&z[i]), Isa::load(&r[i])));
            }
            static void make_hint_from_low(const Coefficients& low_after, const Coefficients& high,
                                           Coefficients& hint)
            {
                for (std::size_t i = 0; i < ml_dsa::n; i += lanes)
                    Isa::store(&hint[i], ml_dsa::make_hint_from_low<gamma2>(Isa::load(&low_after[i]),
                                                                            Isa::load(&high[i])));
            }
            static void use_hint(const Coefficients& hint, const Coefficients& r, Coefficients& high)
            {
                for (std::size_t i = 0; i < ml_dsa::n; i += lanes)
                    Isa::store(&high[i], ml_dsa::use_hint<gamma2>(Isa::load(&hint[i]), Isa::load(&r[i])));
            }
            static constexpr RoundingKernels table{gamma2, decompose, make_hint, make_hint_from_low,
                                                   use_hint};
        };

        static void montgomery_multiply(const Coefficients& a, const Coefficients& b, Coefficients& out)
        {
            for (std::size_t i = 0; i < ml_dsa::n; i += lanes)
                Isa::store(&out[i], ml_dsa::montgomery_multiply<Isa>(Isa::load(&a[i]), Isa::load(&b[i])));
        }

        static void montgomery_multiply_twiddle(const Coefficients& a, std::int32_t z, Coefficients& out)
        {
            const ml_dsa::Twiddle<typename Isa::Integers> twiddle{
                Isa::broadcast(z), Isa::broadcast(ml_dsa::montgomery_quotient(z))};
            for (std::size_t i = 0; i < ml_dsa::n; i += lanes)
                Isa::store(&out[i], ml_dsa::montgomery_multiply<Isa>(Isa::load(&a[i]), twiddle));
        }

        static void ntt(Coefficients& w) { ml_dsa::kernels::ntt<Isa>(w, w); }
        static void inverse_ntt(Coefficients& w) { ml_dsa::kernels::inverse_ntt<Isa>(w, w); }
        static bool any_at_least(const Coefficients& a, std::int32_t limit)
        {
            return ml_dsa::any_at_least<Isa>(a, limit);
        }

        template <int bits, std::int32_t b = 0>
        struct Packing {
            static constexpr std::size_t size = ml_dsa::packed_bytes(bits);
            static constexpr std::int32_t highest = b == 0 ? (1 << bits) - 1 : b;
            using Poly =
                ml_dsa::Poly<ml_dsa::Form::coefficients, ml_dsa::Bound{highest - (1 << bits) + 1, highest}>;

            static void pack(const Coefficients& v, Byte* bytes)
            {
                Poly poly;
                poly.c = v;
                if constexpr (b == 0)
                    ml_dsa::simple_bit_pack<bits, Isa>(poly, BytesOut<size>{bytes, size});
                else
                    ml_dsa::bit_pack<bits, b, Isa>(poly, BytesOut<size>{bytes, size});
            }
            static void unpack(const Byte* bytes, Coefficients& v)
            {
                if constexpr (b == 0)
                    v = ml_dsa::simple_bit_unpack<bits, Isa>(BytesIn<size>{bytes, size}).c;
                else
                    v = ml_dsa::bit_unpack<bits, b, Isa, ml_dsa::Secrecy::secret>(BytesIn<size>{bytes, size})
                            .c;
            }
            static constexpr PackingKernels table{bits, b, pack, unpack};
        };

        template <ml_dsa::Params P>
        struct Set {
            static bool accepts_signature(const Byte* signature)
            {
                constexpr std::size_t size = P.signature_bytes();
                ml_dsa::Signature<P.shape()> decoded;
                return ml_dsa::sig_decode<P.shape(), Isa>(P, BytesIn<size>{signature, size}, decoded);
            }
            static bool accepts_secret_key(const Byte* secret_key)
            {
                constexpr std::size_t size = P.secret_key_bytes();
                ml_dsa::SecretKey<P.shape()> key;
                return ml_dsa::sk_decode<P.shape(), Isa>(P, BytesIn<size>{secret_key, size}, key);
            }
            static void hint_pack(const Coefficients* hint, Byte* bytes)
            {
                ml_dsa::Hint<P.shape()> h;
                for (std::size_t i = 0; i < P.k; ++i) h[i].c = hint[i];
                ml_dsa::hint_bit_pack<P.shape(), Isa>(h, BytesOut<P.omega + P.k>{bytes, P.omega + P.k});
            }
            static bool hint_unpack(const Byte* bytes, Coefficients* hint)
            {
                ml_dsa::Hint<P.shape()> h;
                const bool is_good =
                    ml_dsa::hint_bit_unpack<P.shape(), Isa>(BytesIn<P.omega + P.k>{bytes, P.omega + P.k}, h);
                for (std::size_t i = 0; i < P.k; ++i) hint[i] = h[i].c;
                return is_good;
            }
            static void bounded_sample(const keccak::Row& block, Coefficients& out)
            {
                sample<ml_dsa::BoundedSampler<P.eta, Isa>>(block, out);
            }
            static constexpr SetKernels table{accepts_signature, accepts_secret_key, hint_pack, hint_unpack,
                                              bounded_sample};
        };

        template <class Sampler>
        static void sample(const keccak::Row& block, Coefficients& out)
        {
            Sampler sampler{out};
            while (!sampler.take(block)) {
            }
        }
        static void uniform_sample(const keccak::Row& block, Coefficients& out)
        {
            sample<module_lattice::RejectionSampler<ml_dsa::UniformSource, Isa>>(block, out);
        }

        static constexpr MlDsaKernels table{
            canonical,
            power2round,
            {Rounding<ml_dsa::ml_dsa_44.gamma2>::table, Rounding<ml_dsa::ml_dsa_65.gamma2>::table},
            montgomery_multiply,
            montgomery_multiply_twiddle,
            ntt,
            inverse_ntt,
            any_at_least,
            // s1 and s2 for eta 2 and 4; t0; z for both gamma1; w1 for both gamma2; t1
            {Packing<3, 2>::table, Packing<4, 4>::table, Packing<13, 4096>::table,
             Packing<18, 1 << 17>::table, Packing<20, 1 << 19>::table, Packing<4>::table, Packing<6>::table,
             Packing<10>::table},
            {Set<ml_dsa::ml_dsa_44>::table, Set<ml_dsa::ml_dsa_65>::table, Set<ml_dsa::ml_dsa_87>::table},
            uniform_sample,
        };
    };

    template <ntru_prime::Params P>
    struct RingOf {
        static constexpr ntru_prime::Ring R = P.ring;
        static constexpr const auto& ring = ntru_prime::ring_of<R>;
        using Arithmetic = ntru_prime::Arithmetic<Isa, ntru_prime::AnyRing<ring.room>>;
        using Small = ntru_prime::Small<ring.room>;
        using Rq = ntru_prime::Rq<ring.room>;
        using Rounded = ntru_prime::Rounded<ring.room>;

        template <class Poly, class T>
        static Poly read(const T* from)
        {
            Poly poly;
            std::memcpy(poly.c.data(), from, R.p * sizeof(T));
            return poly;
        }
        template <class Poly, class T>
        static void write(const Poly& poly, T* to)
        {
            std::memcpy(to, poly.c.data(), R.p * sizeof(T));
        }

        static void multiply_modulo_q(const std::int16_t* a, const std::int8_t* b, std::int16_t* product)
        {
            Rq result;
            Arithmetic::multiply(ring, read<Rq>(a), read<Small>(b), result);
            write(result, product);
        }
        static constexpr auto of_any_two() -> decltype(RingKernels::multiply_any_modulo_q)
        {
            if constexpr (Isa::follows_specification)
                return nullptr;
            else
                return multiply_any_modulo_q;
        }
        static void multiply_any_modulo_q(const std::int16_t* a, const std::int16_t* b, std::int16_t* product)
        {
            Rq result;
            Arithmetic::multiply(ring, read<Rq>(a), read<Rq>(b), result);
            write(result, product);
        }
        static void multiply_modulo_3(const std::int8_t* a, const std::int8_t* b, std::int8_t* product)
        {
            Small result;
            Arithmetic::multiply(ring, read<Small>(a), read<Small>(b), result);
            write(result, product);
        }
        static void reciprocal_of_thrice(const std::int8_t* f, std::int16_t* result)
        {
            Rq reciprocal;
            Arithmetic::reciprocal_of_thrice(ring, read<Small>(f), reciprocal);
            write(reciprocal, result);
        }
        static std::int32_t reciprocal(const std::int8_t* g, std::int8_t* result)
        {
            Small inverse;
            const std::int32_t has_none = Arithmetic::reciprocal(ring, read<Small>(g), inverse);
            write(inverse, result);
            return has_none;
        }
        static void short_from_list(const std::uint32_t* words, std::int8_t* f)
        {
            ntru_prime::Words<ring.room> list;
            std::memcpy(list.data(), words, R.p * sizeof *words);
            Small result;
            ntru_prime::short_from_list<Isa>(R.p, P.w, list, result);
            write(result, f);
        }
        static void decode(const Byte* bytes, std::int16_t* a, std::int16_t* rounded, std::int8_t* f)
        {
            Rq whole;
            ntru_prime::rq_decode<Isa>(ring, BytesIn<>{bytes, R.rq_bytes()}, whole);
            bytes += R.rq_bytes();
            Rounded multiples;
            ntru_prime::rounded_decode<Isa>(ring, BytesIn<>{bytes, R.rounded_bytes()}, multiples);
            bytes += R.rounded_bytes();
            Small small;
            ntru_prime::small_decode<Isa>(ring, BytesIn<>{bytes, R.small_bytes()}, small);
            write(whole, a);
            write(multiples, rounded);
            write(small, f);
        }
        static void encode(const std::int16_t* a, const std::int16_t* rounded, const std::int8_t* f,
                           Byte* bytes)
        {
            ntru_prime::rq_encode<Isa>(ring, read<Rq>(a), BytesOut<>{bytes, R.rq_bytes()});
            bytes += R.rq_bytes();
            ntru_prime::rounded_encode<Isa>(ring, read<Rounded>(rounded),
                                            BytesOut<>{bytes, R.rounded_bytes()});
            bytes += R.rounded_bytes();
            ntru_prime::small_encode<Isa>(ring, read<Small>(f), BytesOut<>{bytes, R.small_bytes()});
        }
        static void hash_two(BytesIn<> first, BytesIn<> second, BytesOut<64> digests)
        {
            using Hash = ntru_prime::PrefixHash<Isa, RingKernels::hashed_bytes>;
            Hash a{ntru_prime::HashOf::input, first.size()};
            Hash b{ntru_prime::HashOf::session, second.size()};
            a.append(first);
            b.append(second);
            ntru_prime::hash_together(a, b);
            a.finish(digests.first<32>());
            b.finish(digests.last<32>());
        }
        static constexpr RingKernels table{R,
                                           multiply_modulo_q,
                                           of_any_two(),
                                           multiply_modulo_3,
                                           reciprocal_of_thrice,
                                           reciprocal,
                                           short_from_list,
                                           decode,
                                           encode,
                                           hash_two};
    };

    struct MlKem {
        using C = ml_kem::Coefficients;

        static void canonical(const C& a, C& out)
        {
            out = a;
            ml_kem::make_canonical<Isa>(out);
        }
        static void ntt(const C& f, C& f_hat)
        {
            module_lattice::Poly<ml_kem::Form::coefficients, ml_kem::Bound::symmetric(8192),
                                 ml_kem::Secrecy::open, std::int16_t>
                poly;
            poly.c = f;
            ml_kem::NttPoly out;
            ml_kem::ntt<Isa>(poly, out);
            f_hat = out.c;
        }
        static void inverse_ntt(const C& f_hat, C& f)
        {
            ml_kem::ProductPoly product;
            product.c = f_hat;
            ml_kem::RingPoly out;
            ml_kem::inverse_ntt<Isa>(product, out);
            f = out.c;
        }
        static void dot(const ml_kem::PublicPoly* a, const C* b, std::size_t k, C& sum)
        {
            ml_kem::Vector<ml_kem::Factor> factors;
            for (std::size_t i = 0; i < k; ++i) ml_kem::make_factor<Isa>(b[i], factors[i]);
            ml_kem::ProductPoly out;
            ml_kem::dot<Isa>(std::span{a, k}, std::span<const ml_kem::Factor>{factors}.first(k), out);
            sum = out.c;
        }
        static void encode(const C& f, Byte* bytes)
        {
            ml_kem::byte_encode<12, Isa>(f, {bytes, ml_kem::poly_bytes});
        }
        static void decode(const Byte* bytes, C& f)
        {
            ml_kem::byte_decode<12, Isa>({bytes, ml_kem::poly_bytes}, f);
        }
        static bool is_below_q(const C& f) { return ml_kem::is_below_q<Isa>(f); }

        template <int bits>
        struct Compression {
            static void compress(const C& f, Byte* bytes)
            {
                ml_kem::compress_and_encode<bits, Isa>(f, {bytes, ml_kem::packed_bytes(bits)});
            }
            static void decompress(const Byte* bytes, C& f)
            {
                ml_kem::DecompressedPoly out;
                ml_kem::decode_and_decompress<bits, Isa>({bytes, ml_kem::packed_bytes(bits)}, out);
                f = out.c;
            }
            static constexpr CompressionKernels table{bits, compress, decompress};
        };
        static void noise_of_2(const Byte* bytes, C& f)
        {
            ml_kem::sample_poly_cbd<2, Isa>(BytesIn<128>{bytes, 128}, f);
        }
        static void noise_of_3(const Byte* bytes, C& f)
        {
            ml_kem::sample_poly_cbd<3, Isa>(BytesIn<192>{bytes, 192}, f);
        }
        static void sample(const keccak::Row& block, C& f)
        {
            module_lattice::RejectionSampler<ml_kem::UniformSource, Isa> sampler{f};
            while (!sampler.take(block)) {
            }
        }
        static constexpr MlKemKernels table{
            canonical,
            ntt,
            inverse_ntt,
            dot,
            encode,
            decode,
            is_below_q,
            {Compression<1>::table, Compression<4>::table, Compression<5>::table, Compression<10>::table,
             Compression<11>::table},
            noise_of_2,
            noise_of_3,
            sample};
    };

    template <class Lanes>
    struct Falcon {
        using Words = falcon::AttemptWords<Lanes>;
        using Doubles = typename Lanes::Doubles;
        static constexpr std::size_t size = sizeof(Words) / 8;
        template <class T>
        using Of = FalconKernels::Of<T>;

        template <class V, class T>
        static V read(const Of<T>& from, std::size_t i)
        {
            V v;
            std::memcpy(&v, &from[i], sizeof v);
            return v;
        }
        static void base_sample(const Of<std::uint64_t>& high, const Of<std::uint64_t>& low,
                                Of<std::uint64_t>& z0)
        {
            for (std::size_t i = 0; i < FalconKernels::lanes; i += size) {
                const Words counted =
                    falcon::BaseSampler<Lanes>::sample(read<Words>(high, i), read<Words>(low, i));
                std::memcpy(&z0[i], &counted, sizeof counted);
            }
        }
        static void logarithm(const Of<double>& a, Of<double>& out)
        {
            for (std::size_t i = 0; i < FalconKernels::lanes; i += size) {
                const Doubles logarithms = falcon::Logarithm<Lanes>::of(read<Doubles>(a, i));
                std::memcpy(&out[i], &logarithms, sizeof logarithms);
            }
        }
        static void strided(const Byte* bytes, Of<std::uint64_t>& words)
        {
            for (std::size_t i = 0; i < FalconKernels::lanes; i += size) {
                const auto some = Lanes::template strided<11>(bytes + 11 * i);
                std::memcpy(&words[i], &some, sizeof some);
            }
        }
        static constexpr FalconKernels table{base_sample, logarithm, strided};
    };
    static constexpr FalconKernels falcon_table = [] {
        if constexpr (requires { typename Isa::WideFpr; })
            return Falcon<Isa>::table;
        else
            return FalconKernels{};
    }();

    static constexpr Kernels table{
        Isa::name,
        MlDsa::table,
        {RingOf<ntru_prime::sntrup653>::table, RingOf<ntru_prime::sntrup761>::table,
         RingOf<ntru_prime::sntrup857>::table, RingOf<ntru_prime::sntrup953>::table,
         RingOf<ntru_prime::sntrup1013>::table, RingOf<ntru_prime::sntrup1277>::table},
        MlKem::table,
        falcon_table,
    };
};

}  // namespace girih::test
