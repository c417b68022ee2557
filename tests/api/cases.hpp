/// Faults of a call, one at a time, and the errors that they give.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "api/call.hpp"

namespace girih::test {

/// A fault of a call, and the error that it gives.
struct Case {
    std::string what;
    int error;
    std::function<void(Call&)> spoil;
};
using Cases = std::vector<Case>;

inline bool takes(const Function& function, Content content, Use use)
{
    return std::ranges::any_of(function.roles,
                               [&](const Role& role) { return role.content == content && role.use == use; });
}

/// The error of another length of an input or output.
inline int length_error(Content content)
{
    if (content == Content::public_key) return GIRIH_ERROR_PUBLIC_KEY_LENGTH;
    return content == Content::secret_key ? GIRIH_ERROR_SECRET_KEY_LENGTH : GIRIH_ERROR_LENGTH;
}

inline int error_without(const Call& call, const Region& region)
{
    const Function& function = call.function();
    const Role& role = region.role;
    if (role.use == Use::source || region.size == 0) return GIRIH_OK;
    if (role.use == Use::prepared_key)  // in a row, a key of no bytes takes its place
        return function.batch == nullptr ? int{GIRIH_ERROR_ARGUMENT}
                                         : length_error(prepared_kind(role.content).from);
    if (region.is_message()) return GIRIH_ERROR_MESSAGE;
    if (role.use != Use::options) return GIRIH_ERROR_ARGUMENT;
    const bool is_verdict = takes(function, Content::signature, Use::input) &&
                            !takes(function, Content::begun_to_verify, Use::output);
    return is_verdict && call.subject().has_frame(role.content) ? GIRIH_ERROR_SIGNATURE : GIRIH_OK;
}

inline Cases missing(const Call& call)
{
    Cases cases;
    if (call.algorithm_word != in_options)
        cases.push_back(
            {"no algorithm", GIRIH_ERROR_ARGUMENT, [](Call& c) { c.words[c.algorithm_word] = nullptr; }});
    for (const Region& region : call.regions)
        if (region.word != in_options && !call.is_in_row(region))
            cases.push_back({"no " + std::string(region.role.parameters), error_without(call, region),
                             [word = region.word](Call& c) { c.words[word] = nullptr; }});
    return cases;
}

/// Lengths, and the error of each.
inline std::vector<std::pair<std::size_t, int>> other_lengths(const Region& region)
{
    const std::size_t good = region.size;
    const auto less = [&](int error, int of_more) {
        return std::vector<std::pair<std::size_t, int>>{
            {0, error}, {1, error}, {good / 2, error}, {good - 1, error}, {good + 1, of_more}};
    };
    switch (region.role.lengths) {
        case Lengths::exact:
            return less(length_error(region.role.content), length_error(region.role.content));
        case Lengths::capacity:
            return less(GIRIH_ERROR_CAPACITY, GIRIH_OK);
        case Lengths::verdict:
            return less(GIRIH_ERROR_SIGNATURE, GIRIH_ERROR_SIGNATURE);
        case Lengths::framed:
            return less(GIRIH_ERROR_SIGNATURE, GIRIH_ERROR_CAPACITY);
        case Lengths::context:
            return {{256, GIRIH_ERROR_CONTEXT}, {SIZE_MAX, GIRIH_ERROR_CONTEXT}};
        case Lengths::salted: {
            constexpr int error = GIRIH_ERROR_SIGNATURE;
            return {{0, error}, {1, error}, {40, error}, {41, error}, {42, GIRIH_OK}};
        }
        default:
            return {};
    }
}

inline Cases of_other_lengths(const Call& call)
{
    Cases cases;
    for (const Region& region : call.regions)
        for (const auto& [length, error] : other_lengths(region))
            cases.push_back({std::string(region.role.parameters) + " = " + std::to_string(length), error,
                             [word = region.word, size = length](Call& c) { c.words[word + 1] = size; }});
    for (const Region& region : call.regions)
        if (region.role.use == Use::memory)
            for (const std::size_t shift : {1U, 8U, 32U, 63U})
                cases.push_back({"memory that is not aligned", GIRIH_ERROR_ALIGNMENT,
                                 [word = region.word, shift](Call& c) {
                                     c.words[word] = static_cast<const Byte*>(c.words[word]) + shift;
                                 }});
    return cases;
}

inline int fail(void*, std::uint8_t* out, std::size_t bytes)
{
    std::fill_n(out, bytes, std::uint8_t{0xAB});
    return 1;
}
inline int succeed(void*, std::uint8_t*, std::size_t) { return 0; }
/// Sources that fail, lack their function, or are for a later version.
inline constexpr std::array<girih_random, 7> bad_sources{{{fail, nullptr, 0},
                                                          {nullptr, nullptr, 0},
                                                          {fail, nullptr, 1},
                                                          {nullptr, nullptr, 1},
                                                          {succeed, nullptr, 2},
                                                          {succeed, nullptr, 3},
                                                          {succeed, nullptr, -1}}};

/// Options that no algorithm has, or that this algorithm or this function lacks.
inline Cases with_wrong(const Subject& subject, Content content)
{
    static const ByteString context(256);
    const auto option = [](std::string what, int error, std::function<void(girih_options&)> set) {
        return Case{"options: " + what, error, [set](Call& c) { set(c.options()); }};
    };
    const auto set_context = [](const Byte* data, std::size_t bytes) {
        return [=](girih_options& o) { o.context = data, o.context_bytes = bytes; };
    };
    const bool is_of_mu = content == Content::mu_options;
    Cases cases{option("reserved", GIRIH_ERROR_OPTION, [](auto& o) { o.reserved[0] = 1; }),
                option("reserved", GIRIH_ERROR_OPTION, [](auto& o) { o.reserved[1] = 1; }),
                option("no context, of a byte", is_of_mu ? GIRIH_ERROR_CONTEXT : GIRIH_ERROR_ARGUMENT,
                       set_context(nullptr, 1)),
                option("a context of 256 bytes", GIRIH_ERROR_CONTEXT, set_context(context.data(), 256)),
                option("a context without end", GIRIH_ERROR_CONTEXT, set_context(context.data(), SIZE_MAX))};
    for (const char* name : {"", "-", "MD5", "SHA1", "SHA2", "SHA2-25", "SHA2-256 ", "SHA2-2566", "SHAKE"})
        cases.push_back(option("a pre-hash of another name", GIRIH_ERROR_PRE_HASH,
                               [name](auto& o) { o.pre_hash = name; }));
    if (!subject.has_frame(content)) {
        cases.push_back(option("a context", GIRIH_ERROR_CONTEXT, set_context(context.data(), 1)));
        cases.push_back(option("a pre-hash", GIRIH_ERROR_PRE_HASH, [](auto& o) { o.pre_hash = "SHA2-256"; }));
        cases.push_back(option("both", GIRIH_ERROR_CONTEXT, [](auto& o) {
            o.context = context.data(), o.context_bytes = 1, o.pre_hash = "SHA2-256";
        }));
    }
    const bool draws = content == Content::signing_options || content == Content::mu_options;
    for (const girih_random& bad : bad_sources) {
        cases.push_back(option("a bad source", draws ? GIRIH_ERROR_RANDOM : GIRIH_OK,
                               [&bad](auto& o) { o.random = &bad; }));
    }
    const bool may_draw_nothing = !subject.is_falcon() || content == Content::verifying_options;
    cases.push_back(option("deterministic", may_draw_nothing ? GIRIH_OK : GIRIH_ERROR_OPTION,
                           [](auto& o) { o.deterministic = 1, o.random = &bad_sources[0]; }));
    return cases;
}

inline Cases with_wrong_options(const Call& call)
{
    if (const Region* const options = call.find(Use::options))
        return with_wrong(call.subject(), options->role.content);
    const Region* const source = call.find(Use::source);
    Cases cases;
    for (const girih_random& bad : bad_sources)
        if (source != nullptr)
            cases.push_back({"a bad source",
                             source->role.content == Content::random ? GIRIH_ERROR_RANDOM : GIRIH_OK,
                             [&bad](Call& c) { c.random() = bad; }});
    return cases;
}

/// A malformed key, and its error.
struct Malformed {
    Content key;
    std::size_t byte;
    Byte value;
    int error;
};

inline std::vector<Malformed> malformed_keys(const Subject& subject)
{
    const std::size_t sk_bytes = subject.size(Content::secret_key);
    if (subject.has_mu()) return {{Content::secret_key, 128, 0xFF, GIRIH_ERROR_SECRET_KEY}};  // s1
    if (subject.is_falcon())
        return {{Content::secret_key, 0, 0x51, GIRIH_ERROR_SECRET_KEY},
                {Content::public_key, 0, 0x11, GIRIH_ERROR_PUBLIC_KEY}};
    if (subject.is_ml_kem())
        return {
            {Content::secret_key, sk_bytes - 64,
             static_cast<Byte>(~subject.bytes(Content::secret_key)[sk_bytes - 64]), GIRIH_ERROR_KEY_MISMATCH},
            {Content::public_key, 1, 0xFF, GIRIH_ERROR_PUBLIC_KEY}};
    return {};
}

/// Signatures with a changed byte that is not in the salt.
inline Cases with_changed_signatures(const Call& call)
{
    Cases cases;
    for (std::size_t i = 0; i < call.regions.size(); ++i) {
        const Role& role = call.regions[i].role;
        if (role.lengths == Lengths::verdict || role.lengths == Lengths::framed)
            cases.push_back({"a changed signature", GIRIH_ERROR_SIGNATURE,
                             [i](Call& c) { c.regions[i].place[60] ^= 1; }});
    }
    return cases;
}

inline Cases of_malformed_keys(const Call& call)
{
    Cases cases;
    const bool is_taken = takes(call.function(), Content::begun_for_mu, Use::output);
    for (const Malformed& malformed : malformed_keys(call.subject()))
        for (std::size_t i = 0; i < call.regions.size(); ++i)
            if (call.regions[i].role.use == Use::input && call.regions[i].role.content == malformed.key)
                cases.push_back({"a malformed key", is_taken ? GIRIH_OK : malformed.error,
                                 [=](Call& c) { c.regions[i].place[malformed.byte] = malformed.value; }});
    return cases;
}

/// Messages that were not begun, or begun for another purpose.
inline Cases of_other_messages(const Call& call)
{
    Cases cases;
    for (std::size_t i = 0; i < call.regions.size(); ++i) {
        if (!call.regions[i].is_message()) continue;
        cases.push_back({"a message that was not begun", GIRIH_ERROR_MESSAGE,
                         [i](Call& c) { std::fill_n(c.regions[i].place, sizeof(girih_message), Byte{0}); }});
        for (const Content other : {Content::begun_to_sign, Content::begun_to_verify})
            if (call.regions[i].role.use == Use::ended && call.subject().has(other) &&
                call.regions[i].role.content != other)
                cases.push_back({"a message that was begun to something else", GIRIH_ERROR_MESSAGE,
                                 [=](Call& c) { c.subject().put(other, c.regions[i].place); }});
    }
    return cases;
}

}  // namespace girih::test
