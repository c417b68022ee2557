#include "provider/composite.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "core/wipe.hpp"

namespace girih::provider {
namespace {

namespace der = key_files::der;

/// Prefix (Section 2.2).
constexpr std::string_view prefix = "CompositeAlgorithmSignatures2025";

/// The message representative M' (Section 2.2), which both halves sign.
Bytes representative(const Composite& set, BytesIn<> digest, BytesIn<> context)
{
    Bytes m(prefix.begin(), prefix.end());
    m.insert(m.end(), set.label.begin(), set.label.end());
    m.push_back(static_cast<Byte>(context.size()));
    m.insert(m.end(), context.begin(), context.end());
    m.insert(m.end(), digest.begin(), digest.end());
    return m;
}

/// The label is the context of ML-DSA's half.
girih_options options_of(const Composite& set)
{
    girih_options options{};
    options.context = reinterpret_cast<const Byte*>(set.label.data());
    options.context_bytes = set.label.size();
    return options;
}

std::shared_ptr<const Key> fail(const Provider& provider, Reason reason, const std::string& detail)
{
    provider.fail(reason, detail);
    return nullptr;
}

std::shared_ptr<const Key> key_of_halves(key_files::PrivateKey lattice, CompositeParts parts)
{
    return std::make_shared<const Key>(
        Key{std::move(lattice), key_files::PrivateForm::seed, std::move(parts)});
}

/// AlgorithmIdentifier, which the decoder has compared with the algorithm's.
void skip_algorithm(der::Reader& info)
{
    der::Reader algorithm = info.inside(der::sequence, "AlgorithmIdentifier");
    (void)algorithm.element(der::object_identifier, "algorithm");
    algorithm.end();
}

}  // namespace

std::shared_ptr<const Key> generate_composite(const Provider& provider, const Algorithm& algorithm)
{
    const Classical& classical = algorithm.composite->classical;
    SecretBytes both(private_key_bytes(algorithm));
    const BytesOut<> seed = BytesOut<>(both).first(both.size() - classical.private_bytes);
    if (!os_random(seed)) {
        provider.fail(GIRIH_ERROR_RANDOM);
        return nullptr;
    }
    const ClassicalKey fresh = new_classical_key(provider, classical);
    if (!fresh) return nullptr;
    if (!write_private(classical, fresh, BytesOut<>(both).subspan(seed.size())))
        return fail(provider, Reason::classical, "the new key has no private part");
    return composite_of_private(provider, algorithm, both, {});
}

std::shared_ptr<const Key> composite_of_public(const Provider& provider, const Algorithm& algorithm,
                                               BytesIn<> bytes)
{
    const Classical& classical = algorithm.composite->classical;
    const std::size_t lattice_bytes = bytes.size() - classical.public_bytes;
    auto lattice = key_files::check_public_key(
        {algorithm.alg(), {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(lattice_bytes)}});
    if (!lattice) return fail(provider, Reason::malformed_key, lattice.error().message);
    auto key = classical_public(provider, classical, "the public key's classical half",
                                bytes.subspan(lattice_bytes));
    if (!key) return nullptr;
    return key_of_halves({algorithm.alg(), {}, {}, std::move(lattice->bytes)},
                         {algorithm.composite, {bytes.begin(), bytes.end()}, {}, std::move(key)});
}

std::shared_ptr<const Key> composite_of_private(const Provider& provider, const Algorithm& algorithm,
                                                BytesIn<> bytes, BytesIn<> public_key)
{
    const Classical& classical = algorithm.composite->classical;
    const std::size_t seed_bytes = bytes.size() - classical.private_bytes;
    auto lattice = key_files::from_seed(algorithm.alg(), bytes.first(seed_bytes));
    if (!lattice) return fail(provider, Reason::library, lattice.error().message);
    lattice->seed = {};  // it is in the composite's private key
    auto key = classical_private(provider, classical, bytes.subspan(seed_bytes));
    if (!key) return nullptr;
    Bytes both = lattice->public_key;
    both.resize(public_key_bytes(algorithm));
    if (!write_public(key, BytesOut<>(both).last(classical.public_bytes)))
        return fail(provider, Reason::classical, "the private key has no public part");
    if (!public_key.empty() && !std::ranges::equal(public_key, both))
        return fail(provider, Reason::malformed_key,
                    "the public key beside the private key belongs to another key");
    return key_of_halves(
        *std::move(lattice),
        {algorithm.composite, std::move(both), {bytes.begin(), bytes.end()}, std::move(key)});
}

std::shared_ptr<const Key> read_composite_private(const Provider& provider, const Algorithm& algorithm,
                                                  BytesIn<> bytes)
{
    // OneAsymmetricKey (RFC 5958, Section 2), whose version 2, written 1, may have a public key.
    std::optional<key_files::Error> error;
    der::Reader file(bytes, "the private key", error);
    der::Reader info = file.inside(der::sequence, "OneAsymmetricKey");
    file.end();
    const std::uint64_t version = info.number("version");
    if (!error && version > 1)
        info.fail(key_files::Problem::version, "the version of the private key is neither 0 nor 1");
    skip_algorithm(info);
    const BytesIn<> private_key = info.element(der::octet_string, "privateKey");
    if (info.next_is(der::context_constructed(0)))
        (void)info.well_formed(der::context_constructed(0), "attributes");
    BytesIn<> public_key;
    const bool has_public = version == 1 && info.next_is(der::context_primitive(1));
    if (has_public) public_key = info.whole_bytes(der::context_primitive(1), "publicKey");
    info.end();
    if (error) return fail(provider, Reason::malformed_key, error->message);
    if (private_key.empty() || (has_public && public_key.empty()))
        return fail(provider, Reason::key_length, "a half of the key pair is empty");
    return key_of_parts(provider, algorithm, {}, private_key, public_key);
}

std::shared_ptr<const Key> read_composite_public(const Provider& provider, const Algorithm& algorithm,
                                                 BytesIn<> bytes)
{
    std::optional<key_files::Error> error;
    der::Reader file(bytes, "the public key", error);
    der::Reader info = file.inside(der::sequence, "SubjectPublicKeyInfo");
    file.end();
    skip_algorithm(info);
    const BytesIn<> public_key = info.whole_bytes(der::bit_string, "subjectPublicKey");
    info.end();
    if (error) return fail(provider, Reason::malformed_key, error->message);
    return key_of_public(provider, algorithm, public_key);
}

SecretBytes composite_private_info(const Algorithm& algorithm, const Key& key)
{
    SecretBytes info;
    der::append_number(info, 0);
    key_files::append_algorithm(info, identified(algorithm));
    der::append(info, der::octet_string, key.private_key());
    return der::in_sequence(info);
}

SecretBytes composite_public_info(const Algorithm& algorithm, const Key& key)
{
    SecretBytes bits{0};  // no unused bits in the last byte
    bits.insert(bits.end(), key.public_key().begin(), key.public_key().end());
    SecretBytes info;
    key_files::append_algorithm(info, identified(algorithm));
    der::append(info, der::bit_string, bits);
    return der::in_sequence(info);
}

std::size_t sign_composite(const Provider& provider, const Key& key, BytesIn<> digest, BytesIn<> context,
                           BytesOut<> signature)
{
    const Composite& set = *key.composite.set;
    const Bytes message = representative(set, digest, context);
    const girih_options options = options_of(set);
    const SecretBytes& secret = key.parts.expanded;
    std::size_t lattice = 0;
    const int code = girih_sign(key.parts.alg, secret.data(), secret.size(), message.data(), message.size(),
                                &options, signature.data(), girih_signature_bytes(key.parts.alg), &lattice);
    if (code != GIRIH_OK) return static_cast<std::size_t>(provider.fail(code));
    const std::size_t classical =
        classical_sign(provider, set.classical, key.composite.classical, message, signature.subspan(lattice));
    if (classical == 0) wipe(signature);
    return classical == 0 ? 0 : lattice + classical;
}

bool verify_composite(const Provider& provider, const Key& key, BytesIn<> digest, BytesIn<> context,
                      BytesIn<> signature)
{
    const Composite& set = *key.composite.set;
    const std::size_t lattice = girih_signature_bytes(key.parts.alg);
    if (signature.size() < lattice) return false;
    const Bytes message = representative(set, digest, context);
    const girih_options options = options_of(set);
    const Bytes& public_key = key.parts.public_key;
    return girih_verify(key.parts.alg, public_key.data(), public_key.size(), message.data(), message.size(),
                        &options, signature.data(), lattice) == GIRIH_OK &&
           classical_verify(provider, set.classical, key.composite.classical, message,
                            signature.subspan(lattice));
}

}  // namespace girih::provider
