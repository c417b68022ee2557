#include <array>
#include <utility>

#include "keys.hpp"
#include "lock.hpp"
#include "options.hpp"

namespace girih::python {
namespace {

constexpr std::size_t shared_secret_bytes = 32;

/// A shared secret, wiped after it was copied to Python, or on failure.
struct SharedSecret : std::array<std::uint8_t, shared_secret_bytes> {
    SharedSecret() = default;
    SharedSecret(const SharedSecret&) = delete;
    SharedSecret& operator=(const SharedSecret&) = delete;
    ~SharedSecret() { key_files::erase(data(), size()); }
};

template <class Operation>
nb::tuple encapsulate_with(const girih_alg* alg, nb::handle random, const Operation& operation)
{
    const RandomSource source{random};
    key_files::Bytes ciphertext(girih_ciphertext_bytes(alg));
    SharedSecret secret;
    int code = GIRIH_OK;
    {
        const Unlocked unlocked;
        code =
            operation(source.c_random(), ciphertext.data(), ciphertext.size(), secret.data(), secret.size());
    }
    source.succeed(code, code == GIRIH_ERROR_PUBLIC_KEY ? "public_key" : "encapsulate");
    return nb::make_tuple(to_bytes(ciphertext), to_secret({secret.begin(), secret.end()}));
}

nb::tuple encapsulate(const Algorithm& algorithm, nb::handle public_key, nb::handle random)
{
    const girih_alg* alg = algorithm.alg;
    const Buffer key{public_key, "public_key", alg, girih_public_key_bytes(alg)};
    return encapsulate_with(alg, random, [&](const girih_random* source, auto... outputs) {
        return girih_encapsulate(alg, source, key.data(), key.size(), outputs...);
    });
}

nb::tuple encapsulate_prepared(const PreparedEncapsulation& key, nb::handle random)
{
    return encapsulate_with(key.alg, random, [&](const girih_random* source, auto... outputs) {
        return girih_encapsulate_prepared(key.key.c_key(), source, outputs...);
    });
}

int decapsulate(const Pair& key, BytesIn ciphertext, SharedSecret& out)
{
    return girih_decapsulate(key.alg, key.expanded.data(), key.expanded.size(), ciphertext.data(),
                             ciphertext.size(), out.data(), out.size());
}

int decapsulate(const PreparedOf<detail::PreparedDecapsulation>& key, BytesIn ciphertext, SharedSecret& out)
{
    return girih_decapsulate_prepared(key.key.c_key(), ciphertext.data(), ciphertext.size(), out.data(),
                                      out.size());
}

template <class Key>
nb::object decapsulate_with(const Wipeable<Key>& holder, nb::handle ciphertext)
{
    const auto key = holder.get();
    const Buffer buffer{ciphertext, "ciphertext", key->alg, girih_ciphertext_bytes(key->alg)};
    SharedSecret secret;
    int code = GIRIH_OK;
    {
        const Unlocked unlocked;
        code = decapsulate(*key, buffer.bytes(), secret);
    }
    succeed(code, "decapsulate");
    return to_secret({secret.begin(), secret.end()});
}

}  // namespace

void define_kems(nb::module_& module)
{
    module.def("encapsulate", encapsulate, nb::arg("algorithm"), nb::arg("public_key").none(),
               nb::arg("random").none());
    module.def("encapsulate_prepared", encapsulate_prepared, nb::arg("key"), nb::arg("random").none());
    module.def("decapsulate", decapsulate_with<Pair>, nb::arg("key"), nb::arg("ciphertext").none());
    module.def("decapsulate", decapsulate_with<PreparedOf<detail::PreparedDecapsulation>>, nb::arg("key"),
               nb::arg("ciphertext").none());
}

}  // namespace girih::python
