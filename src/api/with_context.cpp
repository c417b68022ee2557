/// Signing and verifying for callers without girih_options.
#include <girih/girih.h>

int girih_sign_with_context(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                            const uint8_t* context, size_t context_bytes, const uint8_t* message,
                            size_t message_bytes, uint8_t* signature, size_t signature_capacity,
                            size_t* signature_bytes)
{
    const girih_options options{context, context_bytes, nullptr, 0, nullptr, 0, {}};
    return girih_sign(alg, secret_key, secret_key_bytes, message, message_bytes, &options, signature,
                      signature_capacity, signature_bytes);
}

int girih_verify_with_context(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                              const uint8_t* context, size_t context_bytes, const uint8_t* message,
                              size_t message_bytes, const uint8_t* signature, size_t signature_bytes)
{
    const girih_options options{context, context_bytes, nullptr, 0, nullptr, 0, {}};
    return girih_verify(alg, public_key, public_key_bytes, message, message_bytes, &options, signature,
                        signature_bytes);
}

#if !defined(GIRIH_DEVICE_PLAN)  // which has no prepared keys

int girih_sign_prepared_with_context(const girih_signing_key* key, const uint8_t* context,
                                     size_t context_bytes, const uint8_t* message, size_t message_bytes,
                                     uint8_t* signature, size_t signature_capacity, size_t* signature_bytes)
{
    const girih_options options{context, context_bytes, nullptr, 0, nullptr, 0, {}};
    return girih_sign_prepared(key, message, message_bytes, &options, signature, signature_capacity,
                               signature_bytes);
}

int girih_verify_prepared_with_context(const girih_verifying_key* key, const uint8_t* context,
                                       size_t context_bytes, const uint8_t* message, size_t message_bytes,
                                       const uint8_t* signature, size_t signature_bytes)
{
    const girih_options options{context, context_bytes, nullptr, 0, nullptr, 0, {}};
    return girih_verify_prepared(key, message, message_bytes, &options, signature, signature_bytes);
}

#endif
