#include "algorithms.hpp"

#include <optional>
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace girih::python {
namespace {

/// Whether C would read the whole string.
bool is_whole(const std::string& name) { return name.find('\0') == std::string::npos; }

}  // namespace

void define_algorithms(nb::module_& module)
{
    const auto number = [](std::size_t (*of)(const girih_alg*)) {
        return [of](const Algorithm& self) { return of(self.alg); };
    };
    const auto flag = [](int (*of)(const girih_alg*)) {
        return [of](const Algorithm& self) { return of(self.alg) != 0; };
    };
    nb::class_<Algorithm>(module, "Algorithm")
        .def_prop_ro("name", [](const Algorithm& self) { return girih_name(self.alg); })
        .def_prop_ro("seed_bytes", number(girih_seed_bytes))
        .def_prop_ro("public_key_bytes", number(girih_public_key_bytes))
        .def_prop_ro("secret_key_bytes", number(girih_secret_key_bytes))
        .def_prop_ro("signature_bytes", number(girih_signature_bytes))
        .def_prop_ro("ciphertext_bytes", number(girih_ciphertext_bytes))
        .def_prop_ro("shared_secret_bytes", number(girih_shared_secret_bytes))
        .def_prop_ro("is_kem", flag(girih_is_kem))
        .def_prop_ro("has_context", flag(girih_has_context))
        .def_prop_ro("has_mu", flag(girih_has_mu));

    module.def(
        "algorithm",
        [](const std::string& name) -> std::optional<Algorithm> {
            const girih_alg* alg = is_whole(name) ? girih_algorithm(name.c_str()) : nullptr;
            return alg != nullptr ? std::optional{Algorithm{alg}} : std::nullopt;
        },
        nb::arg("name"));
    module.def("algorithm_at", [](std::size_t index) -> std::optional<Algorithm> {
        const girih_alg* alg = girih_algorithm_at(index);
        return alg != nullptr ? std::optional{Algorithm{alg}} : std::nullopt;
    });
    module.def("pre_hash_at", [](std::size_t index) -> std::optional<std::string> {
        const char* name = girih_pre_hash_at(index);
        return name != nullptr ? std::optional<std::string>{name} : std::nullopt;
    });
    module.def("pre_hash_strength", [](const std::string& name) {
        return is_whole(name) ? girih_pre_hash_strength(name.c_str()) : 0;
    });
    const auto text = [](const char* (*of)()) {
        return [of]() -> std::string {
            const char* known = of();
            if (known == nullptr) fail(GIRIH_ERROR_ENGINE, "GIRIH_ISA");
            return known;
        };
    };
    module.def("engine", text(girih_engine));
    module.def("engine_reason", text(girih_engine_reason));
}

}  // namespace girih::python
