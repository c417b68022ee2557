#include "keys.hpp"

#include <cstring>
#include <string>
#include <utility>

#include <nanobind/stl/unique_ptr.h>

#include "core/random.hpp"
#include "lock.hpp"
#include "random.hpp"

namespace girih::python {

namespace {

/// A pair with memory for its bytes.
std::shared_ptr<Pair> empty_pair(const girih_alg* alg)
{
    return std::make_shared<Pair>(Pair{
        alg, {}, SecretVector(girih_secret_key_bytes(alg)), key_files::Bytes(girih_public_key_bytes(alg))});
}

/// Records the drawn randomness: key generation of ML-DSA, Dilithium and ML-KEM draws the key's
/// seed, which its file can hold.
struct Recorded {
    const girih_random* source;  ///< null: the operating system's
    SecretVector drawn;

    static int fill(void* state, std::uint8_t* out, std::size_t bytes)
    {
        auto& self = *static_cast<Recorded*>(state);
        if (self.source != nullptr) {
            if (const int status = self.source->fill(self.source->state, out, bytes); status != 0)
                return status;
        } else if (!os_random({out, bytes})) {
            return 1;
        }
        self.drawn.insert(self.drawn.end(), out, out + bytes);
        return 0;
    }
};

bool seed_is_the_key(const girih_alg* alg)
{
    return girih_has_mu(alg) != 0 || girih_encapsulation_key_size(alg) != 0;
}

std::unique_ptr<KeyPair> generate(const Algorithm& algorithm, nb::handle checked, nb::handle random)
{
    const girih_alg* alg = algorithm.alg;
    const auto keygen = flag_of(checked, "checked") ? girih_keygen_checked : girih_keygen;
    const RandomSource source{random};
    auto pair = empty_pair(alg);
    int code = GIRIH_OK;
    {
        const Unlocked unlocked;
        Recorded recorded{source.c_random(), {}};
        const girih_random recording{Recorded::fill, &recorded, 0};
        const bool records = seed_is_the_key(alg);
        if (records) recorded.drawn.reserve(girih_seed_bytes(alg));  // drawing must not throw
        code = keygen(alg, records ? &recording : source.c_random(), pair->public_key.data(),
                      pair->public_key.size(), pair->expanded.data(), pair->expanded.size());
        if (records) pair->seed.swap(recorded.drawn);
    }
    source.succeed(code, "generate");
    return std::make_unique<KeyPair>(std::move(pair));
}

std::unique_ptr<KeyPair> from_seed(const Algorithm& algorithm, nb::handle seed, bool reference)
{
    const girih_alg* alg = algorithm.alg;
    const Buffer buffer{seed, "seed", alg, girih_seed_bytes(alg)};
    auto pair = empty_pair(alg);
    pair->seed.assign(buffer.bytes().begin(), buffer.bytes().end());
    int code = GIRIH_OK;
    {
        const Unlocked unlocked;
        const auto keygen = reference ? girih_falcon_reference_keygen : girih_keygen_from_seed;
        code = keygen(alg, pair->seed.data(), pair->seed.size(), pair->public_key.data(),
                      pair->public_key.size(), pair->expanded.data(), pair->expanded.size());
    }
    succeed(code, "from_seed");
    if (reference) pair->seed.clear();  // because readers of a key file use the other generator
    return std::make_unique<KeyPair>(std::move(pair));
}

std::unique_ptr<KeyPair> from_bytes(const Algorithm& algorithm, nb::handle bytes)
{
    const girih_alg* alg = algorithm.alg;
    const Buffer buffer{bytes, "secret_key", alg, girih_secret_key_bytes(alg)};
    auto pair = empty_pair(alg);
    std::memcpy(pair->expanded.data(), buffer.data(), buffer.size());
    int code = GIRIH_OK;
    {
        const Unlocked unlocked;
        code = girih_public_key(alg, pair->expanded.data(), pair->expanded.size(), pair->public_key.data(),
                                pair->public_key.size());
    }
    succeed(code, "secret_key");
    return std::make_unique<KeyPair>(std::move(pair));
}

/// Prepares a public key.
template <class Prepared>
void define_public(nb::module_& module, const char* name)
{
    nb::class_<PreparedOf<Prepared>>(module, name)
        .def(
            "__init__",
            [](PreparedOf<Prepared>* self, const Algorithm& algorithm, nb::handle public_key) {
                const Buffer buffer{public_key, "public_key", algorithm.alg,
                                    girih_public_key_bytes(algorithm.alg)};
                const Unlocked unlocked;
                new (self) PreparedOf<Prepared>{algorithm.alg, Prepared{algorithm.alg, buffer.bytes()}};
            },
            nb::arg("algorithm"), nb::arg("public_key").none());
}

/// Prepares a secret key.
template <class Prepared>
void define_secret(nb::module_& module, const char* name)
{
    using Holder = Wipeable<PreparedOf<Prepared>>;
    nb::class_<Holder>(module, name)
        .def(
            "__init__",
            [](Holder* self, const KeyPair& key) {
                const auto pair = key.get();
                const Unlocked unlocked;
                new (self) Holder{std::make_shared<const PreparedOf<Prepared>>(
                    PreparedOf<Prepared>{pair->alg, Prepared{pair->alg, pair->expanded}})};
            },
            nb::arg("key"))
        .def("wipe", &Holder::wipe)
        .def_prop_ro("wiped", &Holder::wiped);
}

}  // namespace

void define_keys(nb::module_& module)
{
    nb::class_<KeyPair>(module, "KeyPair")
        .def_static("generate", generate, nb::arg("algorithm"), nb::arg("checked").none(),
                    nb::arg("random").none())
        .def_static("from_seed", from_seed, nb::arg("algorithm"), nb::arg("seed").none(),
                    nb::arg("reference"))
        .def_static("from_bytes", from_bytes, nb::arg("algorithm"), nb::arg("secret_key").none())
        .def_prop_ro("algorithm", [](const KeyPair& self) { return Algorithm{self.get()->alg}; })
        .def("public_key", [](const KeyPair& self) { return to_bytes(self.get()->public_key); })
        .def("secret_key", [](const KeyPair& self) { return to_secret(self.get()->expanded); })
        .def("seed",
             [](const KeyPair& self) -> nb::object {
                 const auto pair = self.get();
                 return pair->seed.empty() ? nb::none() : to_secret(pair->seed);
             })
        .def(
            "equals",
            [](const KeyPair& self, const KeyPair& other) {
                const auto one = self.get_if(), two = other.get_if();
                return one && two && one->alg == two->alg && equal(one->expanded, two->expanded);
            },
            nb::arg("other"))
        .def("wipe", &KeyPair::wipe)
        .def_prop_ro("wiped", &KeyPair::wiped);
    define_public<detail::PreparedVerifying>(module, "PreparedVerifying");
    define_public<detail::PreparedEncapsulation>(module, "PreparedEncapsulation");
    define_secret<detail::PreparedSigning>(module, "PreparedSigning");
    define_secret<detail::PreparedDecapsulation>(module, "PreparedDecapsulation");
}

}  // namespace girih::python
