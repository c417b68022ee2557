/// NTRU Prime's routines on an engine's lanes: the library's own templates, one after another as
/// its operations call them.
///
/// As in components/rows.hpp, everything here depends on Isa.
#pragma once

#include <array>
#include <optional>

#include "lab/benchmark/routines/routines.hpp"
#include "lab/measure/random.hpp"
#include "ntru_prime/lanes/kem.hpp"
#include "ntru_prime/params.hpp"
#include "ntru_prime/standard/kem.hpp"

namespace girih::lab {

/// As in the library, one text in machine code serves all parameter sets of a type.
template <class Set, class Isa>
class RoutineRows {
  public:
    [[gnu::noinline]] static void time_all(const Set& set, RoutineClock& clock)
    {
        RoutineRows rows{set, clock};
        expose(rows);
        rows.keygen();
        rows.encapsulate();
        rows.decapsulate();
    }

  private:
    using Core = ntru_prime::Core<Set, Isa>;
    using Arithmetic = typename Core::Arithmetic;
    using HashOf = ntru_prime::HashOf;

    RoutineRows(const Set& set_of_rows, RoutineClock& clock)
        : set_(set_of_rows), ring_(set_of_rows.ring), clock_(clock)
    {
        random_.fill(seed_);
        whole_keygen();
    }

    /// Times a routine. `prepare` draws its inputs before each run, untimed.
    template <class Run>
    void time(const RoutineLine& line, void (RoutineRows::*prepare)(), Run run)
    {
        clock_.time(line, [this, prepare] { (this->*prepare)(); }, run);
    }

    void whole_keygen() { is_good_ &= ntru_prime::keygen<Set, Isa>(set_, {seed_.data()}, pk(), sk()); }
    void whole_encapsulate()
    {
        is_good_ &= ntru_prime::encapsulate_side_by_side<Set, Isa>(set_, {seed_.data()}, pk(), ciphertext(),
                                                                   shared_secret_);
    }
    void whole_decapsulate()
    {
        ntru_prime::decapsulate_side_by_side<Set, Isa>(set_, secret_key(), ciphertext(), shared_secret_);
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
        stream_->words(std::span{words_}.first(ring_.p));
    }

    /// Polynomials of every kind.
    void draw_polynomials()
    {
        draw_stream();
        ntru_prime::short_random<Isa>(ring_.p, set_.w, *stream_, f_);
        ntru_prime::small_random<Isa>(ring_, *stream_, g_);
        ntru_prime::generator<Isa>(ring_, seed_, h_);
        static_cast<ntru_prime::Rq<Set::capacity>&>(rounded_) = h_;
    }

    void draw_rounded()
    {
        draw_polynomials();
        ntru_prime::round<Isa>(ring_, rounded_);
    }

    void draw_input()
    {
        draw_stream();
        Core::random_input(set_, *stream_, input_);
        random_.fill(input_hash_);
    }

    void draw_ciphertext()
    {
        draw_input();
        whole_encapsulate();
    }

    void hash_session()
    {
        ntru_prime::hash_session<Set, Isa>(set_, static_cast<Byte>(HashOf::session), input_hash_,
                                           ciphertext(), shared_secret_);
    }

    // ---- Routines that several operations share.

    void hash_of_public_key()
    {
        time({"Hash_prefix"}, &RoutineRows::draw_seed, [&] {
            ntru_prime::hash_prefix<Isa, Set::public_key_capacity>(HashOf::public_key, pk(),
                                                                   public_key_hash_);
        });
    }

    void parts_of_short_random()
    {
        time({"urandom32()", RoutineLine::part, ring_.p}, &RoutineRows::draw_stream,
             [&] { stream_->words(std::span{words_}.first(ring_.p)); });
        time({"Short_fromlist()", RoutineLine::part, 1}, &RoutineRows::draw_words,
             [&] { ntru_prime::short_from_list<Isa>(ring_.p, set_.w, words_, f_); });
    }

    void short_random()
    {
        time({"Short_random"}, &RoutineRows::draw_stream,
             [&] { ntru_prime::short_random<Isa>(ring_.p, set_.w, *stream_, f_); });
        parts_of_short_random();
    }

    void rq_mult_small(RoutineLine::Kind kind)
    {
        time({"Rq_mult_small", kind}, &RoutineRows::draw_polynomials,
             [&] { Arithmetic::rq_mult_small(ring_, h_, f_, product_); });
    }

