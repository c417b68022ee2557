/// Capabilities for TLS 1.3: groups, and (from OpenSSL 3.2 on) signature schemes.

#include <openssl/core_names.h>
#include <openssl/prov_ssl.h>

#include <array>
#include <string_view>

#include "provider/algorithms.hpp"
#include "provider/dispatch.hpp"
#include "provider/parameters.hpp"

namespace girih::provider {
namespace {

struct Group {
    const char* tls_name;
    const char* algorithm;
    unsigned int code_point;
    unsigned int security_bits;
};

int announce(const Group& group, OSSL_CALLBACK* callback, void* argument)
{
    unsigned int code_point = group.code_point;
    unsigned int security_bits = group.security_bits;
    unsigned int is_kem = 1;
    int from = TLS1_3_VERSION;
    int to = 0;
    int none = -1;
    const std::array params{
        text(OSSL_CAPABILITY_TLS_GROUP_NAME, group.tls_name),
        text(OSSL_CAPABILITY_TLS_GROUP_NAME_INTERNAL, group.algorithm),
        text(OSSL_CAPABILITY_TLS_GROUP_ALG, group.algorithm),
        OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_ID, &code_point),
        OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_SECURITY_BITS, &security_bits),
        OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_IS_KEM, &is_kem),
        OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_TLS, &from),
        OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_TLS, &to),
        OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_DTLS, &none),
        OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_DTLS, &none),
        OSSL_PARAM_construct_end(),
    };
    return callback(params.data(), argument);
}

int announce_groups(OSSL_CALLBACK* callback, void* argument)
{
    for (const HybridGroup& hybrid : hybrid_groups)
        if (announce({hybrid.name, hybrid.name, hybrid.code_point, hybrid.security_bits}, callback,
                     argument) != 1)
            return 0;
    for (const Algorithm& kem : kem_algorithms) {
        if (kem.code_point != 0 &&
            announce({kem.tls_name, kem.name, kem.code_point, kem.security_bits}, callback, argument) != 1)
            return 0;
    }
    return 1;
}

/// The parameter names of OpenSSL 3.2, which the headers of 3.0 lack.
int announce_scheme(const Algorithm& algorithm, OSSL_CALLBACK* callback, void* argument)
{
    unsigned int code_point = algorithm.code_point;
    unsigned int security_bits = algorithm.security_bits;
    int from = TLS1_3_VERSION;
    int to = 0;
    const std::array params{
        text("tls-sigalg-iana-name", algorithm.tls_name),
        text("tls-sigalg-name", algorithm.name),
        text("tls-sigalg-oid", algorithm.identifier),
        OSSL_PARAM_construct_uint("tls-sigalg-code-point", &code_point),
        OSSL_PARAM_construct_uint("tls-sigalg-sec-bits", &security_bits),
        OSSL_PARAM_construct_int("tls-min-tls", &from),
        OSSL_PARAM_construct_int("tls-max-tls", &to),
        OSSL_PARAM_construct_end(),
    };
    return callback(params.data(), argument);
}

int announce_schemes(OSSL_CALLBACK* callback, void* argument)
{
    for (const Algorithm& algorithm : signature_algorithms)
        if (algorithm.code_point != 0 && announce_scheme(algorithm, callback, argument) != 1) return 0;
    return 1;
}

}  // namespace

int get_capabilities(void*, const char* capability, OSSL_CALLBACK* callback, void* argument)
{
    const std::string_view wanted = capability;
    if (wanted == "TLS-GROUP") return announce_groups(callback, argument);
    if (wanted == "TLS-SIGALG") return announce_schemes(callback, argument);
    return 0;
}

}  // namespace girih::provider
