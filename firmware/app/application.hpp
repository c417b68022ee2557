/// The commands of an image that its role has: see the table in README.md, "The link".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/algorithm.hpp"
#include "app/measure.hpp"
#include "core/wipe.hpp"
#include "link/shell.hpp"

namespace girih::firmware {

/// The role of an image.
struct Role {
    bool makes_keys;
    bool signs;
    bool verifies;
    bool is_kem;
};

inline constexpr Role blank_role{false, false, false, false};
inline constexpr Role full_role{true, true, true, false};
inline constexpr Role signing_role{false, true, false, false};
inline constexpr Role verifying_role{false, false, true, false};
inline constexpr Role kem_role{true, false, false, true};

#if defined(GIRIH_FIRMWARE_REVEALS_KEYS)
inline constexpr bool reveals_keys = true;
#else
inline constexpr bool reveals_keys = false;
#endif

template <Role role>
class Application {
  public:
    /// Shell's entry point.
    static Status run(void* application, const Command& command, Answer& answer)
    {
        return static_cast<Application*>(application)->run(command, answer);
    }

  private:
    static constexpr bool is_blank = !role.signs && !role.verifies && !role.is_kem;
    static constexpr bool has_secret_key = role.makes_keys || role.signs;
    static constexpr std::size_t buffer_bytes = Shell::buffer_bytes;

    /// Commands that refuse an argument.
    static constexpr std::string_view bare = "EGIKNTX";

    Status run(const Command& command, Answer& answer)
    {
        if (command.has_argument && bare.find(command.letter) != bare.npos) return Status::error;
        switch (command.letter) {
            case 'I':
                return info(answer);
            case 'T':
                answer.decimal_line(board::milliseconds());
                return Status::ok;
            case 'N':
                answer.decimal_line(last_.cycles);
                return Status::ok;
            case 'X':
                answer.decimal_line(last_.stack_bytes);
                return Status::ok;
            case 'Z':
                return ok_if(board::set_random(command.argument));
            default:
                return run_operation(command, answer);
        }
    }

    Status run_operation([[maybe_unused]] const Command& command, [[maybe_unused]] Answer& answer)
    {
        if constexpr (!is_blank) {
            switch (command.letter) {
                case 'P':
                    if constexpr (role.makes_keys || role.verifies) return public_key(command, answer);
                    break;
                case 'V':
                    if constexpr (role.verifies) return verify(command.argument);
                    break;
                case 'S':
                    if constexpr (role.signs) return sign(command.argument, answer);
                    break;
                case 'K':
                    if constexpr (has_secret_key && reveals_keys) return private_key(answer);
                    break;
                case 'M':
                    if constexpr (has_secret_key) return set_private_key(command);
                    break;
                case 'G':
                    if constexpr (role.makes_keys) return ok_if(make_key());
                    break;
                case 'E':
                    if constexpr (role.is_kem) return encapsulate(answer);
                    break;
                case 'D':
                    if constexpr (role.is_kem) return decapsulate(command, answer);
                    break;
                case 'R':
                    if constexpr (role.makes_keys)
                        return benchmark(command, answer, [this] { return make_key(); });
                    break;
                case 'B':
                    return benchmark_second(command, answer);
                case 'C':
                    return benchmark_third(command, answer);
                default:
                    break;
            }
        }
        return Status::error;
    }

    static Status ok_if(bool good) { return good ? Status::ok : Status::error; }

    // ---- Keys

    Status info(Answer& answer) const
    {
        if constexpr (is_blank) {
            answer.text_line("blank");
            for (int i = 0; i < 3; ++i) answer.decimal_line(0);
        } else {
            const algorithm::Facts& facts = algorithm::facts;
            answer.text_line(facts.name);
            answer.decimal_line(facts.public_key_bytes);
            answer.decimal_line(facts.secret_key_bytes);
            answer.decimal_line(max_message_bytes());
        }
        return Status::ok;
    }

    /// A message and its signature have to fit in one argument, so that what can be signed can be
    /// verified. A KEM's messages are its ciphertexts.
    static std::size_t max_message_bytes()
    {
        const std::size_t size = algorithm::facts.signature_bytes;
        return role.is_kem ? size : buffer_bytes - length_bytes - size;
    }

    Status public_key(const Command& command, Answer& answer)
    {
        if (command.has_argument) {
            if (command.argument.size() > algorithm::facts.public_key_bytes) return Status::overflow;
            if (command.argument.size() != algorithm::facts.public_key_bytes) return Status::error;
            drop_keys();
            copy(command.argument, algorithm::public_key());
            has_public_key_ = true;
            return Status::ok;
        }
        if (!has_public_key_) return Status::error;
        answer.hex_line(algorithm::public_key());
        return Status::ok;
    }

    Status private_key(Answer& answer)
    {
        if (!has_secret_key_) return Status::error;
        answer.hex_line(algorithm::secret_key());
        return Status::ok;
    }

    /// An image that only signs keeps no public key, and detects a malformed key when signing.
    Status set_private_key(const Command& command)
    {
        if (command.argument.size() > algorithm::facts.secret_key_bytes) return Status::overflow;
        if (command.argument.size() != algorithm::facts.secret_key_bytes) return Status::error;
        drop_keys();
        copy(command.argument, algorithm::secret_key());
        if constexpr (role.makes_keys) {
            if (!measure(last_, [] { return algorithm::derive_public_key(); })) {
                drop_keys();
                return Status::error;
            }
            has_public_key_ = true;
        }
        has_secret_key_ = true;
        return Status::ok;
    }

