/// The operations of every parameter set on an engine.
#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <utility>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"
#include "isa/isa.hpp"
#include "isa/shared/wiped_stack.hpp"
#include "ntru_prime/interface.hpp"
#include "ntru_prime/lanes/kem.hpp"
#include "ntru_prime/lanes/keygen_many.hpp"
#include "ntru_prime/params.hpp"
#include "ntru_prime/ring.hpp"
#include "ntru_prime/sampling/randomness.hpp"
#include "ntru_prime/standard/kem.hpp"
#include "ntru_prime/standard/key_check.hpp"

namespace girih::ntru_prime {

/// More stack than any operation uses: polynomials, and values of their products.
constexpr std::size_t stack_bytes_of(const Params& set)
{
    if (set.ring.p <= 768) return set.is_streamlined() ? 25600 : 27648;
    return set.is_streamlined() ? 44544 : 47616;
}

/// The operations of one parameter set on one engine. Whatever an operation leaves of its frames on
/// the stack is wiped: compilers spill registers and copy pieces of polynomials as they see fit.
template <Params P, class Isa>
struct OperationsOf {
    static constexpr const auto& set = []() -> const auto& {
        if constexpr (isa::HasOneSet<Isa>)
            return only_set<P>;
        else
            return set_of<P>;
    }();
    using Set = std::remove_cvref_t<decltype(set)>;

    static bool keygen(const Randomness& randomness, Byte* pk, Byte* sk)
    {
        const bool is_made = ntru_prime::keygen<Set, Isa>(
            set, randomness, BytesOut<>{pk, P.public_key_bytes()}, BytesOut<>{sk, P.secret_key_bytes()});
        isa::wipe_stack<Isa>(stack_bytes);
        return is_made;
    }

    static KeyCheck public_key(const Byte* sk, Byte* pk)
    {
        const SecretKeyView<Set> view{set, sk};
        copy(view.public_key(), BytesOut<>{pk, P.public_key_bytes()});
        const KeyCheck check = check_key<Set, Isa>(set, view);
        isa::wipe_stack<Isa>(stack_bytes);
        return check;
    }

    static bool encapsulate(const Randomness& randomness, const Byte* pk, Byte* ciphertext,
                            Byte* shared_secret)
    {
        const bool is_made = encapsulate_side_by_side<Set, Isa>(
            set, randomness, BytesIn<>{pk, P.public_key_bytes()},
            BytesOut<>{ciphertext, P.ciphertext_bytes()},
            BytesOut<shared_secret_bytes>{shared_secret, shared_secret_bytes});
        isa::wipe_stack<Isa>(stack_bytes);
        return is_made;
    }

    static void decapsulate(const Byte* sk, const Byte* ciphertext, Byte* shared_secret)
    {
        decapsulate_side_by_side<Set, Isa>(set, {set, sk}, BytesIn<>{ciphertext, P.ciphertext_bytes()},
                                           BytesOut<shared_secret_bytes>{shared_secret, shared_secret_bytes});
        isa::wipe_stack<Isa>(stack_bytes);
    }

    static void keygen_many(std::span<const KeygenRow> rows)
    {
        if constexpr (P.is_streamlined() && !Isa::follows_specification) {
            using Batch = StreamlinedBatch<Set, Isa>;
            if (rows.size() > 1) {
                for (; rows.size() > 1; rows = rows.subspan(std::min(rows.size(), rows_at_once)))
                    Batch::keygen(set, rows.first(std::min(rows.size(), rows_at_once)));
                isa::wipe_stack<Isa>(Batch::stack_bytes);
            }
        }
        for (const KeygenRow& row : rows) (void)keygen({row.seed}, row.pk, row.sk);
    }

    static constexpr std::size_t stack_bytes = [] {
        if constexpr (isa::KnownNtruPrimeStack<Isa>)
            return Isa::ntru_prime_stack_bytes;
        else
            return stack_bytes_of(P);
    }();

    static constexpr Operations table{keygen, public_key, encapsulate, decapsulate, keygen_many};
};

}  // namespace girih::ntru_prime