    void round_and_encode()
    {
        time({"Round"}, &RoutineRows::draw_polynomials, [&] { ntru_prime::round<Isa>(ring_, rounded_); });
        time({"Rounded_encode"}, &RoutineRows::draw_rounded, [&] {
            ntru_prime::rounded_encode<Isa>(ring_, rounded_, first(rounded_bytes_, ring_.rounded_bytes()));
        });
    }

    void end_of_keygen()
    {
        time({"randombytes"}, &RoutineRows::draw_words, [&] { stream_->bytes(input_); });
        hash_of_public_key();
        time({"total", RoutineLine::total}, &RoutineRows::draw_seed, [&] { whole_keygen(); });
    }

    void hide()
    {
        time({"Hide"}, &RoutineRows::draw_input, [&] {
            ntru_prime::hide<Set, Isa>(set_, input_, pk(), public_key_hash_, input_hash_, ciphertext());
        });
    }

    // ---- The operations.

    void keygen()
        requires(Set::is_streamlined)
    {
        clock_.begin("keypair");
        time({"Small_random"}, &RoutineRows::draw_seed, [&] {
            open_stream();
            ntru_prime::small_random<Isa>(ring_, *stream_, g_);
        });
        time({"urandom32()", RoutineLine::part, ring_.p}, &RoutineRows::draw_stream,
             [&] { stream_->words(std::span{words_}.first(ring_.p)); });
        time({"R3_recip"}, &RoutineRows::draw_polynomials,
             [&] { expose_value(Arithmetic::r3_recip(ring_, g_, small_)); });
        short_random();
        time({"Rq_recip3"}, &RoutineRows::draw_polynomials,
             [&] { Arithmetic::rq_recip3(ring_, f_, product_); });
        rq_mult_small(RoutineLine::step);
        time({"Rq_encode"}, &RoutineRows::draw_polynomials,
             [&] { ntru_prime::rq_encode<Isa>(ring_, h_, first(rq_bytes_, ring_.rq_bytes())); });
        time({"Small_encode", RoutineLine::step, 2}, &RoutineRows::draw_polynomials, [&] {
            ntru_prime::small_encode<Isa>(ring_, f_, small_bytes_);
            ntru_prime::small_encode<Isa>(ring_, g_, more_small_bytes_);
        });
        end_of_keygen();
    }

    void keygen()
        requires(!Set::is_streamlined)
    {
        clock_.begin("keypair");
        time({"Seeds_random"}, &RoutineRows::draw_seed, [&] {
            open_stream();
            stream_->bytes(public_key_hash_);
        });
        time({"Generator"}, &RoutineRows::draw_seed, [&] { ntru_prime::generator<Isa>(ring_, seed_, h_); });
        short_random();
        rq_mult_small(RoutineLine::step);
        round_and_encode();
        time({"Small_encode"}, &RoutineRows::draw_polynomials,
             [&] { ntru_prime::small_encode<Isa>(ring_, f_, small_bytes_); });
        end_of_keygen();
    }

    void encapsulate()
    {
        clock_.begin("enc");
        hash_of_public_key();
        time({"Inputs_random"}, &RoutineRows::draw_seed, [&] {
            open_stream();
            Core::random_input(set_, *stream_, input_);
        });
        hide();
        time({"HashSession"}, &RoutineRows::draw_ciphertext, [&] { hash_session(); });
        time({"total", RoutineLine::total}, &RoutineRows::draw_seed, [&] { whole_encapsulate(); });
    }

    void decapsulate()
    {
        clock_.begin("dec");
        time({"Decrypt"}, &RoutineRows::draw_ciphertext,
             [&] { Core::decrypt(set_, core_ciphertext(), secret(), input_); });
        if constexpr (Set::is_streamlined) parts_of_decrypt();
        hide();
        time({"HashSession"}, &RoutineRows::draw_ciphertext, [&] {
            ntru_prime::hash_input<Set, Isa>(set_, input_, input_hash_);
            hash_session();
        });
        time({"total", RoutineLine::total}, &RoutineRows::draw_ciphertext, [&] { whole_decapsulate(); });
    }

    void parts_of_decrypt()
    {
        time({"Small_decode", RoutineLine::part, 2}, &RoutineRows::draw_ciphertext, [&] {
            ntru_prime::small_decode<Isa>(ring_, secret().first(ring_.small_bytes()), f_);
            ntru_prime::small_decode<Isa>(ring_, secret().last(ring_.small_bytes()), g_);
        });
        time({"Rounded_decode", RoutineLine::part}, &RoutineRows::draw_ciphertext,
             [&] { ntru_prime::rounded_decode<Isa>(ring_, core_ciphertext(), rounded_); });
        rq_mult_small(RoutineLine::part);
        time({"R3_mult", RoutineLine::part}, &RoutineRows::draw_polynomials,
             [&] { Arithmetic::r3_mult(ring_, g_, f_, small_); });
        time({"Small_encode", RoutineLine::part}, &RoutineRows::draw_polynomials,
             [&] { ntru_prime::small_encode<Isa>(ring_, f_, small_bytes_); });
        clock_.rest("Rq_mult3, R3_fromRq, Weightw_mask");
    }