    bool make_key()
    {
        has_public_key_ = has_secret_key_ = measure(last_, [] { return algorithm::keygen(); });
        if (!has_secret_key_) drop_keys();
        return has_secret_key_;
    }

    void drop_keys()
    {
        has_public_key_ = has_secret_key_ = false;
        if constexpr (has_secret_key) wipe(algorithm::secret_key());
    }

    // ---- Signatures

    /// If the image can verify, it returns only signatures that verify: a faulty one could reveal a
    /// part of the key.
    Status sign(BytesIn<> message, Answer& answer)
    {
        if (message.size() > max_message_bytes()) return Status::overflow;
        const std::size_t size = make_signature(message);
        if (size == 0) return Status::error;
        const BytesIn<> signature = std::span{output_}.first(size);
        if constexpr (role.verifies) {
            if (!algorithm::verify(message, signature)) {
                wipe(output_);
                return Status::error;
            }
        }
        answer.hex_line(signature);
        return Status::ok;
    }

    std::size_t make_signature(BytesIn<> message)
    {
        if (!has_secret_key_) return 0;
        const std::size_t size = measure(last_, [&] { return algorithm::sign(message, output_.data()); });
        if (size == 0) wipe(output_);
        return size;
    }

    static constexpr std::size_t length_bytes = 2;

    Status verify(BytesIn<> argument)
    {
        if (argument.size() < length_bytes) return Status::error;
        const std::size_t size = std::size_t{argument[0]} << 8 | argument[1];
        const BytesIn<> rest = argument.subspan(length_bytes);
        if (!has_public_key_ || size > rest.size()) return Status::error;
        return ok_if(measure(last_, [&] { return algorithm::verify(rest.subspan(size), rest.first(size)); }));
    }

    // ---- Shared secrets

    using SharedSecret = Wiped<std::array<Byte, algorithm::shared_secret_bytes>>;

    Status encapsulate(Answer& answer)
    {
        if (!has_public_key_) return Status::error;
        SharedSecret secret;
        if (!measure(last_, [&] { return algorithm::encapsulate(output_.data(), secret->data()); }))
            return Status::error;
        answer.hex_line(std::span{output_}.first(algorithm::facts.signature_bytes));
        answer.hex_line(*secret);
        return Status::ok;
    }

    Status decapsulate(const Command& command, Answer& answer)
    {
        if (command.argument.size() > algorithm::facts.signature_bytes) return Status::overflow;
        if (!has_secret_key_ || command.argument.size() != algorithm::facts.signature_bytes)
            return Status::error;
        SharedSecret secret;
        (void)measure(last_, [&] {
            algorithm::decapsulate(command.argument.data(), secret->data());
            return true;
        });
        answer.hex_line(*secret);
        return Status::ok;
    }

    // ---- Benchmarks

    static constexpr std::size_t usual_runs = 50;

    template <class Operation>
    Status benchmark(const Command& command, Answer& answer, Operation operation)
    {
        std::size_t runs = usual_runs;
        if (command.has_argument) {
            if (command.argument.size() != 2) return Status::error;
            runs = std::size_t{command.argument[0]} << 8 | command.argument[1];
        }
        for (std::size_t run = 0; run < runs; ++run) {
            if (!operation()) return Status::error;
            answer.decimal(last_.milliseconds);
            answer.text(" ");
            answer.decimal(last_.cycles);
            answer.text(" ");
            answer.decimal_line(last_.stack_bytes);
        }
        return Status::ok;
    }

    /// A new message of 32 bytes for each run.
    static BytesIn<> next_message(std::array<Byte, 32>& message)
    {
        ++message[0];
        return message;
    }

    Status benchmark_second(const Command& command, Answer& answer)
    {
        if constexpr (role.signs) {
            std::array<Byte, 32> message{};
            return benchmark(command, answer, [&] { return make_signature(next_message(message)) != 0; });
        } else if constexpr (role.is_kem) {
            SharedSecret secret;
            return benchmark(command, answer, [&] {
                return has_public_key_ &&
                       measure(last_, [&] { return algorithm::encapsulate(output_.data(), secret->data()); });
            });
        } else {
            return Status::error;
        }
    }

    Status benchmark_third(const Command& command, Answer& answer)
    {
        if constexpr (role.signs && role.verifies) {
            std::array<Byte, 32> message{};
            return benchmark(command, answer, [&] {
                const std::size_t size = make_signature(next_message(message));
                return size != 0 && measure(last_, [&] {
                           return algorithm::verify(message, std::span{output_}.first(size));
                       });
            });
        } else if constexpr (role.is_kem) {
            SharedSecret secret;
            return benchmark(command, answer, [&] {
                if (!has_secret_key_ || !algorithm::encapsulate(output_.data(), secret->data())) return false;
                return measure(last_, [&] {
                    algorithm::decapsulate(output_.data(), secret->data());
                    return true;
                });
            });
        } else {
            return Status::error;
        }
    }

    bool has_public_key_ = false;
    bool has_secret_key_ = false;
    Measurement last_;
    std::array<Byte, is_blank ? 1 : buffer_bytes> output_;
};

}  // namespace girih::firmware
