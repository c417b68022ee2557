/// Every operation of an algorithm, with its inputs and memory for its outputs: for claims about
/// all of them, on the stack, secrets in memory and time.
#pragma once

#include <girih/girih.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/bytes.hpp"
#include "support/c_call.hpp"

namespace girih::test {

/// Throws unless a call's result is GIRIH_OK.
inline void expect_good(int result)
{
    if (result != GIRIH_OK) throw std::runtime_error(girih_error_text(result));
}

/// A function of the C interface. Its call allocates nothing.
struct Operation {
    std::string_view name;  ///< without girih_
    std::function<int()> call;

    [[nodiscard]] bool is_public() const { return name.find("verify") != std::string_view::npos; }
};

/// The outputs of operations, each of which makes some.
struct Products {
    ByteString public_key;
    ByteString secret_key;
    ByteString signature;
    ByteString ciphertext;
    ByteString shared_secret;
    std::size_t signature_bytes = 0;

    explicit Products(const girih_alg* alg)
        : public_key(girih_public_key_bytes(alg)),
          secret_key(girih_secret_key_bytes(alg)),
          signature(girih_signature_bytes(alg)),
          ciphertext(girih_ciphertext_bytes(alg)),
          shared_secret(girih_shared_secret_bytes(alg))
    {
    }
};

inline std::vector<const char*> all_names()
{
    std::vector<const char*> names;
    while (const girih_alg* alg = girih_algorithm_at(names.size())) names.push_back(girih_name(alg));
    return names;
}

/// Bytes that memory does not hold by chance, so that copies of them can be found.
inline constexpr std::array<Byte, 64> telling_bytes = [] {
    std::array<Byte, 64> bytes{};
    for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<Byte>(i * i * 5 + i * 9 + 41);
    return bytes;
}();

class EveryOperation {
  public:
    const girih_alg* alg;
    girih_options options{};  ///< of signing
    ByteString seed{telling_bytes.begin(), telling_bytes.begin() + girih_seed_bytes(alg)};
    ByteString message = ByteString(100, 'm');
    ByteString mu = ByteString(GIRIH_MU_BYTES);  ///< of the message
    Products given{alg};                         ///< what operations take
    Products made{alg};                          ///< the last row of a batch makes it as well
    KeyMemory signing_memory{girih_signing_key_size(alg)};
    KeyMemory verifying_memory{girih_verifying_key_size(alg)};
    KeyMemory encapsulation_memory{girih_encapsulation_key_size(alg)};
    KeyMemory decapsulation_memory{girih_decapsulation_key_size(alg)};
    std::deque<Products> rows;  ///< what the other rows of batches make
    std::vector<Operation> all;

    /// With batches of `row_count`. All randomness comes from `random`.
    EveryOperation(const girih_alg* algorithm, std::size_t row_count, const girih_random* random = nullptr)
        : alg(algorithm), random_(random)
    {
        options.random = random;
        options.deterministic = girih_has_mu(alg);
        expect_good(call(girih_keygen_from_seed, alg, seed, given.public_key, given.secret_key));
        for (std::size_t i = 1; i < row_count; ++i) rows.emplace_back(alg);
        add_keys();
        if (girih_is_kem(alg) != 0) {
            add_encapsulation();
            return;
        }
        add_signing();
        girih_has_mu(alg) != 0 ? add_mu() : add_falcon();
    }
    EveryOperation(const EveryOperation&) = delete;
    EveryOperation& operator=(const EveryOperation&) = delete;

    [[nodiscard]] const Operation& named(std::string_view name) const
    {
        return *std::ranges::find(all, name, &Operation::name);
    }

    /// No prepared key may be used after this.
    void wipe_prepared_keys()
    {
        girih_wipe_signing_key(signing_);
        girih_wipe_decapsulation_key(receiving_);
    }

  private:
    /// A call with these arguments, with their values at the time of the call.
    template <class Function, class... Arguments>
    void add(std::string_view name, Function function, Arguments&... arguments)
    {
        all.push_back({name, [function, &arguments...] { return call(function, arguments...); }});
    }

