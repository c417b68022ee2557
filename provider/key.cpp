#include "provider/key.hpp"

#include <openssl/core_names.h>

#include <array>

#include "provider/composite.hpp"
#include "provider/parameters.hpp"

namespace girih::provider {
namespace {

/// A part of a key, empty if it is absent or not wanted; nothing, with an error, if it is not an
/// octet string.
std::optional<BytesIn<>> part_of(const Provider& provider, const OSSL_PARAM params[], const char* name,
                                 bool wanted)
{
    const OSSL_PARAM* param = wanted ? OSSL_PARAM_locate_const(params, name) : nullptr;
    if (param == nullptr) return BytesIn<>{};
    const auto part = octets_of(*param);
    if (!part) provider.fail(Reason::parameter, std::string(name) + " is not an octet string");
    return part;
}

bool right_length(const Provider& provider, const Algorithm& algorithm, const char* part, std::size_t bytes,
                  std::size_t right)
{
    if (bytes == right || bytes == 0) return true;
    provider.fail(Reason::key_length, std::string(part) + " of " + algorithm.name + " has " +
                                          std::to_string(bytes) + " bytes, but should have " +
                                          std::to_string(right));
    return false;
}

}  // namespace

std::size_t public_key_bytes(const Algorithm& algorithm)
{
    const std::size_t lattice = girih_public_key_bytes(algorithm.alg());
    return algorithm.composite == nullptr ? lattice : lattice + algorithm.composite->classical.public_bytes;
}

std::size_t private_key_bytes(const Algorithm& algorithm)
{
    if (algorithm.composite == nullptr) return girih_secret_key_bytes(algorithm.alg());
    if (algorithm.composite->seed_bytes != 0) return algorithm.composite->seed_bytes;
    return girih_seed_bytes(algorithm.alg()) + algorithm.composite->classical.private_bytes;
}

std::size_t signature_bytes(const Algorithm& algorithm)
{
    const std::size_t lattice = girih_signature_bytes(algorithm.alg());
    return algorithm.composite == nullptr ? lattice : lattice + algorithm.composite->classical.result_bytes;
}

std::size_t ciphertext_bytes(const Algorithm& algorithm)
{
    const std::size_t lattice = girih_ciphertext_bytes(algorithm.alg());
    return algorithm.composite == nullptr ? lattice : lattice + algorithm.composite->classical.public_bytes;
}

key_files::Identified identified(const Algorithm& algorithm) noexcept
{
    if (algorithm.composite == nullptr) return key_files::by_algorithm(algorithm.alg());
    return {algorithm.alg(), key_files::PrivateLayout::choice, algorithm.composite->identifier};
}

bool Operation::take(const void* object, bool needs_private)
{
    auto taken = object != nullptr ? static_cast<const KeyObject*>(object)->key : key;
    if (!taken) return provider.fail(Reason::no_key, "") == 1;
    if (taken->parts.alg != algorithm.alg() || taken->composite.set != algorithm.composite)
        return provider.fail(Reason::algorithm,
                             std::string("the key is one of ") +
                                 (taken->composite.set != nullptr ? "a composite with " : "") +
                                 girih_name(taken->parts.alg) + ", not of " + algorithm.name) == 1;
    if (needs_private && !taken->has_private()) return provider.fail(Reason::no_private_key, "") == 1;
    key = std::move(taken);
    return true;
}

key_files::PrivateForm chosen_form(const Provider& provider, const key_files::PrivateKey& key,
                                   std::optional<key_files::PrivateForm> read_as)
{
    const auto preferred = key_files::preferred_form(key, key_files::Format::der);
    if (preferred == key_files::PrivateForm::expanded) return preferred;
    return provider.configured_form().value_or(read_as.value_or(preferred));
}

std::shared_ptr<const Key> key_of_result(const Provider& provider,
                                         key_files::Result<key_files::PrivateKey> result,
                                         std::optional<key_files::PrivateForm> read_as)
{
    if (!result) {
        provider.fail(Reason::malformed_key, result.error().message);
        return nullptr;
    }
    const auto form = chosen_form(provider, *result, read_as);
    return std::make_shared<const Key>(Key{std::move(*result), form});
}

std::shared_ptr<const Key> key_of_result(const Provider& provider,
                                         key_files::Result<key_files::PublicKey> result)
{
    if (!result) {
        provider.fail(Reason::malformed_key, result.error().message);
        return nullptr;
    }
    return std::make_shared<const Key>(
        Key{{result->alg, {}, {}, std::move(result->bytes)}, key_files::PrivateForm::expanded});
}

std::shared_ptr<const Key> key_of_public(const Provider& provider, const Algorithm& algorithm,
                                         std::span<const std::uint8_t> bytes)
{
    if (bytes.empty()) {
        provider.fail(Reason::key_length, "the public key is empty");
        return nullptr;
    }
    if (!right_length(provider, algorithm, "the public key", bytes.size(), public_key_bytes(algorithm)))
        return nullptr;
    if (algorithm.composite != nullptr) return composite_of_public(provider, algorithm, bytes);
    return key_of_result(provider,
                         key_files::check_public_key({algorithm.alg(), {bytes.begin(), bytes.end()}}));
}

std::shared_ptr<const Key> key_of_parts(const Provider& provider, const Algorithm& algorithm,
                                        std::span<const std::uint8_t> seed,
                                        std::span<const std::uint8_t> expanded,
                                        std::span<const std::uint8_t> public_key)
{
    const girih_alg* alg = algorithm.alg();
    const bool is_composite = algorithm.composite != nullptr;
    if (!right_length(provider, algorithm, "the seed", seed.size(),
                      is_composite ? 0 : girih_seed_bytes(alg)) ||
        !right_length(provider, algorithm, "the private key", expanded.size(),
                      private_key_bytes(algorithm)) ||
        !right_length(provider, algorithm, "the public key", public_key.size(), public_key_bytes(algorithm)))
        return nullptr;
    if (is_composite) return composite_of_private(provider, algorithm, expanded, public_key);
    return key_of_result(provider, key_files::check_private_key(alg, {seed, expanded, public_key, {}}));
}

std::shared_ptr<const Key> import_key(const Provider& provider, const Algorithm& algorithm, int selection,
                                      const OSSL_PARAM params[])
{
    const bool wants_private = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
    const auto seed = part_of(provider, params, "seed", wants_private);
    const auto expanded = part_of(provider, params, OSSL_PKEY_PARAM_PRIV_KEY, wants_private);
    const auto public_key = part_of(provider, params, OSSL_PKEY_PARAM_PUB_KEY, true);
    if (!seed || !expanded || !public_key) return nullptr;
    if (seed->empty() && expanded->empty()) return key_of_public(provider, algorithm, *public_key);
    return key_of_parts(provider, algorithm, *seed, *expanded, *public_key);
}

int export_key(const Key& key, int selection, OSSL_CALLBACK* callback, void* argument)
{
    // A request for both halves returns those that exist: the core makes it for other providers.
    const bool wants_public = (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0;
    const bool wants_private = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
    if (!wants_public && !key.has_private()) return 0;
    std::array<OSSL_PARAM, 4> params;
    std::size_t count = 0;
    if (wants_public) params[count++] = octets(OSSL_PKEY_PARAM_PUB_KEY, key.public_key());
    if (wants_private && key.has_private()) {
        params[count++] = octets(OSSL_PKEY_PARAM_PRIV_KEY, key.private_key());
        if (!key.parts.seed.empty()) params[count++] = octets("seed", key.parts.seed);
    }
    params[count] = OSSL_PARAM_construct_end();
    return callback(params.data(), argument);
}

}  // namespace girih::provider
