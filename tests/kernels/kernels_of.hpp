/// The kernels of an engine, instantiated in a translation unit of its own, inside its target
/// region. (No lambdas: g++ 12 compiles one that takes vectors without the engine's target.)
#pragma once

#include <span>

#include "aes/ctr.hpp"
#include "falcon/sampling/candidate_lanes.hpp"
#include "falcon/sampling/logarithm.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/sponge.hpp"
#include "keccak/task_list.hpp"
#include "kernels/kernels.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/kernels/ntt.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/standard/verify.hpp"
#include "ml_kem/encoding/byte_encode.hpp"
#include "ml_kem/kernels/compress.hpp"
#include "ml_kem/kernels/ntt.hpp"
#include "ml_kem/lanes/sampling.hpp"
#include "ntru_prime/arithmetic.hpp"
#include "ntru_prime/encoding/encode.hpp"
#include "ntru_prime/lanes/kem.hpp"
#include "ntru_prime/sampling/expand.hpp"
#include "ntru_prime/sampling/short_random.hpp"
#include "ntru_prime/standard/hash.hpp"

namespace girih::test {

template <class Isa>
struct KernelsOf {
    /// The coefficients that a sampler takes of one block, repeated until it has all.
    template <class Sampler, class C>
    static C sampled(const keccak::Row& block)
    {
        C out;
        Sampler sampler{out};
        while (!sampler.take(block)) {
        }
        return out;
    }

    struct MlDsa {
        static constexpr std::size_t lanes = Isa::integer_lanes;
        using Lanes = typename Isa::Integers;
        using C = Coefficients;

        /// Whole polynomials, by a function of lanes.
        template <Lanes (*f)(Lanes)>
        static C of_one(const C& a)
        {
            C out;
            for (std::size_t i = 0; i < ml_dsa::n; i += lanes) Isa::store(&out[i], f(Isa::load(&a[i])));
            return out;
        }
        template <Lanes (*f)(Lanes, Lanes)>
        static C of_two(const C& a, const C& b)
        {
            C out;
            for (std::size_t i = 0; i < ml_dsa::n; i += lanes)
                Isa::store(&out[i], f(Isa::load(&a[i]), Isa::load(&b[i])));
            return out;
        }
        template <ml_dsa::HighLow<Lanes> (*f)(Lanes)>
        static HighLow parts_of(const C& r)
        {
            HighLow out;
            for (std::size_t i = 0; i < ml_dsa::n; i += lanes) {
                const auto parts = f(Isa::load(&r[i]));
                Isa::store(&out.high[i], parts.high);
                Isa::store(&out.low[i], parts.low);
            }
            return out;
        }
        template <void (*f)(const C&, C&)>
        static C of_all(const C& w)
        {
            C out = w;
            f(out, out);
            return out;
        }

        template <std::int32_t gamma2>
        static constexpr RoundingKernels rounding{
            gamma2, parts_of<ml_dsa::decompose<gamma2, Lanes>>, of_two<ml_dsa::make_hint<gamma2, Lanes>>,
            of_two<ml_dsa::make_hint_from_low<gamma2, Lanes>>, of_two<ml_dsa::use_hint<gamma2, Lanes>>};

        static C multiply_fixed(const C& a, std::int32_t z)
        {
            constexpr auto form = ml_dsa::kernels::factor_form<Isa>;
            const auto factor = ml_dsa::tables::fixed_factor<form>(ml_dsa::Residue{z});
            const ml_dsa::Twiddle<Lanes> twiddle{Isa::broadcast(factor.value),
                                                 Isa::broadcast(factor.quotient)};
            C out;
            for (std::size_t i = 0; i < ml_dsa::n; i += lanes)
                Isa::store(&out[i], ml_dsa::kernels::multiply_fixed<Isa>(Isa::load(&a[i]), twiddle));
            return out;
        }