    /// Also makes the call at once, since other operations take its outputs.
    template <class Function, class... Arguments>
    void add_and_call(std::string_view name, Function function, Arguments&... arguments)
    {
        add(name, function, arguments...);
        expect_good(all.back().call());
    }

    /// Calls make(products, number of the row) for every row of a batch.
    template <class Make>
    void add_rows(Make make)
    {
        for (std::size_t i = 0; i < rows.size(); ++i) make(rows[i], i);
        make(made, rows.size());
    }

    void add_keys()
    {
        add("keygen", girih_keygen, alg, random_, made.public_key, made.secret_key);
        add("keygen_checked", girih_keygen_checked, alg, random_, made.public_key, made.secret_key);
        add("keygen_from_seed", girih_keygen_from_seed, alg, seed, made.public_key, made.secret_key);
        add("public_key", girih_public_key, alg, given.secret_key, made.public_key);
        add_rows([this](Products& to, std::size_t i) {
            const bool is_falcon = girih_is_kem(alg) == 0 && girih_has_mu(alg) == 0;
            if (is_falcon && i + 2 < rows.size()) return;  // slow, and made one after the other
            const BytesIn<> own_seed = i % 2 == 0 ? BytesIn<>{seed} : BytesIn<>{};  // or drawn
            keygen_rows_.push_back(row_of<girih_keygen_row>(own_seed, random_, to.public_key, to.secret_key));
        });
        add("keygen_many", girih_keygen_many, alg, keygen_rows_);
    }

    void add_signing()
    {
        add_and_call("prepare_signing_key", girih_prepare_signing_key, alg, given.secret_key, signing_memory,
                     to_signing_);
        add_and_call("prepare_verifying_key", girih_prepare_verifying_key, alg, given.public_key,
                     verifying_memory, to_verifying_);
        add_and_call("sign", girih_sign, alg, given.secret_key, message, options_, made.signature, bytes_);
        given.signature.assign(made.signature.begin(),
                               made.signature.begin() + static_cast<std::ptrdiff_t>(made.signature_bytes));
        add("verify", girih_verify, alg, given.public_key, message, options_, given.signature);
        add("sign_prepared", girih_sign_prepared, signing_, message, options_, made.signature, bytes_);
        add("verify_prepared", girih_verify_prepared, verifying_, message, options_, given.signature);
        add_rows([this](Products& to, std::size_t i) {
            sign_rows_.push_back(row_of<girih_sign_row>(signing_, BytesIn<>{}, message, options_,
                                                        to.signature, std::size_t{0}));
            verify_rows_.push_back(row_of<girih_verify_row>(
                i % 2 == 0 ? verifying_ : nullptr, given.public_key, message, options_, given.signature));
        });
        lone_sign_row_ = {row_of<girih_sign_row>(nullptr, given.secret_key, message, options_, made.signature,
                                                 std::size_t{0})};
        add("sign_many", [this] { return sign_all(sign_rows_); });
        add("sign_many of one", [this] { return sign_all(lone_sign_row_); });
        add("verify_many", girih_verify_many, alg, verify_rows_);
    }

    int sign_all(std::vector<girih_sign_row>& sign_rows)
    {
        const int result = call(girih_sign_many, alg, sign_rows);
        made.signature_bytes = sign_rows.back().signature_bytes;
        return result;
    }

    void add_mu()
    {
        const auto compute = [this](auto& out) {
            girih_message state;
            call(girih_message_begin_secret, &state, alg, given.secret_key, nullptr);
            call(girih_message_update, &state, message);
            return call(girih_message_mu, &state, out);
        };
        expect_good(compute(mu));
        add("message_mu", [compute] {
            std::array<Byte, GIRIH_MU_BYTES> made_mu;
            return compute(made_mu);
        });
        add("sign_mu", girih_sign_mu, alg, given.secret_key, mu, options_, made.signature, bytes_);
        add("verify_mu", girih_verify_mu, alg, given.public_key, mu, given.signature);
        add("sign_mu_prepared", girih_sign_mu_prepared, signing_, mu, options_, made.signature, bytes_);
        add("verify_mu_prepared", girih_verify_mu_prepared, verifying_, mu, given.signature);
    }

