#include "api/algorithms/algorithm.hpp"
#include "falcon/interface.hpp"
#include "falcon/sign.hpp"
#include "isa/portable/lanes.hpp"
#include "secrets.hpp"
#include "support/at_place.hpp"

namespace girih::stack {
namespace {

using namespace falcon;
using Isa = isa::portable::Isa;

/// Values at roots: eight bytes each, unless they are a small power of two or 0.
template <std::size_t count>
void add_values(Secrets& secrets, const std::string& name, const std::array<Isa::Fpr, count>& values)
{
    std::vector<std::uint64_t> telling;
    for (const Isa::Fpr& a : values)
        if ((a.bits() & 0xFFFFFFFF) != 0) telling.push_back(a.bits());
    secrets.add(name, telling);
}

template <Params P>
void add_key(Secrets& secrets, BytesIn<P.secret_key_bytes()> sk)
{
    constexpr Params keys = P.keys();
    Basis<P.n()> basis;
    test::expect_good(decode_secret_key<keys, Isa>(sk, basis) ? GIRIH_OK : GIRIH_ERROR_SECRET_KEY);
    secrets.add_small("f", basis.f);
    secrets.add_small("g", basis.g);
    secrets.add_small("F", basis.big_f);
    secrets.add_small("G", basis.big_g);

    test::KeyMemory memory{sizeof(PreparedSigningKey<keys, Isa>)};
    (void)OperationsOn<Isa, P>::table.prepare_signing_key(sk.data(), memory.data());
    const auto& prepared = *static_cast<const PreparedSigningKey<keys, Isa>*>(memory.data());
    for (const auto* values :
         {&prepared.basis.b00, &prepared.basis.b01, &prepared.basis.b10, &prepared.basis.b11})
        add_values(secrets, "values of the basis", *values);
    add_values(secrets, "tree", prepared.l10);
    add_values(secrets, "tree", prepared.left);
    add_values(secrets, "tree", prepared.right);
}

}  // namespace

Secrets secrets_of_falcon(const test::EveryOperation& operations)
{
    Secrets secrets;
    secrets.add("seed", operations.seed);
    secrets.add("secret key", BytesIn<>{operations.given.secret_key}.subspan(1));
    test::at_place<parameter_sets.size()>(operations.alg->index, [&](auto place) {
        constexpr Params P = parameter_sets[place];
        add_key<P>(secrets, BytesIn<P.secret_key_bytes()>{operations.given.secret_key});
    });
    return secrets;
}

}  // namespace girih::stack