        template <int bits, std::int32_t b = 0>
        struct Packing {
            static constexpr std::size_t size = ml_dsa::packed_bytes(bits);
            static constexpr std::int32_t highest = b == 0 ? (1 << bits) - 1 : b;
            using Poly =
                ml_dsa::Poly<ml_dsa::Form::coefficients, ml_dsa::Bound{highest - (1 << bits) + 1, highest}>;

            static void pack(const C& v, Byte* bytes)
            {
                Poly poly;
                poly.c = v;
                if constexpr (b == 0)
                    ml_dsa::simple_bit_pack<bits, Isa>(poly, BytesOut<size>{bytes, size});
                else
                    ml_dsa::bit_pack<bits, b, Isa>(poly, BytesOut<size>{bytes, size});
            }
            static C unpack(const Byte* bytes)
            {
                const BytesIn<size> in{bytes, size};
                if constexpr (b == 0)
                    return ml_dsa::simple_bit_unpack<bits, Isa>(in).c;
                else
                    return ml_dsa::bit_unpack<bits, b, Isa, ml_dsa::Secrecy::secret>(in).c;
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
            static void hint_pack(const C* hint, Byte* bytes)
            {
                ml_dsa::Hint<P.shape()> h;
                for (std::size_t i = 0; i < P.k; ++i) h[i].c = hint[i];
                ml_dsa::hint_bit_pack<P.shape(), Isa>(h, BytesOut<P.omega + P.k>{bytes, P.omega + P.k});
            }
            static bool hint_unpack(const Byte* bytes, C* hint)
            {
                ml_dsa::Hint<P.shape()> h;
                const bool is_good =
                    ml_dsa::hint_bit_unpack<P.shape(), Isa>(BytesIn<P.omega + P.k>{bytes, P.omega + P.k}, h);
                for (std::size_t i = 0; i < P.k; ++i) hint[i] = h[i].c;
                return is_good;
            }
            static C dot(const C* a, const C* v)
            {
                const auto product =
                    ml_dsa::dot<Isa>(vector_of<ml_dsa::MatrixPoly>(a), vector_of<Transformed<y_bound>>(v));
                return product.c;
            }
            static C dot_less_product(const C* a, const C* v, const C& c, const C& t)
            {
                Transformed<ml_dsa::ChallengePoly::bound> c_hat;
                typename ml_dsa::PreparedVerifyingKey<P.shape()>::T1HatPoly t_hat;
                c_hat.c = c;
                t_hat.c = t;
                const auto difference = ml_dsa::dot_less_product<Isa>(
                    vector_of<ml_dsa::MatrixPoly>(a), vector_of<Transformed<y_bound>>(v), c_hat, t_hat);
                return difference.c;
            }
            static constexpr SetKernels table{accepts_signature,
                                              accepts_secret_key,
                                              hint_pack,
                                              hint_unpack,
                                              sampled<ml_dsa::BoundedSampler<P.eta, Isa>, C>,
                                              dot,
                                              dot_less_product};

          private:
            static constexpr ml_dsa::Bound y_bound = ml_dsa::MaskPoly<P.shape()>::bound;
            template <ml_dsa::Bound bound>
            using Transformed = ml_dsa::Poly<ml_dsa::Form::ntt, ml_dsa::ntt_bound(bound)>;
            template <class Poly>
            static auto vector_of(const C* polynomials)
            {
                ml_dsa::PolyVector<P.l, Poly> vector;
                for (std::size_t j = 0; j < P.l; ++j) vector[j].c = polynomials[j];
                return vector;
            }
        };

