/// An algorithm, with a valid value for everything that its functions take.
#pragma once

#include <girih/girih.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/functions.hpp"
#include "support/bytes.hpp"
#include "support/c_call.hpp"

namespace girih::test {

/// Every algorithm, and every one that verifies only.
inline std::vector<const girih_alg*> all_algorithms()
{
    std::vector<const girih_alg*> all{
        girih_ml_dsa_44_verifying(),         girih_ml_dsa_65_verifying(),
        girih_ml_dsa_87_verifying(),         girih_dilithium2_verifying(),
        girih_dilithium3_verifying(),        girih_dilithium5_verifying(),
        girih_falcon_512_verifying(),        girih_falcon_1024_verifying(),
        girih_falcon_padded_512_verifying(), girih_falcon_padded_1024_verifying(),
        girih_falcon_ct_512_verifying(),     girih_falcon_ct_1024_verifying()};
    while (const girih_alg* alg = girih_algorithm_at(all.size() - 12)) all.push_back(alg);
    return all;
}

constexpr bool is_source(Content c) { return c == Content::random || c == Content::unasked_random; }
constexpr bool is_options(Content c)
{
    return c >= Content::signing_options && c <= Content::verifying_options;
}
constexpr bool is_prepared(Content c) { return c >= Content::signing_key && c <= Content::decapsulation_key; }
constexpr bool is_length(Content c) { return c == Content::length || c == Content::context_signature_length; }
constexpr bool is_begun(Content c) { return c >= Content::begun; }

constexpr std::size_t alignment_of(Content c)
{
    if (is_prepared(c)) return GIRIH_PREPARED_ALIGNMENT;
    const bool is_plain = c < Content::length || c == Content::context || c == Content::pre_hash;
    return is_plain ? 1 : alignof(girih_message);
}

inline void must(int error)
{
    if (error == GIRIH_OK) return;
    std::fprintf(stderr, "%s\n", girih_error_text(error));
    std::abort();
}

/// How keys are prepared: from a public or a secret key.
struct PreparedKind {
    Content from;
    std::size_t (*size)(const girih_alg*);
    int (*prepare)(const girih_alg*, const uint8_t*, std::size_t, void*, std::size_t);
};
template <auto prepare, class Key>
int prepare_in(const girih_alg* alg, const uint8_t* from, std::size_t bytes, void* memory, std::size_t room)
{
    Key* key = nullptr;
    const int error = prepare(alg, from, bytes, memory, room, &key);
    return error == GIRIH_OK && static_cast<void*>(key) != memory ? 1 : error;
}
inline const PreparedKind& prepared_kind(Content c)
{
    static constexpr PreparedKind kinds[]{
        {Content::secret_key, girih_signing_key_size,
         prepare_in<girih_prepare_signing_key, girih_signing_key>},
        {Content::public_key, girih_verifying_key_size,
         prepare_in<girih_prepare_verifying_key, girih_verifying_key>},
        {Content::public_key, girih_encapsulation_key_size,
         prepare_in<girih_prepare_encapsulation_key, girih_encapsulation_key>},
        {Content::secret_key, girih_decapsulation_key_size,
         prepare_in<girih_prepare_decapsulation_key, girih_decapsulation_key>}};
    return kinds[static_cast<int>(c) - static_cast<int>(Content::signing_key)];
}

class Subject {
  public:
    const girih_alg* const alg;
    const girih_alg* const full = girih_algorithm(girih_name(alg));
    /// The number of requests to the source of randomness.
    mutable int asked = 0;

    /// A blank one has zeros for everything, and needs no engine.
    explicit Subject(const girih_alg* algorithm, bool is_blank = false) : alg(algorithm)
    {
        contents_ = {{Content::seed, counting(girih_seed_bytes(alg))},
                     {Content::public_key, ByteString(girih_public_key_bytes(alg))},
                     {Content::secret_key, ByteString(girih_secret_key_bytes(alg))},
                     {Content::message, counting(message_bytes, 3)},
                     {Content::mu, counting(GIRIH_MU_BYTES, 5)},
                     {Content::signature, ByteString(girih_signature_bytes(alg))},
                     {Content::mu_signature, ByteString(girih_signature_bytes(alg))},
                     {Content::ciphertext, ByteString(girih_ciphertext_bytes(alg))},
                     {Content::shared_secret, ByteString(girih_shared_secret_bytes(alg))},
                     {Content::signed_message, ByteString(room(Content::signed_message))},
                     {Content::context_signature, ByteString(girih_signature_bytes(alg))},
                     {Content::length, ByteString(sizeof(std::size_t))},
                     {Content::context_signature_length, ByteString(sizeof(std::size_t))},
                     {Content::pointer, ByteString(sizeof(void*))},
                     {Content::context, counting(100, 7)},
                     {Content::pre_hash, {'S', 'H', 'A', '3', '-', '5', '1', '2', 0}}};
        if (!is_blank) fill_contents();
        contents_[Content::opened_message] = ByteString(bytes(Content::signed_message).size());
        for (auto& [content, bytes] : contents_)
            if (bytes.empty()) bytes.assign(64, 0x11);  // for values that the algorithm does not use
        contents_[Content::context_alone] = context_alone();
    }
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    [[nodiscard]] std::string name() const
    {
        return girih_name(alg) + std::string(alg == full ? "" : "-verifying");
    }
    [[nodiscard]] bool is_kem() const { return girih_is_kem(alg) != 0; }
    [[nodiscard]] bool has_mu() const { return girih_has_mu(alg) != 0; }
    [[nodiscard]] bool is_falcon() const { return !is_kem() && !has_mu(); }
    [[nodiscard]] bool is_ml_kem() const { return std::string_view{girih_name(alg)}.starts_with("ML-KEM"); }