    // ---- Buffers have room for any set of the type; these are the bytes of this one.

    template <std::size_t capacity>
    [[nodiscard]] static BytesOut<> first(std::array<Byte, capacity>& bytes, std::size_t count)
    {
        return BytesOut<>{bytes}.first(count);
    }
    [[nodiscard]] BytesOut<> pk() { return first(pk_, set_.public_key_bytes); }
    [[nodiscard]] BytesOut<> sk() { return first(sk_, set_.secret_key_bytes); }
    [[nodiscard]] BytesOut<> ciphertext() { return first(ciphertext_, set_.ciphertext_bytes); }
    [[nodiscard]] BytesIn<> core_ciphertext() { return first(ciphertext_, set_.core_ciphertext_bytes); }
    [[nodiscard]] ntru_prime::SecretKeyView<Set> secret_key() const { return {set_, sk_.data()}; }
    [[nodiscard]] BytesIn<> secret() const { return secret_key().core(); }

    static void expose_value(std::int32_t value) { benchmark::DoNotOptimize(value); }

    const Set& set_;
    decltype(Set::ring) ring_;
    RoutineClock& clock_;
    Random random_;
    bool is_good_ = true;
    std::optional<ntru_prime::RandomStream<Isa>> stream_;

    ntru_prime::Small<Set::capacity> f_;      ///< short
    ntru_prime::Small<Set::capacity> g_;      ///< small
    ntru_prime::Small<Set::capacity> small_;  ///< results
    ntru_prime::Rq<Set::capacity> h_;
    ntru_prime::Rq<Set::capacity> product_;
    ntru_prime::Rounded<Set::capacity> rounded_;
    ntru_prime::Words<Set::capacity> words_;

    std::array<Byte, ntru_prime::seed_bytes> seed_;
    std::array<Byte, Set::public_key_capacity> pk_;
    std::array<Byte,
               Set::capacity / 2 + Set::public_key_capacity + Set::input_capacity + ntru_prime::hash_bytes>
        sk_;
    std::array<Byte, Set::ciphertext_capacity> ciphertext_{};
    std::array<Byte, ntru_prime::shared_secret_bytes> shared_secret_;
    std::array<Byte, ntru_prime::hash_bytes> public_key_hash_;
    std::array<Byte, ntru_prime::hash_bytes> input_hash_;
    std::array<Byte, Set::capacity / 4> small_bytes_;
    std::array<Byte, Set::capacity / 4> more_small_bytes_;
    std::array<Byte, Set::public_key_capacity> rq_bytes_;
    std::array<Byte, Set::public_key_capacity> rounded_bytes_;
    typename Core::Input input_;
};

template <ntru_prime::Params P, class Isa>
void time_routines_of(RoutineClock& clock)
{
    RoutineRows<ntru_prime::SetOf<P>, Isa>::time_all(ntru_prime::set_of<P>, clock);
}

/// Times the routines of the set of a name.
template <class Isa>
void time_routines(std::string_view set, RoutineClock& clock)
{
    using namespace ntru_prime;
    if (set == "sntrup653") return time_routines_of<sntrup653, Isa>(clock);
    if (set == "sntrup761") return time_routines_of<sntrup761, Isa>(clock);
    if (set == "sntrup857") return time_routines_of<sntrup857, Isa>(clock);
    if (set == "sntrup953") return time_routines_of<sntrup953, Isa>(clock);
    if (set == "sntrup1013") return time_routines_of<sntrup1013, Isa>(clock);
    if (set == "sntrup1277") return time_routines_of<sntrup1277, Isa>(clock);
    if (set == "ntrulpr653") return time_routines_of<ntrulpr653, Isa>(clock);
    if (set == "ntrulpr761") return time_routines_of<ntrulpr761, Isa>(clock);
    if (set == "ntrulpr857") return time_routines_of<ntrulpr857, Isa>(clock);
    if (set == "ntrulpr953") return time_routines_of<ntrulpr953, Isa>(clock);
    if (set == "ntrulpr1013") return time_routines_of<ntrulpr1013, Isa>(clock);
    if (set == "ntrulpr1277") return time_routines_of<ntrulpr1277, Isa>(clock);
}

}  // namespace girih::lab