        static constexpr MlDsaKernels table{
            of_one<ml_dsa::canonical<Lanes>>,
            parts_of<ml_dsa::power2round<Lanes>>,
            {rounding<ml_dsa::ml_dsa_44.gamma2>, rounding<ml_dsa::ml_dsa_65.gamma2>},
            of_two<ml_dsa::montgomery_multiply<Isa>>,
            multiply_fixed,
            of_all<ml_dsa::kernels::ntt<Isa>>,
            of_all<ml_dsa::kernels::inverse_ntt<Isa>>,
            ml_dsa::any_at_least<Isa>,
            // s1 and s2 for eta 2 and 4; t0; z for both gamma1; w1 for both gamma2; t1
            {Packing<3, 2>::table, Packing<4, 4>::table, Packing<13, 4096>::table,
             Packing<18, 1 << 17>::table, Packing<20, 1 << 19>::table, Packing<4>::table, Packing<6>::table,
             Packing<10>::table},
            {Set<ml_dsa::ml_dsa_44>::table, Set<ml_dsa::ml_dsa_65>::table, Set<ml_dsa::ml_dsa_87>::table},
            sampled<module_lattice::RejectionSampler<ml_dsa::UniformSource, Isa>, C>,
        };
    };

    template <ntru_prime::Params P>
    struct RingOf {
        static constexpr ntru_prime::Ring R = P.ring;
        static constexpr const auto& ring = ntru_prime::ring_of<R>;
        using Arithmetic = ntru_prime::Arithmetic<Isa, ntru_prime::AnyRing<ring.capacity>>;
        using OwnSmall = ntru_prime::Small<ring.capacity>;
        using Rq = ntru_prime::Rq<ring.capacity>;
        using Rounded = ntru_prime::Rounded<ring.capacity>;

        /// Between polynomials of the ring and of any.
        template <class To, class From>
        static To moved(const From& from)
        {
            To to{};
            if constexpr (requires { to.c; })
                std::memcpy(to.c.data(), from.data(), R.p * sizeof from[0]);
            else
                std::memcpy(to.data(), from.c.data(), R.p * sizeof to[0]);
            return to;
        }

        static Large multiply_modulo_q(const Large& a, const Small& b)
        {
            Rq result;
            Arithmetic::rq_mult_small(ring, moved<Rq>(a), moved<OwnSmall>(b), result);
            return moved<Large>(result);
        }
        static Small multiply_modulo_3(const Small& a, const Small& b)
        {
            OwnSmall result;
            Arithmetic::r3_mult(ring, moved<OwnSmall>(a), moved<OwnSmall>(b), result);
            return moved<Small>(result);
        }
        template <class VectorArithmetic>
        static Large multiply_any_modulo_q(const Large& a, const Large& b)
        {
            Rq result;
            VectorArithmetic::ModuloQ::multiply(ring, moved<Rq>(a), moved<Rq>(b), result);
            return moved<Large>(result);
        }
        static constexpr auto of_any_two() -> decltype(RingKernels::multiply_any_modulo_q)
        {
            if constexpr (Isa::follows_specification)
                return nullptr;
            else
                return multiply_any_modulo_q<Arithmetic>;
        }
        static Large reciprocal_of_3f(const Small& f)
        {
            Rq reciprocal;
            Arithmetic::rq_recip3(ring, moved<OwnSmall>(f), reciprocal);
            return moved<Large>(reciprocal);
        }
        static std::int32_t reciprocal(const Small& g, Small& result)
        {
            OwnSmall inverse;
            const std::int32_t has_none = Arithmetic::r3_recip(ring, moved<OwnSmall>(g), inverse);
            result = moved<Small>(inverse);
            return has_none;
        }
        static Small short_from_list(const std::uint32_t* words)
        {
            ntru_prime::Words<ring.capacity> list;
            std::memcpy(list.data(), words, R.p * sizeof *words);
            OwnSmall result;
            ntru_prime::short_from_list<Isa>(R.p, P.w, list, result);
            return moved<Small>(result);
        }
        static Decoded decode(const Byte* bytes)
        {
            Rq whole;
            Rounded multiples;
            OwnSmall small;
            ntru_prime::rq_decode<Isa>(ring, BytesIn<>{bytes, R.rq_bytes}, whole);
            bytes += R.rq_bytes;
            ntru_prime::rounded_decode<Isa>(ring, BytesIn<>{bytes, R.rounded_bytes}, multiples);
            bytes += R.rounded_bytes;
            ntru_prime::small_decode<Isa>(ring, BytesIn<>{bytes, R.small_bytes()}, small);
            return {moved<Large>(whole), moved<Large>(multiples), moved<Small>(small)};
        }
        static void encode(const Decoded& from, Byte* bytes)
        {
            ntru_prime::rq_encode<Isa>(ring, moved<Rq>(from.a), BytesOut<>{bytes, R.rq_bytes});
            bytes += R.rq_bytes;
            ntru_prime::rounded_encode<Isa>(ring, moved<Rounded>(from.rounded),
                                            BytesOut<>{bytes, R.rounded_bytes});
            bytes += R.rounded_bytes;
            ntru_prime::small_encode<Isa>(ring, moved<OwnSmall>(from.f), BytesOut<>{bytes, R.small_bytes()});
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
                                           reciprocal_of_3f,
                                           reciprocal,
                                           short_from_list,
                                           decode,
                                           encode,
                                           hash_two};
    };

