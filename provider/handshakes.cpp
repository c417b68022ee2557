/// Handshakes of TLS 1.3 per second of CPU, with client and server in one thread over memory:
///   girih_handshakes PROPERTIES GROUP CERTIFICATE [SECONDS]
///
/// PROPERTIES select a provider: "provider!=girih" is OpenSSL's own, "?provider=girih" is girih if
/// it has the algorithm. CERTIFICATE is the algorithm of the server's self-signed certificate,
/// which the client verifies. Every handshake is full: no session is resumed.

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "provider/owned.hpp"

namespace {

using girih::provider::Owned;
using Key = Owned<EVP_PKEY, EVP_PKEY_free>;
using Certificate = Owned<X509, X509_free>;
using TlsContext = Owned<SSL_CTX, SSL_CTX_free>;
using Connection = Owned<SSL, SSL_free>;

[[noreturn]] void fail(const char* what)
{
    std::fprintf(stderr, "girih_handshakes: %s\n", what);
    ERR_print_errors_fp(stderr);
    std::exit(1);
}

Key new_key(OSSL_LIB_CTX* library, const char* algorithm)
{
    const bool is_p256 = std::string(algorithm) == "P-256";
    const Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free> context(
        EVP_PKEY_CTX_new_from_name(library, is_p256 ? "EC" : algorithm, nullptr));
    EVP_PKEY* key = nullptr;
    if (!context || EVP_PKEY_keygen_init(context.get()) != 1 ||
        (is_p256 && EVP_PKEY_CTX_set_group_name(context.get(), "P-256") != 1) ||
        EVP_PKEY_generate(context.get(), &key) != 1)
        fail("no key");
    return Key(key);
}

Certificate self_signed(OSSL_LIB_CTX* library, EVP_PKEY* key, bool takes_digest)
{
    Certificate certificate(X509_new_ex(library, nullptr));
    X509* c = certificate.get();
    constexpr long month = 30L * 24 * 3600;
    const Owned<X509_NAME, X509_NAME_free> name(X509_NAME_new());
    const auto* localhost = reinterpret_cast<const unsigned char*>("localhost");
    if (!certificate || !name || X509_set_version(c, X509_VERSION_3) != 1 ||
        ASN1_INTEGER_set(X509_get_serialNumber(c), 1) != 1 ||
        X509_gmtime_adj(X509_getm_notBefore(c), 0) == nullptr ||
        X509_gmtime_adj(X509_getm_notAfter(c), month) == nullptr || X509_set_pubkey(c, key) != 1 ||
        X509_NAME_add_entry_by_txt(name.get(), "CN", MBSTRING_ASC, localhost, -1, -1, 0) != 1 ||
        X509_set_subject_name(c, name.get()) != 1 || X509_set_issuer_name(c, name.get()) != 1 ||
        X509_sign(c, key, takes_digest ? EVP_sha256() : nullptr) == 0)
        fail("no certificate");
    return certificate;
}

void shake_hands(SSL_CTX* client_context, SSL_CTX* server_context, const char* group)
{
    const Connection client(SSL_new(client_context));
    const Connection server(SSL_new(server_context));
    BIO* left = nullptr;
    BIO* right = nullptr;
    constexpr std::size_t buffer_bytes = 64 * 1024;
    if (!client || !server || BIO_new_bio_pair(&left, buffer_bytes, &right, buffer_bytes) != 1)
        fail("no memory");
    SSL_set_bio(client.get(), left, left);
    SSL_set_bio(server.get(), right, right);
    SSL_set_connect_state(client.get());
    SSL_set_accept_state(server.get());
    int done = 0;
    for (int turn = 0; turn < 8 && done != 2; ++turn)
        done = (SSL_do_handshake(client.get()) == 1 ? 1 : 0) + (SSL_do_handshake(server.get()) == 1 ? 1 : 0);
    if (done != 2 || SSL_get_verify_result(client.get()) != X509_V_OK) fail(group);
}

}  // namespace

int main(int count, char** arguments)
{
    if (count < 4) fail("usage: girih_handshakes PROPERTIES GROUP CERTIFICATE [SECONDS]");
    const char* group = arguments[2];
    const double seconds = count > 4 ? std::atof(arguments[4]) : 2;
    const Owned<OSSL_LIB_CTX, OSSL_LIB_CTX_free> library(OSSL_LIB_CTX_new());
    if (!library) fail("no memory");
    OSSL_PROVIDER_set_default_search_path(library.get(), GIRIH_PROVIDER_FOLDER);
    if (OSSL_PROVIDER_load(library.get(), "default") == nullptr) fail("no default provider");
    const bool loads = std::string(arguments[1]).find('!') == std::string::npos;
    if (loads && OSSL_PROVIDER_load(library.get(), "girih-provider") == nullptr) fail("no girih provider");
    if (loads && EVP_set_default_properties(library.get(), arguments[1]) != 1) fail(arguments[1]);

    const auto key = new_key(library.get(), arguments[3]);
    const auto certificate = self_signed(library.get(), key.get(), std::string(arguments[3]) == "P-256");
    const TlsContext server(SSL_CTX_new_ex(library.get(), nullptr, TLS_server_method()));
    const TlsContext client(SSL_CTX_new_ex(library.get(), nullptr, TLS_client_method()));
    if (!server || !client) fail("no TLS");
    SSL_CTX_set_num_tickets(server.get(), 0);
    SSL_CTX_set_verify(client.get(), SSL_VERIFY_PEER, nullptr);
    if (SSL_CTX_use_certificate(server.get(), certificate.get()) != 1 ||
        SSL_CTX_use_PrivateKey(server.get(), key.get()) != 1)
        fail("this OpenSSL takes no such certificate");
    if (SSL_CTX_set1_groups_list(server.get(), group) != 1 ||
        SSL_CTX_set1_groups_list(client.get(), group) != 1)
        fail(group);
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(client.get()), certificate.get()) != 1) fail("no store");

    shake_hands(client.get(), server.get(), group);
    const std::clock_t start = std::clock();
    long handshakes = 0;
    double elapsed = 0;
    for (; elapsed < seconds; elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC) {
        shake_hands(client.get(), server.get(), group);
        ++handshakes;
    }
    std::printf("%.0f handshakes a second of CPU\n", static_cast<double>(handshakes) / elapsed);
}
