#include "ssh/transport.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace girih::test::ssh {
namespace {

constexpr int patience_ms = 120'000;
constexpr std::size_t most_packet_bytes = 35'000;  // RFC 4253, Section 6.1
constexpr std::size_t most_version_bytes = 255;    // Section 4.2

[[noreturn]] void fail(const char* what) { throw Error(std::string(what) + ": " + std::strerror(errno)); }

sockaddr_in loopback(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int checked(int result, const char* what)
{
    if (result < 0) fail(what);
    return result;
}

int tcp_socket() { return checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"); }

void wait_for(int descriptor, short events)
{
    pollfd waiting{descriptor, events, 0};
    const int ready = checked(::poll(&waiting, 1, patience_ms), "poll");
    if (ready == 0) throw Error("the peer did not answer in two minutes");
}

}  // namespace

Socket::Socket(int descriptor) : descriptor_(descriptor) {}
Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
Socket::~Socket()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

void Socket::wait_until_readable() const { wait_for(descriptor_, POLLIN); }

void Socket::write(BytesIn<> bytes) const
{
    while (!bytes.empty()) {
        wait_for(descriptor_, POLLOUT);
        const auto sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) fail("send");
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
}

ByteString Socket::read(std::size_t count) const
{
    ByteString bytes(count);
    for (std::size_t filled = 0; filled < count;) {
        wait_until_readable();
        const auto got = ::recv(descriptor_, bytes.data() + filled, count - filled, 0);
        if (got < 0) fail("recv");
        if (got == 0) throw Error("the peer closed the connection");
        filled += static_cast<std::size_t>(got);
    }
    return bytes;
}

Listener::Listener() : socket_(tcp_socket()), port_(0)
{
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    checked(::bind(socket_.descriptor(), generic, size), "bind");
    checked(::listen(socket_.descriptor(), 1), "listen");
    checked(::getsockname(socket_.descriptor(), generic, &size), "getsockname");
    port_ = ntohs(address.sin_port);
}

Socket Listener::accept() const
{
    socket_.wait_until_readable();
    return Socket(checked(::accept4(socket_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC), "accept"));
}

Socket Listener::connect() const
{
    Socket socket(tcp_socket());
    const sockaddr_in address = loopback(port_);
    checked(::connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
            "connect");
    return socket;
}

std::string why_no_loopback()
{
    try {
        (void)Listener().connect();
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

void Transport::exchange_versions()
{
    own_version = bytes_of("SSH-2.0-girih");
    socket_.write(join(own_version, bytes_of("\r\n")));
    while (peer_version.empty() || peer_version.back() != '\n') {
        peer_version.push_back(socket_.read(1)[0]);
        if (peer_version.size() > most_version_bytes) throw Error("the peer's version has no end");
    }
    while (!peer_version.empty() && (peer_version.back() == '\n' || peer_version.back() == '\r'))
        peer_version.pop_back();
}

void Transport::negotiate(std::string_view key_exchange)
{
    Writer message;
    message.byte(kexinit);
    message.raw(ByteString(16));  // the cookie, which may be anything
    message.string(key_exchange);
    message.string("ssh-ed25519");
    for (int direction = 0; direction < 2; ++direction) message.string("aes256-ctr");
    for (int direction = 0; direction < 2; ++direction) message.string("hmac-sha2-256");
    for (int direction = 0; direction < 2; ++direction) message.string("none");
    for (int direction = 0; direction < 2; ++direction) message.string("");
    message.byte(0);    // no packet of a guessed key exchange follows
    message.uint32(0);  // reserved
    own_kexinit = message.bytes();
    send(own_kexinit);
    peer_kexinit = receive(kexinit);
}

/// RFC 4253, Section 6: a multiple of 8 bytes with at least 4 of padding, whose content is free.
void Transport::send(BytesIn<> payload) const
{
    const std::size_t padding = 4 + (8 - (4 + 1 + payload.size() + 4) % 8) % 8;
    Writer packet;
    packet.uint32(1 + payload.size() + padding);
    packet.byte(static_cast<Byte>(padding));
    packet.raw(payload);
    packet.raw(ByteString(padding));
    socket_.write(packet.bytes());
}

ByteString Transport::receive() const
{
    for (;;) {
        const std::size_t size = Reader(socket_.read(4)).uint32();
        if (size > most_packet_bytes) throw Error("the peer sends a packet that is too long");
        const ByteString packet = socket_.read(size);
        Reader reader(packet);
        const std::size_t padding = reader.byte();
        if (size < 2 + padding) throw Error("the peer sends a packet without content");
        const BytesIn<> payload = reader.raw(size - 1 - padding);
        if (payload[0] == ignore || payload[0] == debug) continue;
        return {payload.begin(), payload.end()};
    }
}

ByteString Transport::receive(Message kind) const
{
    ByteString payload = receive();
    if (payload[0] != kind)
        throw Error("message " + std::to_string(payload[0]) + " came where " + std::to_string(kind) +
                    " should have");
    return payload;
}

}  // namespace girih::test::ssh