    struct MlKem {
        using C = ml_kem::Coefficients;

        static C canonical(const C& a)
        {
            C out = a;
            ml_kem::make_canonical<Isa>(out);
            return out;
        }
        static C ntt(const C& f)
        {
            module_lattice::Poly<ml_kem::Form::coefficients, ml_kem::Bound::symmetric(8192),
                                 ml_kem::Secrecy::open, std::int16_t>
                poly;
            poly.c = f;
            ml_kem::NttPoly out;
            ml_kem::ntt<Isa>(poly, out);
            return out.c;
        }
        static C inverse_ntt(const C& f_hat)
        {
            ml_kem::ProductPoly product;
            product.c = f_hat;
            ml_kem::RingPoly out;
            ml_kem::inverse_ntt<Isa>(product, out);
            return out.c;
        }
        static C dot(const ml_kem::PublicPoly* a, const C* b, std::size_t k)
        {
            ml_kem::Vector<ml_kem::Factor> factors;
            for (std::size_t i = 0; i < k; ++i) ml_kem::make_factor<Isa>(b[i], factors[i]);
            ml_kem::ProductPoly out;
            ml_kem::dot<Isa>(std::span{a, k}, std::span<const ml_kem::Factor>{factors}.first(k), out);
            return out.c;
        }
        static void encode(const C& f, Byte* bytes)
        {
            ml_kem::byte_encode<12, Isa>(f, {bytes, ml_kem::poly_bytes});
        }
        static C decode(const Byte* bytes)
        {
            C f;
            ml_kem::byte_decode<12, Isa>({bytes, ml_kem::poly_bytes}, f);
            return f;
        }

        template <int bits>
        struct Compression {
            static void compress(const C& f, Byte* bytes)
            {
                ml_kem::compress_and_encode<bits, Isa>(f, {bytes, ml_kem::packed_bytes(bits)});
            }
            static C decompress(const Byte* bytes)
            {
                ml_kem::DecompressedPoly out;
                ml_kem::decode_and_decompress<bits, Isa>({bytes, ml_kem::packed_bytes(bits)}, out);
                return out.c;
            }
            static constexpr CompressionKernels table{bits, compress, decompress};
        };
        template <int eta>
        static C noise(const Byte* bytes)
        {
            constexpr std::size_t size = 64 * eta;
            C f;
            ml_kem::sample_poly_cbd<eta, Isa>(BytesIn<size>{bytes, size}, f);
            return f;
        }
        static constexpr MlKemKernels table{
            canonical,
            ntt,
            inverse_ntt,
            dot,
            encode,
            decode,
            ml_kem::is_below_q<Isa>,
            {Compression<1>::table, Compression<4>::table, Compression<5>::table, Compression<10>::table,
             Compression<11>::table},
            noise<2>,
            noise<3>,
            sampled<module_lattice::RejectionSampler<ml_kem::UniformSource, Isa>, C>};
    };