    [[nodiscard]] bool can(Ability ability) const
    {
        const std::string_view called = girih_name(alg);
        const bool has_framed = called == "Falcon-512" || called == "Falcon-1024";
        using enum Ability;
        const std::map<Ability, bool> abilities{
            {make_keys, true},         {reference_keys, is_falcon()}, {sign, !is_kem()},
            {sign_mu, has_mu()},       {sign_pieces, is_falcon()},    {sign_framed, has_framed},
            {verify, !is_kem()},       {verify_mu, has_mu()},         {verify_pieces, is_falcon()},
            {open_framed, has_framed}, {encapsulate, is_kem()},       {prepare_kem, is_ml_kem()}};
        const bool is_verified = ability >= verify && ability <= open_framed;
        return abilities.at(ability) && (alg == full || is_verified);
    }
    /// Whether it has such a prepared key, or such a message.
    [[nodiscard]] bool has(Content c) const
    {
        using enum Ability;
        // In the order of contents from signing_key on.
        constexpr std::array needed{sign,   verify,    prepare_kem, prepare_kem,
                                    verify, verify_mu, sign_pieces, verify_pieces};
        return c < Content::signing_key ||
               can(needed.at(static_cast<std::size_t>(c) - static_cast<std::size_t>(Content::signing_key)));
    }
    /// Whether such options have a context and a pre-hash.
    [[nodiscard]] bool has_frame(Content c) const
    {
        return girih_has_context(alg) != 0 &&
               (c == Content::signing_options || c == Content::verifying_options);
    }

    [[nodiscard]] const ByteString& bytes(Content c) const { return contents_.at(c); }
    /// Bytes of this content.
    [[nodiscard]] std::size_t size(Content c) const
    {
        if (is_source(c)) return sizeof(girih_random);
        if (is_options(c)) return sizeof(girih_options);
        if (is_begun(c)) return sizeof(girih_message);
        if (is_prepared(c))
            return std::max<std::size_t>(prepared_kind(c).size(alg), GIRIH_PREPARED_ALIGNMENT);
        return bytes(c).size();
    }
    /// Bytes of room for this content: signatures differ in length.
    [[nodiscard]] std::size_t room(Content c) const
    {
        const std::size_t signature = std::max<std::size_t>(girih_signature_bytes(alg), 64);
        if (c == Content::signature || c == Content::context_signature) return signature;
        if (c == Content::signed_message) return message_bytes + signature + 2;
        return size(c);
    }

    /// Puts the content there. (The caller sets the context and the pre-hash of options.)
    void put(Content c, Byte* place) const
    {
        if (is_source(c))
            new (place) girih_random{source_};
        else if (is_options(c))
            new (place) girih_options{nullptr, 0, nullptr, 0, &source_, 0, {}};
        else if (is_prepared(c))
            must(prepare(c, place));
        else if (is_begun(c))
            begin(c, *new (place) girih_message);
        else
            std::ranges::copy(bytes(c), place);
    }

    /// A comparable form of an output: for a prepared key or a begun message, what it makes; for a
    /// signature by the system's randomness, whether it verifies; else its bytes. (A key's address
    /// does not count.)
    [[nodiscard]] ByteString seen(Content c, Byte* place, std::size_t size) const
    {
        if (c == Content::pointer || c == Content::context_signature_length) return {};
        if (c == Content::context_signature)
            return {is_signed_with_context({place, size}) ? Byte{1} : Byte{0}};
        if (is_begun(c)) return finished(c, *reinterpret_cast<girih_message*>(place));
        if (is_prepared(c)) return made_with(c, place);
        return {place, place + size};
    }

  private:
    static constexpr std::size_t message_bytes = 200;

    [[nodiscard]] ByteString context_alone() const
    {
        return girih_has_context(alg) != 0 ? bytes(Content::context) : ByteString{};
    }

