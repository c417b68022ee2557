/// NTRU Prime's routines on an engine's lanes: the library's own templates, one after another as its operations call them.
///
/// As in rows.hpp, everything here depends on Isa.
#pragma once

#include <array>
#include <optional>

#include "inputs.hpp"
#include "ntru_prime/kem.hpp"
#include "ntru_prime/params.hpp"
#include "routines.hpp"

namespace girih::bench {

template <ntru_prime::Params P, class Isa>
class RoutineRows {
  public:
    static void time(RoutineClock& clock)
    {
        RoutineRows rows{clock};
        expose(rows);
        rows.keygen();
        rows.encapsulate();
        rows.decapsulate();
    }

  private:
    static constexpr const auto& set = ntru_prime::set_of<P>;
    static constexpr const auto& ring = ntru_prime::ring_of<P.ring>;
    using Set = ntru_prime::SetOf<P>;
    using Core = ntru_prime::Core<Set, Isa>;
    using Arithmetic = typename Core::Arithmetic;
    using HashOf = ntru_prime::HashOf;

    explicit RoutineRows(RoutineClock& clock) : clock_(clock)
    {
        random_.fill(seed_);
        whole_keygen();
    }

    void whole_keygen() { is_good_ &= ntru_prime::keygen<Set, Isa>(set, {seed_.data()}, pk_, sk_); }
    void whole_encapsulate()
    {
        is_good_ &= ntru_prime::encapsulate<Set, Isa>(set, {seed_.data()}, pk_, ciphertext_, shared_secret_);
    }
    void whole_decapsulate()
    {
        ntru_prime::decapsulate<Set, Isa>(set, {set, sk_.data()}, ciphertext_, shared_secret_);
    }

    // ---- What is prepared before a run: other inputs each time, of one key pair.

    void draw_seed() { random_.fill(seed_); }

    void open_stream() { stream_.emplace(ntru_prime::Randomness{seed_.data()}); }

    void draw_stream()
    {
        draw_seed();
        open_stream();
    }

    void draw_words()
    {
        draw_stream();
        stream_->words(std::span{words_}.first(ring.p));
    }

    /// Polynomials of every kind.
    void draw_polynomials()
    {
        draw_stream();
        ntru_prime::short_random<Isa>(P.ring.p, P.w, *stream_, f_);
        ntru_prime::small_random<Isa>(ring, *stream_, g_);
        ntru_prime::generator<Isa>(ring, seed_, h_);
        static_cast<ntru_prime::Rq<ring.room>&>(rounded_) = h_;
    }

    void draw_rounded()
    {
        draw_polynomials();
        ntru_prime::round<Isa>(ring, rounded_);
    }

    void draw_input()
    {
        draw_stream();
        Core::random_input(set, *stream_, input_);
        random_.fill(input_hash_);
    }

    void draw_ciphertext()
    {
        draw_input();
        whole_encapsulate();
    }

    void hash_session()
    {
        ntru_prime::SessionHash<Set, Isa>{HashOf::session, ntru_prime::hash_bytes + P.ciphertext_bytes()}
            .append(input_hash_)
            .append(ciphertext_)
            .finish(shared_secret_);
    }

    // ---- Routines that several operations share.

    void hash_of_public_key()
    {
        clock_.time(
            {"Hash_prefix"}, [&] { draw_seed(); },
            [&] {
                ntru_prime::hash_prefix<Isa, P.public_key_bytes()>(HashOf::public_key, pk_, public_key_hash_);
            });
    }

    void parts_of_short_random()
    {
        clock_.time(
            {"urandom32()", RoutineLine::part, P.ring.p}, [&] { draw_stream(); },
            [&] { stream_->words(std::span{words_}.first(ring.p)); });
        clock_.time(
            {"Short_fromlist()", RoutineLine::part, 1}, [&] { draw_words(); },
            [&] { ntru_prime::short_from_list<Isa>(P.ring.p, P.w, words_, f_); });
    }

    void short_random()
    {
        clock_.time(
            {"Short_random"}, [&] { draw_stream(); },
            [&] { ntru_prime::short_random<Isa>(P.ring.p, P.w, *stream_, f_); });
        parts_of_short_random();
    }

    void rq_mult_small(RoutineLine::Kind kind)
    {
        clock_.time(
            {"Rq_mult_small", kind}, [&] { draw_polynomials(); },
            [&] { Arithmetic::multiply(ring, h_, f_, product_); });
    }