    template <class Lanes>
    struct Falcon {
        using Words = falcon::AttemptWords<Lanes>;
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
        static Of<std::uint64_t> base_sample(const Of<std::uint64_t>& high, const Of<std::uint64_t>& low)
        {
            Of<std::uint64_t> z0;
            for (std::size_t i = 0; i < FalconKernels::lanes; i += size) {
                const Words counted =
                    falcon::BaseSampler<Lanes>::sample(read<Words>(high, i), read<Words>(low, i));
                std::memcpy(&z0[i], &counted, sizeof counted);
            }
            return z0;
        }
        static Of<double> logarithm(const Of<double>& a)
        {
            Of<double> out;
            for (std::size_t i = 0; i < FalconKernels::lanes; i += size) {
                const auto some = falcon::Logarithm<Lanes>::of(read<typename Lanes::Doubles>(a, i));
                std::memcpy(&out[i], &some, sizeof some);
            }
            return out;
        }
        static Of<std::uint64_t> strided(const Byte* bytes)
        {
            Of<std::uint64_t> words;
            for (std::size_t i = 0; i < FalconKernels::lanes; i += size) {
                const auto some = Lanes::template strided<11>(bytes + 11 * i);
                std::memcpy(&words[i], &some, sizeof some);
            }
            return words;
        }
        static constexpr FalconKernels table{base_sample, logarithm, strided};
    };
    static constexpr FalconKernels falcon_table = [] {
        if constexpr (requires { typename Isa::WideFpr; })
            return Falcon<Isa>::table;
        else
            return FalconKernels{};
    }();

    struct Keccak {
        using Lanes = typename Isa::WideWords;

        static void squeeze(keccak::Function function, BytesIn<> message, BytesOut<> first, BytesOut<> rest)
        {
            keccak::ChosenSponge<Isa>{function}.absorb(message).squeeze(first).squeeze(rest);
        }

        /// A hash with an output of any length, where HashTask's is a block at most.
        class Output final : public keccak::Task {
          public:
            Output(keccak::Function function, BytesIn<> message, BytesOut<> output)
                : message_(typename keccak::Message<Isa>::Pieces{message}, function),
                  rate_(function.rate),
                  rest_(output)
            {
            }
            void start(keccak::Lane lane) noexcept override { message_.absorb_block(lane); }
            keccak::Task* resume(keccak::Lane lane) noexcept override
            {
                if (!message_.is_absorbed()) {
                    message_.absorb_block(lane);
                    return this;
                }
                const std::size_t size = rest_.size() < rate_ ? rest_.size() : rate_;
                lane.squeeze(rest_.first(size));
                rest_ = rest_.subspan(size);
                return rest_.empty() ? nullptr : this;
            }

          private:
            keccak::Message<Isa> message_;
            std::size_t rate_;
            BytesOut<> rest_;
        };
        static void squeeze_many(keccak::Function function, std::span<const BytesIn<>> messages,
                                 std::span<const BytesOut<>> outputs)
        {
            keccak::TaskArray<Output, KeccakKernels::max_messages> tasks;
            keccak::TaskList<Isa, KeccakKernels::max_messages> list;
            for (std::size_t i = 0; i < messages.size(); ++i)
                list.add(tasks.add(function, messages[i], outputs[i]));
            list.template run</*in_pairs=*/true>();
        }
        static constexpr KeccakKernels table{Lanes::count, squeeze, squeeze_many};
    };

    template <class Keystream>
    static void keystream(BytesIn<32> key, BytesOut<> out)
    {
        Keystream{key}.generate(out);
    }

    static constexpr Kernels table{
        Isa::name,
        Keccak::table,
        MlDsa::table,
        {RingOf<ntru_prime::sntrup653>::table, RingOf<ntru_prime::sntrup761>::table,
         RingOf<ntru_prime::sntrup857>::table, RingOf<ntru_prime::sntrup953>::table,
         RingOf<ntru_prime::sntrup1013>::table, RingOf<ntru_prime::sntrup1277>::table},
        MlKem::table,
        falcon_table,
        keystream<typename ntru_prime::SecretKeystream<Isa>::Type>,
        keystream<aes::CounterMode<aes::EncryptionKey<typename Isa::CipherWords>>>,
    };
};

}  // namespace girih::test
