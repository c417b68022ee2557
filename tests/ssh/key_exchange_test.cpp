/// The hybrid key exchange of RFC 9941 with OpenSSH on the other side: sntrup761 is girih's,
/// the rest OpenSSL's.
///
/// The host signs the exchange hash, of which the shared secret is a part. So a signature that
/// verifies shows that both sides have the same secret; with any other, it does not verify,
/// which is tested, too.
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <iostream>
#include <memory>

#include "ssh/classical.hpp"
#include "ssh/programs.hpp"
#include "ssh/transport.hpp"
#include "support/kems.hpp"

namespace girih::test::ssh {
namespace {

constexpr std::size_t x25519_bytes = 32;

const girih_alg* sntrup761() { return girih_algorithm("sntrup761"); }

KeyPair new_key_pair()
{
    KeyPair keys{ByteString(girih_public_key_bytes(sntrup761())),
                 ByteString(girih_secret_key_bytes(sntrup761()))};
    EXPECT_EQ(girih_keygen(sntrup761(), nullptr, keys.public_key.data(), keys.public_key.size(),
                           keys.secret_key.data(), keys.secret_key.size()),
              GIRIH_OK);
    return keys;
}

/// What one side sends to the other: of sntrup761 and of X25519.
struct Share {
    BytesIn<> sntrup761;
    BytesIn<> x25519;
};

Share split(BytesIn<> share, std::size_t sntrup761_bytes)
{
    if (share.size() != sntrup761_bytes + x25519_bytes) throw Error("a share of a wrong length");
    return {share.first(sntrup761_bytes), share.last(x25519_bytes)};
}

/// RFC 9941, Section 3: K is the SHA-512 of both secrets.
ByteString combine(BytesIn<> post_quantum, BytesIn<> classical)
{
    return sha512(join(post_quantum, classical));
}

/// All that the exchange hash is of (RFC 5656, Section 4), but the shared secret.
struct Transcript {
    ByteString client_version, server_version;
    ByteString client_kexinit, server_kexinit;
    ByteString host_key;
    ByteString client_share, server_share;

    /// The shared secret is a string (RFC 9941, Section 3), and not a number as in
    /// other key exchanges.
    [[nodiscard]] ByteString hash(BytesIn<> shared_secret) const
    {
        Writer all;
        for (const ByteString* part : {&client_version, &server_version, &client_kexinit, &server_kexinit,
                                       &host_key, &client_share, &server_share})
            all.string(*part);
        all.string(shared_secret);
        return sha512(all.bytes());
    }
};

/// A key or a signature of Ed25519 (RFC 8709).
ByteString ed25519_blob(BytesIn<> content)
{
    Writer blob;
    blob.string("ssh-ed25519");
    blob.string(content);
    return blob.bytes();
}

ByteString ed25519_content(BytesIn<> blob)
{
    Reader reader(blob);
    reader.expect("ssh-ed25519");
    const BytesIn<> content = reader.string();
    return {content.begin(), content.end()};
}

class KeyExchange : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override
    {
        for (const char* program : {"ssh", "sshd", "ssh-keygen"})
            if (find_program(program).empty()) GTEST_SKIP() << "there is no " << program;
        if (::getpwuid(::geteuid()) == nullptr) GTEST_SKIP() << "ssh does not run for a user without a name";
        if (const std::string why = why_no_loopback(); !why.empty()) GTEST_SKIP() << "no loopback: " << why;
        if (!has_key_exchange(GetParam())) GTEST_SKIP() << "this OpenSSH has no " << GetParam();
    }

    void TearDown() override
    {
        if (HasFailure()) std::cerr << folder_.read("errors");
    }

    [[nodiscard]] std::string option(const char* name, const std::string& value) const
    {
        return std::string("-o") + name + "=" + value;
    }

    Folder folder_;
    std::string errors_ = folder_.path("errors");
};

// ---- girih is the client ------------------------------------------------------------------------

/// What the client has after the server's reply.
struct ClientSide {
    Transcript transcript;
    ByteString signature;
    ByteString secret_key;
    Key x25519_key;