    void add_falcon()
    {
        add("falcon_reference_keygen", girih_falcon_reference_keygen, alg, seed, rows.front().public_key,
            rows.front().secret_key);
        add("message_sign", [this] {
            girih_message state;
            call(girih_message_begin_signing, &state, alg, options_);
            call(girih_message_update, &state, message);
            return call(girih_message_sign, &state, given.secret_key, options_, made.signature, bytes_);
        });
        add("message_verify", [this] {
            girih_message state;
            call(girih_message_begin_verifying, &state, alg, given.signature, options_);
            call(girih_message_update, &state, message);
            return call(girih_message_verify, &state, given.public_key, given.signature);
        });
    }

    void add_encapsulation()
    {
        if (encapsulation_memory.size() != 0) add_prepared_encapsulation();
        expect_good(
            call(girih_encapsulate, alg, random_, given.public_key, given.ciphertext, given.shared_secret));
        add("encapsulate", girih_encapsulate, alg, random_, given.public_key, made.ciphertext,
            made.shared_secret);
        add("decapsulate", girih_decapsulate, alg, given.secret_key, given.ciphertext, made.shared_secret);
        add("decapsulate_checked", girih_decapsulate_checked, alg, given.secret_key, given.ciphertext,
            made.shared_secret);
        add_rows([this](Products& to, std::size_t i) {
            const bool is_prepared = i % 2 == 0;
            encapsulate_rows_.push_back(row_of<girih_encapsulate_row>(is_prepared ? sending_ : nullptr,
                                                                      given.public_key, random_,
                                                                      to.ciphertext, to.shared_secret));
            decapsulate_rows_.push_back(row_of<girih_decapsulate_row>(
                is_prepared ? receiving_ : nullptr, given.secret_key, given.ciphertext, to.shared_secret));
        });
        add("encapsulate_many", girih_encapsulate_many, alg, encapsulate_rows_);
        add("decapsulate_many", girih_decapsulate_many, alg, decapsulate_rows_);
    }

    void add_prepared_encapsulation()
    {
        add_and_call("prepare_encapsulation_key", girih_prepare_encapsulation_key, alg, given.public_key,
                     encapsulation_memory, to_sending_);
        add_and_call("prepare_decapsulation_key", girih_prepare_decapsulation_key, alg, given.secret_key,
                     decapsulation_memory, to_receiving_);
        add("encapsulate_prepared", girih_encapsulate_prepared, sending_, random_, made.ciphertext,
            made.shared_secret);
        add("decapsulate_prepared", girih_decapsulate_prepared, receiving_, given.ciphertext,
            made.shared_secret);
    }

    const girih_random* random_;
    const girih_options* options_ = &options;
    std::size_t* bytes_ = &made.signature_bytes;
    girih_signing_key* signing_ = nullptr;
    girih_verifying_key* verifying_ = nullptr;
    girih_encapsulation_key* sending_ = nullptr;
    girih_decapsulation_key* receiving_ = nullptr;
    girih_signing_key** to_signing_ = &signing_;
    girih_verifying_key** to_verifying_ = &verifying_;
    girih_encapsulation_key** to_sending_ = &sending_;
    girih_decapsulation_key** to_receiving_ = &receiving_;
    std::vector<girih_keygen_row> keygen_rows_;
    std::vector<girih_sign_row> sign_rows_;
    std::vector<girih_sign_row> lone_sign_row_;  ///< with a secret key that is not prepared
    std::vector<girih_verify_row> verify_rows_;
    std::vector<girih_encapsulate_row> encapsulate_rows_;
    std::vector<girih_decapsulate_row> decapsulate_rows_;
};

}  // namespace girih::test
