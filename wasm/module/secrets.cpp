// The parts of a module for secret keys: girih.h's functions that draw randomness, with that of the
// caller, if there is any, in place of a girih_random.
#include <cstring>

#include "exports.hpp"

extern "C" [[clang::import_module("girih"), clang::import_name("random")]]
int girih_host_random(std::uint8_t* out, std::size_t bytes);

// The system's randomness, as src/core/random.cpp asks for it.
extern "C" int getentropy(void* out, std::size_t bytes)
{
    return girih_host_random(static_cast<std::uint8_t*>(out), bytes);
}

namespace {

/// Randomness from the caller of an operation, which is used up once.
class Given {
  public:
    Given(const std::uint8_t* bytes, std::size_t count) : next_(bytes), left_(count) {}

    /// Null, the host's randomness, if the caller gave none.
    [[nodiscard]] const girih_random* random() const { return left_ == 0 ? nullptr : &random_; }

  private:
    static int fill(void* state, std::uint8_t* out, std::size_t bytes)
    {
        auto& given = *static_cast<Given*>(state);
        if (bytes > given.left_) return -1;
        std::memcpy(out, given.next_, bytes);
        given.next_ += bytes;
        given.left_ -= bytes;
        return 0;
    }

    const std::uint8_t* next_;
    std::size_t left_;
    girih_random random_{fill, this, 0};
};

/// How a message is signed.
struct Options {
    Given given;
    girih_options options{};

    Options(const std::uint8_t* context, std::size_t context_bytes, const std::uint8_t* random,
            std::size_t random_bytes, int deterministic)
        : given(random, random_bytes)
    {
        options.context = context;
        options.context_bytes = context_bytes;
        options.deterministic = deterministic;
        options.random = given.random();
    }
};

/// The length of a signature, or an error.
int length_or(int error, std::size_t bytes) { return error == GIRIH_OK ? static_cast<int>(bytes) : error; }

}  // namespace

GIRIH_EXPORT(wasm_keygen)
int wasm_keygen(const girih_alg* alg, std::uint8_t* public_key, std::size_t public_key_bytes,
                std::uint8_t* secret_key, std::size_t secret_key_bytes)
{
    return girih_keygen(alg, nullptr, public_key, public_key_bytes, secret_key, secret_key_bytes);
}

/// Returns the signature's length, or an error.
GIRIH_EXPORT(wasm_sign)
int wasm_sign(const girih_alg* alg, const std::uint8_t* secret_key, std::size_t secret_key_bytes,
              const std::uint8_t* context, std::size_t context_bytes, const std::uint8_t* message,
              std::size_t message_bytes, const std::uint8_t* random, std::size_t random_bytes,
              int deterministic, std::uint8_t* signature, std::size_t signature_capacity)
{
    const Options how{context, context_bytes, random, random_bytes, deterministic};
    std::size_t bytes = 0;
    const int error = girih_sign(alg, secret_key, secret_key_bytes, message, message_bytes, &how.options,
                                 signature, signature_capacity, &bytes);
    return length_or(error, bytes);
}

/// wasm_sign with a prepared key.
GIRIH_EXPORT(wasm_sign_prepared)
int wasm_sign_prepared(const girih_signing_key* key, const std::uint8_t* context, std::size_t context_bytes,
                       const std::uint8_t* message, std::size_t message_bytes, const std::uint8_t* random,
                       std::size_t random_bytes, int deterministic, std::uint8_t* signature,
                       std::size_t signature_capacity)
{
    const Options how{context, context_bytes, random, random_bytes, deterministic};
    std::size_t bytes = 0;
    const int error =
        girih_sign_prepared(key, message, message_bytes, &how.options, signature, signature_capacity, &bytes);
    return length_or(error, bytes);
}

/// wasm_sign of a message that was read in pieces. Only modules with streams export it.
extern "C" int wasm_sign_mu(const girih_alg* alg, const std::uint8_t* secret_key,
                            std::size_t secret_key_bytes, const std::uint8_t* mu, std::size_t mu_bytes,
                            const std::uint8_t* random, std::size_t random_bytes, int deterministic,
                            std::uint8_t* signature, std::size_t signature_capacity)
{
    const Options how{nullptr, 0, random, random_bytes, deterministic};
    std::size_t bytes = 0;
    const int error = girih_sign_mu(alg, secret_key, secret_key_bytes, mu, mu_bytes, &how.options, signature,
                                    signature_capacity, &bytes);
    return length_or(error, bytes);
}

GIRIH_EXPORT(wasm_encapsulate)
int wasm_encapsulate(const girih_alg* alg, const std::uint8_t* public_key, std::size_t public_key_bytes,
                     const std::uint8_t* random, std::size_t random_bytes, std::uint8_t* ciphertext,
                     std::size_t ciphertext_bytes, std::uint8_t* shared_secret,
                     std::size_t shared_secret_bytes)
{
    const Given given{random, random_bytes};
    return girih_encapsulate(alg, given.random(), public_key, public_key_bytes, ciphertext, ciphertext_bytes,
                             shared_secret, shared_secret_bytes);
}

/// wasm_encapsulate with a prepared key.
GIRIH_EXPORT(wasm_encapsulate_prepared)
int wasm_encapsulate_prepared(const girih_encapsulation_key* key, const std::uint8_t* random,
                              std::size_t random_bytes, std::uint8_t* ciphertext,
                              std::size_t ciphertext_bytes, std::uint8_t* shared_secret,
                              std::size_t shared_secret_bytes)
{
    const Given given{random, random_bytes};
    return girih_encapsulate_prepared(key, given.random(), ciphertext, ciphertext_bytes, shared_secret,
                                      shared_secret_bytes);
}
