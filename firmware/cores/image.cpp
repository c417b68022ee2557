/// A test image for one algorithm: it runs each operation once and prints all bytes, refusals,
/// instructions and stack, a line each. tools/cores compares the bytes with the big library's.
///
/// GIRIH_ROLE is the image's role. GIRIH_OUTPUT_BYTES are those of a signature or ciphertext. A
/// verifying image has a public key, a message's signature, and nothing else, from the file
/// GIRIH_CASE.
#include <array>
#include <cstddef>
#include <cstdint>

#include "app/algorithm.hpp"
#include "app/measure.hpp"
#include "boards/board.hpp"

namespace girih::firmware {
namespace {

enum class Role { signing, verifying, kem };
constexpr Role role = Role::GIRIH_ROLE;

constexpr std::array<Byte, 33> message = [] {
    std::array<Byte, 33> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<Byte>(3 * i + 1);
    return bytes;
}();

// ---- Output

void put(const char* text)
{
    for (; *text != 0; ++text) board::put(*text);
}
/// In hexadecimal digits, because some cores have no division.
void put(std::uint32_t number)
{
    for (int bit = 28; bit >= 0; bit -= 4) board::put("0123456789abcdef"[number >> bit & 15]);
}
[[maybe_unused]] void put_bytes(const char* name, BytesIn<> bytes)
{
    put(name);
    board::put(' ');
    for (const Byte byte : bytes) {
        board::put("0123456789abcdef"[byte >> 4]);
        board::put("0123456789abcdef"[byte & 15]);
    }
    board::put('\n');
}
[[maybe_unused]] void put_verdict(const char* name, bool verdict)
{
    put(name);
    put(verdict ? " 1\n" : " 0\n");
}

/// Runs an operation on a painted stack, and prints its instructions and its stack.
template <class Operation>
auto run(const char* name, Operation operation)
{
    paint_stack();
    const std::uint64_t before = board::cycles();
    const auto result = operation();
    const std::uint64_t instructions = board::cycles() - before;
    const std::size_t stack = painted_stack_used();
    put("run ");
    put(name);
    board::put(' ');
    put(static_cast<std::uint32_t>(instructions));
    board::put(' ');
    put(static_cast<std::uint32_t>(stack));
    board::put('\n');
    return result;
}

/// That the counter counts instructions: 200,000 of them.
void count_a_loop()
{
    (void)run("counter", [] {
        std::uint32_t left = 100'000;
#if defined(__riscv)
        __asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(left));
#else
        __asm__ volatile(".syntax unified\n1: subs %0, %0, #1\n\tbne 1b" : "+l"(left) : : "cc");
#endif
        return left;
    });
}

// ---- Operations

std::array<Byte, GIRIH_OUTPUT_BYTES> output;

[[maybe_unused]] void expect_refusals(std::size_t bytes)
{
    const auto with_bit_flipped = [bytes](std::size_t at) {
        output[at] ^= 1;
        const bool verdict = algorithm::verify(message, BytesIn<>{output}.first(bytes));
        output[at] ^= 1;
        return verdict;
    };
    put_verdict("changed salt or challenge", with_bit_flipped(2));
    put_verdict("changed middle", with_bit_flipped(bytes / 2));
    put_verdict("cut", algorithm::verify(message, BytesIn<>{output}.first(bytes - 1)));
    put_verdict("empty", algorithm::verify(message, BytesIn<>{output}.first(0)));
    put_verdict("other message",
                algorithm::verify(BytesIn<>{message}.first(32), BytesIn<>{output}.first(bytes)));
}

[[maybe_unused]] void expect_malformed_key()
{
    for (Byte& byte : algorithm::secret_key()) byte = 0xFF;
    put_verdict("malformed key", algorithm::derive_public_key());
}

[[maybe_unused]] void make_key()
{
    (void)board::set_random({});
    put_verdict("made", run("keygen", algorithm::keygen));
    put_bytes("public", algorithm::public_key());
    put_bytes("secret", algorithm::secret_key());
    put_verdict("derived", run("public_key", algorithm::derive_public_key));
    put_bytes("public", algorithm::public_key());
}

[[maybe_unused]] void sign_and_verify()
{
    make_key();
    const std::size_t bytes = run("sign", [] { return algorithm::sign(message, output.data()); });
    put_bytes("signature", BytesIn<>{output}.first(bytes));
    put_verdict("verified", run("verify", [bytes] {
                    return algorithm::verify(message, BytesIn<>{output}.first(bytes));
                }));
    expect_refusals(bytes);
    expect_malformed_key();
}

[[maybe_unused]] void encapsulate_and_decapsulate()
{
    make_key();
    std::array<Byte, algorithm::shared_secret_bytes> secret;
    put_verdict("encapsulated",
                run("encapsulate", [&] { return algorithm::encapsulate(output.data(), secret.data()); }));
    put_bytes("ciphertext", output);
    put_bytes("shared", secret);
    const auto decapsulate = [&] { return algorithm::decapsulate(output.data(), secret.data()), true; };
    (void)run("decapsulate", decapsulate);
    put_bytes("decapsulated", secret);
    output[5] ^= 1;
    (void)run("reject", decapsulate);
    put_bytes("rejected", secret);
    expect_malformed_key();
}

#if defined(GIRIH_CASE)
__asm__(
    ".section .rodata.girih_case, \"a\"\n\t.global girih_case\n\t.global girih_case_end\n"
    "girih_case:\n\t.incbin \"" GIRIH_CASE "\"\ngirih_case_end:\n\t.previous");
extern "C" const Byte girih_case;
extern "C" const Byte girih_case_end;

void verify_only()
{
    const BytesIn<> whole{&girih_case, static_cast<std::size_t>(&girih_case_end - &girih_case)};
    const std::size_t key_bytes = algorithm::facts.public_key_bytes;
    copy(whole.first(key_bytes), algorithm::public_key());
    const BytesIn<> signature = whole.subspan(key_bytes);
    copy(signature, BytesOut<>{output}.first(signature.size()));
    put_verdict("verified", run("verify", [signature] { return algorithm::verify(message, signature); }));
    expect_refusals(signature.size());
}
#endif

}  // namespace
}  // namespace girih::firmware

int main()
{
    using namespace girih::firmware;
    board::start();
    put("BEGIN\n");
    count_a_loop();
#if defined(GIRIH_CASE)
    verify_only();
#else
    if constexpr (role == Role::kem)
        encapsulate_and_decapsulate();
    else
        sign_and_verify();
#endif
    put("END\n");
    return 0;
}