    void round_and_encode()
    {
        clock_.time({"Round"}, [&] { draw_polynomials(); }, [&] { ntru_prime::round<Isa>(ring, rounded_); });
        clock_.time(
            {"Rounded_encode"}, [&] { draw_rounded(); },
            [&] { ntru_prime::rounded_encode<Isa>(ring, rounded_, rounded_bytes_); });
    }

    void end_of_keygen()
    {
        clock_.time({"randombytes"}, [&] { draw_words(); }, [&] { stream_->bytes(input_); });
        hash_of_public_key();
        clock_.time({"total", RoutineLine::total}, [&] { draw_seed(); }, [&] { whole_keygen(); });
    }

    void hide()
    {
        clock_.time(
            {"Hide"}, [&] { draw_input(); },
            [&] {
                ntru_prime::hide<Set, Isa>(set, input_, pk_, public_key_hash_, input_hash_, ciphertext_);
            });
    }

    // ---- The operations.

    void keygen()
        requires(P.is_streamlined())
    {
        clock_.begin("keypair");
        clock_.time(
            {"Small_random"}, [&] { draw_seed(); },
            [&] {
                open_stream();
                ntru_prime::small_random<Isa>(ring, *stream_, g_);
            });
        clock_.time(
            {"urandom32()", RoutineLine::part, P.ring.p}, [&] { draw_stream(); },
            [&] { stream_->words(std::span{words_}.first(ring.p)); });
        clock_.time(
            {"R3_recip"}, [&] { draw_polynomials(); },
            [&] { expose_value(Arithmetic::reciprocal(ring, g_, small_)); });
        short_random();
        clock_.time(
            {"Rq_recip3"}, [&] { draw_polynomials(); },
            [&] { Arithmetic::reciprocal_of_thrice(ring, f_, product_); });
        rq_mult_small(RoutineLine::step);
        clock_.time(
            {"Rq_encode"}, [&] { draw_polynomials(); },
            [&] { ntru_prime::rq_encode<Isa>(ring, h_, rq_bytes_); });
        clock_.time(
            {"Small_encode", RoutineLine::step, 2}, [&] { draw_polynomials(); },
            [&] {
                ntru_prime::small_encode<Isa>(ring, f_, small_bytes_);
                ntru_prime::small_encode<Isa>(ring, g_, more_small_bytes_);
            });
        end_of_keygen();
    }

    void keygen()
        requires(!P.is_streamlined())
    {
        clock_.begin("keypair");
        clock_.time(
            {"Seeds_random"}, [&] { draw_seed(); },
            [&] {
                open_stream();
                stream_->bytes(public_key_hash_);
            });
        clock_.time(
            {"Generator"}, [&] { draw_seed(); }, [&] { ntru_prime::generator<Isa>(ring, seed_, h_); });
        short_random();
        rq_mult_small(RoutineLine::step);
        round_and_encode();
        clock_.time(
            {"Small_encode"}, [&] { draw_polynomials(); },
            [&] { ntru_prime::small_encode<Isa>(ring, f_, small_bytes_); });
        end_of_keygen();
    }

    void encapsulate()
    {
        clock_.begin("enc");
        hash_of_public_key();
        clock_.time(
            {"Inputs_random"}, [&] { draw_seed(); },
            [&] {
                open_stream();
                Core::random_input(set, *stream_, input_);
            });
        hide();
        clock_.time({"HashSession"}, [&] { draw_ciphertext(); }, [&] { hash_session(); });
        clock_.time({"total", RoutineLine::total}, [&] { draw_seed(); }, [&] { whole_encapsulate(); });
    }

    void decapsulate()
    {
        clock_.begin("dec");
        clock_.time(
            {"Decrypt"}, [&] { draw_ciphertext(); },
            [&] {
                Core::decrypt(set, core_ciphertext(), ntru_prime::SecretKeyView<Set>{set, sk_.data()}.core(),
                              input_);
            });
        if constexpr (P.is_streamlined()) parts_of_decrypt();
        hide();
        clock_.time(
            {"HashSession"}, [&] { draw_ciphertext(); },
            [&] {
                ntru_prime::hash_input<Set, Isa>(set, input_, input_hash_);
                hash_session();
            });
        clock_.time({"total", RoutineLine::total}, [&] { draw_ciphertext(); }, [&] { whole_decapsulate(); });
    }

