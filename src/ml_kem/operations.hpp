/// The operations of every parameter set on an engine.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"
#include "isa/shared/wiped_stack.hpp"
#include "ml_kem/interface.hpp"
#include "ml_kem/lanes/decapsulate.hpp"
#include "ml_kem/lanes/encapsulate.hpp"
#include "ml_kem/lanes/key_check.hpp"
#include "ml_kem/lanes/keygen.hpp"
#include "ml_kem/lanes/prepared_key.hpp"
#include "ml_kem/lanes/rows.hpp"
#include "ml_kem/params.hpp"

namespace girih::ml_kem {

/// Calls work(p, rows) on all rows, as many at once as run side by side.
template <class Isa, class Row, class Work>
void for_groups(const Params& p, std::span<Row> rows, Work work)
{
    while (!rows.empty()) {
        const std::span<Row> taken = rows.first(std::min(rows.size(), group<Isa>));
        work(p, taken);
        rows = rows.subspan(taken.size());
    }
}

/// The operations of one parameter set on one engine: the text of all sets, with this one's
/// numbers.
template <Params P, class Isa>
struct OperationsOf {
    static BytesIn<> ek_bytes(const Byte* ek) { return {ek, P.public_key_bytes()}; }
    static DecapsulationKeyView dk_view(const Byte* dk) { return {P, {dk, P.secret_key_bytes()}}; }

    static void keygen(const Byte* seed, Byte* ek, Byte* dk)
    {
        const KeygenRow row{seed, ek, dk};
        keygen_group<Isa>(P, std::span{&row, 1});
    }
    static KeyCheck public_key(const Byte* dk, Byte* ek)
    {
        return ml_kem::public_key<Isa>(dk_view(dk), {ek, P.public_key_bytes()});
    }
    static bool prepare_encapsulation_key(const Byte* ek, void* memory)
    {
        return ml_kem::prepare_encapsulation_key<Isa>(P, ek_bytes(ek), memory);
    }
    static bool prepare_decapsulation_key(const Byte* dk, void* memory)
    {
        return ml_kem::prepare_decapsulation_key<Isa>(dk_view(dk), memory);
    }
    static void keygen_many(std::span<const KeygenRow> rows) { for_groups<Isa>(P, rows, keygen_group<Isa>); }
    static void encapsulate_many(std::span<EncapsulationRow> rows)
    {
        for_groups<Isa>(P, rows, encapsulate_group<Isa>);
    }
    static void decapsulate_many(std::span<DecapsulationRow> rows)
    {
        for_groups<Isa>(P, rows, decapsulate_group<Isa>);
    }

    template <auto function>
    static constexpr auto wiped = isa::on_wiped_stack<Isa, 49152, function>;
    static constexpr Operations table{wiped<keygen>,
                                      wiped<public_key>,
                                      PreparedKey::encapsulation_key_bytes(P),
                                      PreparedKey::decapsulation_key_bytes(P),
                                      prepare_encapsulation_key,
                                      wiped<prepare_decapsulation_key>,
                                      wiped<keygen_many>,
                                      wiped<encapsulate_many>,
                                      wiped<decapsulate_many>};
};

}  // namespace girih::ml_kem