    /// The verdict on the host's signature, with the secret of this ciphertext.
    [[nodiscard]] bool verifies(BytesIn<> ciphertext) const
    {
        const Share server = split(transcript.server_share, girih_ciphertext_bytes(sntrup761()));
        const ByteString post_quantum = decapsulate(sntrup761(), secret_key, ciphertext);
        const ByteString hash = transcript.hash(combine(post_quantum, x25519(x25519_key, server.x25519)));
        return ed25519_verify(ed25519_content(transcript.host_key), hash, ed25519_content(signature));
    }
};

class WithSshd : public KeyExchange {
  protected:
    /// The key exchange up to the reply, with sshd at the other end of a connection over loopback.
    [[nodiscard]] ClientSide exchange()
    {
        const std::string host_key = folder_.path("host_key");
        if (Process({find_program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", host_key}, errors_)
                .exit_code() != 0)
            throw Error("ssh-keygen failed");
        const Listener listener;
        Transport transport(listener.connect());
        const Socket other_end = listener.accept();
        sshd_ = std::make_unique<Process>(
            std::vector<std::string>{find_program("sshd"), "-i", "-e", "-f", "/dev/null",
                                     option("HostKey", host_key), option("KexAlgorithms", GetParam()),
                                     option("HostKeyAlgorithms", "ssh-ed25519"), option("UsePAM", "no")},
            errors_, other_end.descriptor());
        transport.exchange_versions();
        transport.negotiate(GetParam());

        const KeyPair keys = new_key_pair();
        Key x25519_key = generate(EVP_PKEY_X25519);
        const ByteString client_share = join(keys.public_key, public_bytes(x25519_key));
        Writer init;
        init.byte(kex_ecdh_init);
        init.string(client_share);
        transport.send(init.bytes());

        const ByteString reply = transport.receive(kex_ecdh_reply);
        Reader reader(BytesIn<>(reply).subspan(1));
        const auto next = [&reader] {
            const BytesIn<> field = reader.string();
            return ByteString(field.begin(), field.end());
        };
        ByteString host_key_blob = next(), server_share = next(), signature = next();
        (void)transport.receive(newkeys);
        return {{transport.own_version, transport.peer_version, transport.own_kexinit, transport.peer_kexinit,
                 host_key_blob, client_share, server_share},
                signature,
                keys.secret_key,
                std::move(x25519_key)};
    }

  private:
    std::unique_ptr<Process> sshd_;
};

TEST_P(WithSshd, DecapsulatesTheSecretThatSshdSigned)
{
    const ClientSide client = exchange();
    const Share server = split(client.transcript.server_share, girih_ciphertext_bytes(sntrup761()));
    EXPECT_TRUE(client.verifies(server.sntrup761));
    ByteString changed(server.sntrup761.begin(), server.sntrup761.end());
    changed[500] ^= 1;
    EXPECT_FALSE(client.verifies(changed)) << "with another secret";
}

// ---- girih is the server ------------------------------------------------------------------------

class WithSsh : public KeyExchange {
  protected:
    /// The key exchange up to the reply, with ssh at the other end; `flip` changes the secret.
    /// What ssh sends next.
    [[nodiscard]] Byte answer_to_secret(Byte flip)
    {
        const Listener listener;
        const Key host_key = generate(EVP_PKEY_ED25519);
        Transcript transcript;
        transcript.host_key = ed25519_blob(public_bytes(host_key));
        start_ssh(listener.port(), transcript.host_key);
        Transport transport(listener.accept());
        transport.exchange_versions();
        transport.negotiate(GetParam());

        const ByteString init = transport.receive(kex_ecdh_init);
        const BytesIn<> client_share = Reader(BytesIn<>(init).subspan(1)).string();
        const Share client = split(client_share, girih_public_key_bytes(sntrup761()));
        Encapsulation made = encapsulate(sntrup761(), client.sntrup761);
        made.shared_secret[0] ^= flip;
        const Key x25519_key = generate(EVP_PKEY_X25519);
        transcript.client_version = transport.peer_version;
        transcript.server_version = transport.own_version;
        transcript.client_kexinit = transport.peer_kexinit;
        transcript.server_kexinit = transport.own_kexinit;
        transcript.client_share.assign(client_share.begin(), client_share.end());
        transcript.server_share = join(made.ciphertext, public_bytes(x25519_key));

        const ByteString hash =
            transcript.hash(combine(made.shared_secret, x25519(x25519_key, client.x25519)));
        Writer reply;
        reply.byte(kex_ecdh_reply);
        reply.string(transcript.host_key);
        reply.string(transcript.server_share);
        reply.string(ed25519_blob(ed25519_sign(host_key, hash)));
        transport.send(reply.bytes());
        return transport.receive()[0];
    }

    [[nodiscard]] int exit_code_of_ssh() { return ssh_->exit_code(); }

  private:
    void start_ssh(int port, BytesIn<> host_key)
    {
        folder_.write("known_hosts",
                      "[127.0.0.1]:" + std::to_string(port) + " ssh-ed25519 " + base64(host_key) + "\n");
        ssh_ = std::make_unique<Process>(
            std::vector<std::string>{
                find_program("ssh"), "-F", "none", "-v", option("BatchMode", "yes"),
                option("KexAlgorithms", GetParam()), option("HostKeyAlgorithms", "ssh-ed25519"),
                option("UserKnownHostsFile", folder_.path("known_hosts")),
                option("GlobalKnownHostsFile", "/dev/null"), option("StrictHostKeyChecking", "yes"), "-p",
                std::to_string(port), "girih@127.0.0.1", "true"},
            errors_);
    }

    std::unique_ptr<Process> ssh_;
};

TEST_P(WithSsh, EncapsulatesTheSecretThatSshHas) { EXPECT_EQ(answer_to_secret(0), newkeys); }

TEST_P(WithSsh, IsRefusedWithAnotherSecret)
{
    try {
        EXPECT_EQ(answer_to_secret(1), disconnect);
    } catch (const Error&) {
        // It need not say why before it closes the connection.
    }
    EXPECT_NE(exit_code_of_ssh(), 0);
    EXPECT_NE(folder_.read("errors").find("incorrect signature"), std::string::npos);
}

std::string name_of(const testing::TestParamInfo<const char*>& info)
{
    return std::string(info.param).find('@') != std::string::npos ? "OpensshName" : "Rfc9941Name";
}

constexpr const char* names[]{"sntrup761x25519-sha512@openssh.com", "sntrup761x25519-sha512"};
INSTANTIATE_TEST_SUITE_P(Ssh, WithSshd, testing::ValuesIn(names), name_of);
INSTANTIATE_TEST_SUITE_P(Ssh, WithSsh, testing::ValuesIn(names), name_of);

}  // namespace
}  // namespace girih::test::ssh