    void parts_of_decrypt()
    {
        clock_.time(
            {"Small_decode", RoutineLine::part, 2}, [&] { draw_ciphertext(); },
            [&] {
                ntru_prime::small_decode<Isa>(ring, secret().first(ring.small_bytes()), f_);
                ntru_prime::small_decode<Isa>(ring, secret().last(ring.small_bytes()), g_);
            });
        clock_.time(
            {"Rounded_decode", RoutineLine::part}, [&] { draw_ciphertext(); },
            [&] { ntru_prime::rounded_decode<Isa>(ring, core_ciphertext(), rounded_); });
        rq_mult_small(RoutineLine::part);
        clock_.time(
            {"R3_mult", RoutineLine::part}, [&] { draw_polynomials(); },
            [&] { Arithmetic::multiply(ring, g_, f_, small_); });
        clock_.time(
            {"Small_encode", RoutineLine::part}, [&] { draw_polynomials(); },
            [&] { ntru_prime::small_encode<Isa>(ring, f_, small_bytes_); });
        clock_.rest("Rq_mult3, R3_fromRq, Weightw_mask");
    }

    [[nodiscard]] BytesIn<P.core_ciphertext_bytes()> core_ciphertext() const
    {
        return BytesIn<P.ciphertext_bytes()>{ciphertext_}.template first<P.core_ciphertext_bytes()>();
    }
    [[nodiscard]] BytesIn<> secret() const { return ntru_prime::SecretKeyView<Set>{set, sk_.data()}.core(); }

    static void expose_value(std::int32_t value) { benchmark::DoNotOptimize(value); }

    RoutineClock& clock_;
    Random random_;
    bool is_good_ = true;
    std::optional<ntru_prime::RandomStream<Isa>> stream_;

    ntru_prime::Small<ring.room> f_;      ///< short
    ntru_prime::Small<ring.room> g_;      ///< small
    ntru_prime::Small<ring.room> small_;  ///< results
    ntru_prime::Rq<ring.room> h_;
    ntru_prime::Rq<ring.room> product_;
    ntru_prime::Rounded<ring.room> rounded_;
    ntru_prime::Words<ring.room> words_;

    std::array<Byte, ntru_prime::seed_bytes> seed_;
    std::array<Byte, P.public_key_bytes()> pk_;
    std::array<Byte, P.secret_key_bytes()> sk_;
    std::array<Byte, P.ciphertext_bytes()> ciphertext_{};
    std::array<Byte, ntru_prime::shared_secret_bytes> shared_secret_;
    std::array<Byte, ntru_prime::hash_bytes> public_key_hash_;
    std::array<Byte, ntru_prime::hash_bytes> input_hash_;
    std::array<Byte, P.ring.small_bytes()> small_bytes_;
    std::array<Byte, P.ring.small_bytes()> more_small_bytes_;
    std::array<Byte, P.ring.rq_bytes()> rq_bytes_;
    std::array<Byte, P.ring.rounded_bytes()> rounded_bytes_;
    typename Core::Input input_;
};

/// Times the routines of the set of a name.
template <class Isa>
void time_routines(std::string_view set, RoutineClock& clock)
{
    using namespace ntru_prime;
    if (set == "sntrup653") return RoutineRows<sntrup653, Isa>::time(clock);
    if (set == "sntrup761") return RoutineRows<sntrup761, Isa>::time(clock);
    if (set == "sntrup857") return RoutineRows<sntrup857, Isa>::time(clock);
    if (set == "sntrup953") return RoutineRows<sntrup953, Isa>::time(clock);
    if (set == "sntrup1013") return RoutineRows<sntrup1013, Isa>::time(clock);
    if (set == "sntrup1277") return RoutineRows<sntrup1277, Isa>::time(clock);
    if (set == "ntrulpr653") return RoutineRows<ntrulpr653, Isa>::time(clock);
    if (set == "ntrulpr761") return RoutineRows<ntrulpr761, Isa>::time(clock);
    if (set == "ntrulpr857") return RoutineRows<ntrulpr857, Isa>::time(clock);
    if (set == "ntrulpr953") return RoutineRows<ntrulpr953, Isa>::time(clock);
    if (set == "ntrulpr1013") return RoutineRows<ntrulpr1013, Isa>::time(clock);
    if (set == "ntrulpr1277") return RoutineRows<ntrulpr1277, Isa>::time(clock);
}

}  // namespace girih::bench