    /// With zeros after it, unless the format pads with them.
    [[nodiscard]] bool is_signed_with_context(BytesIn<> signature) const
    {
        const auto verifies = [&](BytesIn<> found) {
            return call(girih_verify_with_context, alg, bytes(Content::public_key), context_alone(),
                        bytes(Content::message), found) == GIRIH_OK;
        };
        const auto end = std::find_if(signature.rbegin(), signature.rend(), [](Byte b) { return b != 0; });
        return verifies(signature) ||
               verifies(signature.first(static_cast<std::size_t>(signature.rend() - end)));
    }

    static int fill(void* state, std::uint8_t* out, std::size_t bytes)
    {
        ++*static_cast<int*>(state);
        for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(7 * i + 1);
        return 0;
    }

    void fill_contents()
    {
        ByteString& pk = contents_[Content::public_key];
        ByteString& sk = contents_[Content::secret_key];
        must(call(girih_keygen_from_seed, full, bytes(Content::seed), pk, sk));
        if (is_kem())
            return must(call(girih_encapsulate, alg, &source_, pk, contents_[Content::ciphertext],
                             contents_[Content::shared_secret]));
        if (girih_has_context(alg) != 0) {
            options_.context = bytes(Content::context).data();
            options_.context_bytes = bytes(Content::context).size();
            options_.pre_hash = reinterpret_cast<const char*>(bytes(Content::pre_hash).data());
        }
        const ByteString& message = bytes(Content::message);
        std::size_t length = 0;
        must(call(girih_sign, full, sk, message, &options_, contents_[Content::signature], &length));
        contents_[Content::signature].resize(length);
        must(call(girih_sign_with_context, full, sk, context_alone(), message,
                  contents_[Content::context_signature], &length));
        contents_[Content::context_signature].resize(length);
        if (has_mu())
            must(call(girih_sign_mu, full, sk, bytes(Content::mu), nullptr, contents_[Content::mu_signature],
                      &length));
        if (!can(Ability::open_framed)) return;
        ByteString& framed = contents_[Content::signed_message];
        must(call(girih_crypto_sign, full, sk, message, &options_, framed, &length));
        framed.resize(length);
    }

    int prepare(Content c, Byte* place) const
    {
        const PreparedKind& kind = prepared_kind(c);
        const ByteString& from = bytes(kind.from);
        return kind.prepare(alg, from.data(), from.size(), place, kind.size(alg));
    }

    /// Begins with the whole message.
    void begin(Content c, girih_message& message) const
    {
        if (c == Content::begun_for_mu || (c == Content::begun && has_mu()))
            must(call(girih_message_begin, &message, alg, bytes(Content::public_key), &options_));
        else if (c == Content::begun_to_sign)
            must(call(girih_message_begin_signing, &message, alg, &options_));
        else
            must(call(girih_message_begin_verifying, &message, alg, bytes(Content::signature), &options_));
        must(call(girih_message_update, &message, bytes(Content::message)));
    }

    [[nodiscard]] ByteString finished(Content c, girih_message message) const
    {
        ByteString made(c == Content::begun_for_mu ? GIRIH_MU_BYTES : room(Content::signature));
        std::size_t length = 0;
        must(call(girih_message_update, &message, bytes(Content::message)));
        if (c == Content::begun_for_mu)
            must(call(girih_message_mu, &message, made));
        else if (c == Content::begun_to_sign)
            must(call(girih_message_sign, &message, bytes(Content::secret_key), nullptr, made, &length));
        else
            must(call(girih_message_verify, &message, bytes(Content::public_key), bytes(Content::signature)));
        return made;
    }

    [[nodiscard]] ByteString made_with(Content c, Byte* place) const
    {
        const ByteString& message = bytes(Content::message);
        ByteString signature(room(Content::signature));
        ByteString ciphertext(size(Content::ciphertext));
        ByteString secret(size(Content::shared_secret));
        std::size_t length = 0;
        if (c == Content::signing_key)
            must(call(girih_sign_prepared, reinterpret_cast<girih_signing_key*>(place), message, &options_,
                      signature, &length));
        else if (c == Content::verifying_key)
            must(call(girih_verify_prepared, reinterpret_cast<girih_verifying_key*>(place), message,
                      &options_, bytes(Content::signature)));
        else if (c == Content::encapsulation_key)
            must(call(girih_encapsulate_prepared, reinterpret_cast<girih_encapsulation_key*>(place), &source_,
                      ciphertext, secret));
        else
            must(call(girih_decapsulate_prepared, reinterpret_cast<girih_decapsulation_key*>(place),
                      bytes(Content::ciphertext), secret));
        for (const ByteString& part : {ciphertext, secret})
            signature.insert(signature.end(), part.begin(), part.end());
        return signature;
    }

    girih_random source_{fill, &asked, 0};
    girih_options options_{nullptr, 0, nullptr, 0, &source_, 0, {}};
    std::map<Content, ByteString> contents_;
};

}  // namespace girih::test
