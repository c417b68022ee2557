#include "firmware/host/conversation.hpp"

#include <string_view>
#include <utility>

#include "cli/system/failure.hpp"

namespace girih::cli::board {
namespace {

/// The image without an algorithm, which measures the overhead of all others.
constexpr std::string_view blank = "blank";

}  // namespace

Conversation::Conversation(Link& link)
    : link_(link), info_(link.info()), alg_(girih_algorithm(info_.name.c_str()))
{
    if (alg_ != nullptr)
        check_algorithm();
    else if (info_.name != blank)
        link.fail("calls itself " + info_.name + ", which is no algorithm of girih's");
}

const girih_alg* Conversation::signature_scheme() const
{
    if (alg_ == nullptr || girih_is_kem(alg_) == 1)
        throw Failure(exit_file, "the board has no signature scheme, but " + info_.name);
    return alg_;
}

const key_files::PublicKey& Conversation::public_key()
{
    const std::size_t length = info_.public_key_bytes;
    if (is_expected_ && link_.ask('P').status == Status::error) return *key_;
    const ByteString bytes =
        link_.bytes("asking for the public key (has it one? make one with keygen)", 'P', {}, length, length);
    if (is_expected_ && key_->bytes != bytes) link_.fail("has another public key than it should");
    if (key_ && key_->bytes != bytes) link_.fail("has another public key than a moment ago");
    if (!key_) {
        const auto checked = key_files::read_public_key(bytes, alg_);
        if (!checked || checked->bytes != bytes) link_.fail("its public key is none of " + info_.name);
        key_ = *checked;
    }
    return *key_;
}

void Conversation::forget_public_key()
{
    key_.reset();
    is_expected_ = false;
}

void Conversation::expect_public_key(key_files::PublicKey key)
{
    key_ = std::move(key);
    is_expected_ = true;
}

std::string Conversation::last_effort() const
{
    const std::uint64_t cycles = link_.number("asking for cycles", 'N', max_cycles);
    const std::uint64_t stack = link_.number("asking for the stack", 'X', max_stack_bytes);
    return std::to_string(cycles) + " cycles, " + std::to_string(stack) + " bytes of stack";
}

void Conversation::check_algorithm() const
{
    const auto expect = [this](const char* what, std::size_t said, std::size_t right) {
        if (said != right)
            link_.fail("says that " + std::string(what) + " of " + info_.name + " has " +
                       std::to_string(said) + " bytes; it has " + std::to_string(right));
    };
    if (info_.name != girih_name(alg_))
        link_.fail("calls itself " + info_.name + ", and not " + girih_name(alg_));
    expect("a public key", info_.public_key_bytes, girih_public_key_bytes(alg_));
    expect("a private key", info_.private_key_bytes, girih_secret_key_bytes(alg_));
    if (girih_is_kem(alg_) == 1)
        expect("a ciphertext", info_.max_message_bytes, girih_ciphertext_bytes(alg_));
}

}  // namespace girih::cli::board
