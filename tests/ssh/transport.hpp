/// The transport layer of SSH (RFC 4253) up to the first keys: versions, unencrypted packets,
/// and the negotiation.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "ssh/wire.hpp"

namespace girih::test::ssh {

/// Message numbers (RFC 4253, Section 12; RFC 5656, Section 7.1).
enum Message : Byte {
    disconnect = 1,
    ignore = 2,
    debug = 4,
    kexinit = 20,
    newkeys = 21,
    kex_ecdh_init = 30,
    kex_ecdh_reply = 31,
};

/// A socket that is closed at its end, and on which nothing waits for longer than 20 seconds.
class Socket {
  public:
    explicit Socket(int descriptor);
    Socket(Socket&& other) noexcept;
    Socket& operator=(Socket&&) = delete;
    ~Socket();

    [[nodiscard]] int descriptor() const { return descriptor_; }
    void write(BytesIn<> bytes) const;
    [[nodiscard]] ByteString read(std::size_t count) const;
    void wait_until_readable() const;

  private:
    int descriptor_;
};

/// A port of 127.0.0.1 that was free.
class Listener {
  public:
    Listener();
    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] Socket accept() const;
    [[nodiscard]] Socket connect() const;

  private:
    Socket socket_;
    int port_;
};

/// Why nothing connects to a Listener; empty if something does.
[[nodiscard]] std::string why_no_loopback();

/// One side of a connection.
class Transport {
  public:
    explicit Transport(Socket socket) : socket_(std::move(socket)) {}

    void exchange_versions();
    /// Sends and receives KEXINIT, offering one key exchange, with ssh-ed25519 for the host's key.
    void negotiate(std::string_view key_exchange);

    void send(BytesIn<> payload) const;
    /// The next payload but SSH_MSG_IGNORE and SSH_MSG_DEBUG, which may come at any time.
    [[nodiscard]] ByteString receive() const;
    /// The same, of this kind.
    [[nodiscard]] ByteString receive(Message kind) const;

    /// What the exchange hash is made of, without CR LF, or as payload.
    ByteString own_version, peer_version;
    ByteString own_kexinit, peer_kexinit;

  private:
    Socket socket_;
};

}  // namespace girih::test::ssh
