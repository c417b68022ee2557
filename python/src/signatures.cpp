#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "keys.hpp"
#include "lock.hpp"
#include "options.hpp"

namespace girih::python {

int check_context(const girih_alg* alg, std::size_t bytes) noexcept
{
    return bytes <= (girih_has_context(alg) != 0 ? 255U : 0U) ? GIRIH_OK : GIRIH_ERROR_CONTEXT;
}

void demand_context(const girih_alg* alg, std::size_t bytes, const char* name)
{
    if (check_context(alg, bytes) == GIRIH_OK) return;
    const std::string limit =
        girih_has_context(alg) != 0 ? "255 at most" : std::string{girih_name(alg)} + " has no contexts";
    fail(GIRIH_ERROR_CONTEXT, name, std::to_string(bytes) + " bytes, " + limit);
}

const char* pre_hash_of(const girih_alg* alg, nb::handle pre_hash)
{
    if (pre_hash.is_none()) return nullptr;
    Py_ssize_t bytes = 0;
    const char* name =
        nb::isinstance<nb::str>(pre_hash) ? PyUnicode_AsUTF8AndSize(pre_hash.ptr(), &bytes) : nullptr;
    if (name == nullptr) {
        PyErr_Clear();
        throw nb::type_error("pre_hash must be a str, or None");
    }
    if (girih_has_context(alg) == 0)
        fail(GIRIH_ERROR_PRE_HASH, "pre_hash", std::string{girih_name(alg)} + " has no pre-hashes");
    if (std::string_view{name}.size() == static_cast<std::size_t>(bytes) &&
        girih_pre_hash_strength(name) != 0)
        return name;
    std::string text = "'" + std::string{name} + "' is none of ";
    for (std::size_t i = 0; girih_pre_hash_at(i) != nullptr; ++i)
        text.append(i == 0 ? "" : ", ").append(girih_pre_hash_at(i));
    fail(GIRIH_ERROR_PRE_HASH, "pre_hash", text);
}

Options::Options(const girih_alg* alg, nb::handle context, nb::handle pre_hash, bool deterministic,
                 bool verify_after_sign, nb::handle random)
    : context_(context, "context", true),
      random_(random),
      options_{context_.data(),
               context_.size(),
               pre_hash_of(alg, pre_hash),
               deterministic ? 1 : 0,
               random_.c_random(),
               verify_after_sign ? 1 : 0,
               {}}
{
    demand_context(alg, context_.size(), "context");
    if (deterministic && girih_has_mu(alg) == 0)
        fail(GIRIH_ERROR_OPTION, "deterministic",
             std::string{girih_name(alg)} + " has no deterministic signatures");
}

namespace {

constexpr std::size_t longest_signature = GIRIH_ML_DSA_87_SIGNATURE_BYTES;

/// A message, or the representative mu of one.
struct Signed {
    Signed(const girih_alg* alg, nb::handle object, bool mu)
        : bytes(mu ? Buffer{object, "mu", alg, GIRIH_MU_BYTES} : Buffer{object, "message"}), is_mu(mu)
    {
    }
    Buffer bytes;
    bool is_mu;
};

int sign(const Pair& key, const Signed& what, const girih_options* options, std::uint8_t* out,
         std::size_t capacity, std::size_t* length)
{
    const auto function = what.is_mu ? girih_sign_mu : girih_sign;
    return function(key.alg, key.expanded.data(), key.expanded.size(), what.bytes.data(), what.bytes.size(),
                    options, out, capacity, length);
}

int sign(const PreparedOf<detail::PreparedSigning>& key, const Signed& what, const girih_options* options,
         std::uint8_t* out, std::size_t capacity, std::size_t* length)
{
    const auto function = what.is_mu ? girih_sign_mu_prepared : girih_sign_prepared;
    return function(key.key.c_key(), what.bytes.data(), what.bytes.size(), options, out, capacity, length);
}

template <class Key>
nb::bytes sign_with(const Wipeable<Key>& holder, nb::handle message, bool is_mu, nb::handle context,
                    nb::handle pre_hash, nb::handle deterministic, nb::handle verify_after_sign,
                    nb::handle random)
{
    const auto key = holder.get();
    const Signed what{key->alg, message, is_mu};
    const Options options{key->alg,
                          context,
                          pre_hash,
                          flag_of(deterministic, "deterministic"),
                          flag_of(verify_after_sign, "verify_after_sign"),
                          random};
    std::array<std::uint8_t, longest_signature> signature;
    std::size_t length = 0;
    int code = GIRIH_OK;
    {
        const Unlocked unlocked;
        code = sign(*key, what, options.get(), signature.data(), signature.size(), &length);
    }
    options.random().succeed(code, "sign");
    return to_bytes({signature.data(), length});
}

/// The verdict; throws all other errors.
bool verdict(int code)
{
    if (code == GIRIH_OK) return true;
    if (code == GIRIH_ERROR_SIGNATURE) return false;
    fail(code, code == GIRIH_ERROR_PUBLIC_KEY ? "public_key" : "verify");
}

template <class Verify>
bool verify_with(const girih_alg* alg, nb::handle message, nb::handle signature, bool is_mu,
                 nb::handle context, nb::handle pre_hash, const Verify& verify)
{
    const Signed what{alg, message, is_mu};
    const Buffer bytes{signature, "signature"};
    const Options options{alg, context, pre_hash};
    int code = GIRIH_OK;
    {
        const Unlocked unlocked;
        code = verify(what.bytes, bytes, options.get());
    }
    return verdict(code);
}

bool verify(const Algorithm& algorithm, nb::handle public_key, nb::handle message, nb::handle signature,
            bool is_mu, nb::handle context, nb::handle pre_hash)
{
    const girih_alg* alg = algorithm.alg;
    const Buffer key{public_key, "public_key", alg, girih_public_key_bytes(alg)};
    return verify_with(alg, message, signature, is_mu, context, pre_hash,
                       [&](const Buffer& what, const Buffer& bytes, const girih_options* options) {
                           return is_mu ? girih_verify_mu(alg, key.data(), key.size(), what.data(),
                                                          what.size(), bytes.data(), bytes.size())
                                        : girih_verify(alg, key.data(), key.size(), what.data(), what.size(),
                                                       options, bytes.data(), bytes.size());
                       });
}

bool verify_prepared(const PreparedVerifying& key, nb::handle message, nb::handle signature, bool is_mu,
                     nb::handle context, nb::handle pre_hash)
{
    return verify_with(key.alg, message, signature, is_mu, context, pre_hash,
                       [&](const Buffer& what, const Buffer& bytes, const girih_options* options) {
                           return is_mu ? girih_verify_mu_prepared(key.key.c_key(), what.data(), what.size(),
                                                                   bytes.data(), bytes.size())
                                        : girih_verify_prepared(key.key.c_key(), what.data(), what.size(),
                                                                options, bytes.data(), bytes.size());
                       });
}

nb::bytes crypto_sign(const KeyPair& holder, nb::handle message, nb::handle random)
{
    const auto key = holder.get();
    const Buffer buffer{message, "message"};
    const Options options{key->alg, nb::none(), nb::none(), false, false, random};
    key_files::Bytes out(buffer.size() + girih_signature_bytes(key->alg) + 2);
    std::size_t length = 0;
    int code = GIRIH_OK;
    {
        const Unlocked unlocked;
        code = girih_crypto_sign(key->alg, key->expanded.data(), key->expanded.size(), buffer.data(),
                                 buffer.size(), options.get(), out.data(), out.size(), &length);
    }
    options.random().succeed(code, "crypto_sign");
    return to_bytes({out.data(), length});
}

nb::object crypto_sign_open(const Algorithm& algorithm, nb::handle public_key, nb::handle signed_message)
{
    const Buffer key{public_key, "public_key", algorithm.alg, girih_public_key_bytes(algorithm.alg)};
    const Buffer buffer{signed_message, "signed_message"};
    key_files::Bytes out(buffer.size());
    std::size_t length = 0;
    int code = GIRIH_OK;
    {
        const Unlocked unlocked;
        code = girih_crypto_sign_open(algorithm.alg, key.data(), key.size(), buffer.data(), buffer.size(),
                                      out.data(), out.size(), &length);
    }
    if (!verdict(code)) return nb::none();
    return to_bytes({out.data(), length});
}

}  // namespace

void define_signatures(nb::module_& module)
{
    module.def("sign", sign_with<Pair>, nb::arg("key"), nb::arg("message").none(), nb::arg("is_mu"),
               nb::arg("context").none(), nb::arg("pre_hash").none(), nb::arg("deterministic").none(),
               nb::arg("verify_after_sign").none(), nb::arg("random").none());
    module.def("sign", sign_with<PreparedOf<detail::PreparedSigning>>, nb::arg("key"),
               nb::arg("message").none(), nb::arg("is_mu"), nb::arg("context").none(),
               nb::arg("pre_hash").none(), nb::arg("deterministic").none(),
               nb::arg("verify_after_sign").none(), nb::arg("random").none());
    module.def("verify", verify, nb::arg("algorithm"), nb::arg("public_key").none(),
               nb::arg("message").none(), nb::arg("signature").none(), nb::arg("is_mu"),
               nb::arg("context").none(), nb::arg("pre_hash").none());
    module.def("verify_prepared", verify_prepared, nb::arg("key"), nb::arg("message").none(),
               nb::arg("signature").none(), nb::arg("is_mu"), nb::arg("context").none(),
               nb::arg("pre_hash").none());
    module.def("crypto_sign", crypto_sign, nb::arg("key"), nb::arg("message").none(),
               nb::arg("random").none());
    module.def("crypto_sign_open", crypto_sign_open, nb::arg("algorithm"), nb::arg("public_key").none(),
               nb::arg("signed_message").none());
}

}  // namespace girih::python
