/// Every function of the table (functions.hpp) with every algorithm: what is missing, of another
/// length or malformed, inputs in outputs, outputs in outputs, algorithms and keys of another kind.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/call.hpp"
#include "support/environment.hpp"

namespace {

using namespace girih;
using namespace girih::test;

/// One thing that is wrong with a call, or another, and what the call says of it.
struct Case {
    std::string what;
    int error;
    std::function<void(Call&)> spoil;
};
using Cases = std::vector<Case>;

// ---- What is wrong

bool takes(const Function& function, Content content, Use use)
{
    return std::ranges::any_of(function.roles,
                               [&](const Role& role) { return role.content == content && role.use == use; });
}

int error_without(const Call& call, const Region& region)
{
    switch (region.role.use) {
        case Use::source:
            return GIRIH_OK;
        case Use::options: {
            const bool is_verdict = takes(call.function(), Content::signature, Use::input) &&
                                    region.role.lengths == Lengths::none &&
                                    !takes(call.function(), Content::begun_to_verify, Use::output);
            return is_verdict && call.subject().has_frame(region.role.content) ? GIRIH_ERROR_SIGNATURE
                                                                               : GIRIH_OK;
        }
        case Use::prepared_key:  // in a row, a key of no bytes stands for it
            return call.function().batch == nullptr ? GIRIH_ERROR_ARGUMENT : GIRIH_ERROR_LENGTH;
        default:
            return GIRIH_ERROR_ARGUMENT;
    }
}

/// A row has its length in itself.
bool is_member_of_a_row(const Call& call, const Region& region)
{
    return call.function().batch != nullptr && region.role.content == Content::length;
}

Cases missing(const Call& call)
{
    Cases cases;
    if (call.algorithm_word != in_options)
        cases.push_back(
            {"no algorithm", GIRIH_ERROR_ARGUMENT, [](Call& c) { c.words[c.algorithm_word] = nullptr; }});
    for (const Region& region : call.regions)
        if (region.word != in_options && !is_member_of_a_row(call, region))
            cases.push_back({"no " + std::string(region.role.parameters), error_without(call, region),
                             [word = region.word](Call& c) { c.words[word] = nullptr; }});
    return cases;
}

/// Lengths, and what a call says of each.
std::vector<std::pair<std::size_t, int>> other_lengths(const Region& region)
{
    const std::size_t good = region.size;
    const auto less = [&](int error, int of_more) {
        return std::vector<std::pair<std::size_t, int>>{
            {0, error}, {1, error}, {good / 2, error}, {good - 1, error}, {good + 1, of_more}};
    };
    switch (region.role.lengths) {
        case Lengths::exact:
            return less(GIRIH_ERROR_LENGTH, GIRIH_ERROR_LENGTH);
        case Lengths::capacity:
            return less(GIRIH_ERROR_LENGTH, GIRIH_OK);
        case Lengths::verdict:
            return less(GIRIH_ERROR_SIGNATURE, GIRIH_ERROR_SIGNATURE);
        case Lengths::framed:
            return less(GIRIH_ERROR_SIGNATURE, GIRIH_ERROR_LENGTH);
        case Lengths::salted:
            return {{0, GIRIH_ERROR_SIGNATURE},
                    {1, GIRIH_ERROR_SIGNATURE},
                    {40, GIRIH_ERROR_SIGNATURE},
                    {41, GIRIH_ERROR_SIGNATURE},
                    {42, GIRIH_OK}};
        default:
            return {};
    }
}

Cases of_other_lengths(const Call& call)
{
    Cases cases;
    for (const Region& region : call.regions)
        for (const auto& [length, error] : other_lengths(region))
            cases.push_back({std::string(region.role.parameters) + " = " + std::to_string(length), error,
                             [word = region.word, size = length](Call& c) { c.words[word + 1] = size; }});
    for (const Region& region : call.regions)
        if (region.role.use == Use::memory)
            for (const std::size_t shift : {1U, 8U, 32U, 63U})
                cases.push_back({"memory that is not aligned", GIRIH_ERROR_ARGUMENT,
                                 [word = region.word, shift](Call& c) {
                                     c.words[word] = static_cast<const Byte*>(c.words[word]) + shift;
                                 }});
    return cases;
}

int fail(void*, std::uint8_t* out, std::size_t bytes)
{
    std::fill_n(out, bytes, std::uint8_t{0xAB});
    return 1;
}
int succeed(void*, std::uint8_t*, std::size_t) { return 0; }
/// Sources that fail, that are missing, and that only a later version may have.
constexpr std::array<girih_random, 7> bad_sources{{{fail, nullptr, 0},
                                                   {nullptr, nullptr, 0},
                                                   {fail, nullptr, 1},
                                                   {nullptr, nullptr, 1},
                                                   {succeed, nullptr, 2},
                                                   {succeed, nullptr, 3},
                                                   {succeed, nullptr, -1}}};

Cases with_bad_sources(const Region& source)
{
    Cases cases;
    for (const girih_random& bad : bad_sources)
        cases.push_back({"a bad source",
                         source.role.content == Content::random ? GIRIH_ERROR_RANDOM : GIRIH_OK,
                         [&bad](Call& c) { c.random() = bad; }});
    return cases;
}

/// Options that no algorithm has, or that this one has not, or not here.
Cases with_wrong(const Subject& subject, Content content)
{
    static const ByteString context(256);
    const auto option = [](std::string what, int error, std::function<void(girih_options&)> set) {
        return Case{"options: " + what, error, [set](Call& c) { set(c.options()); }};
    };
    const auto set_context = [](const Byte* data, std::size_t bytes) {
        return [=](girih_options& o) { o.context = data, o.context_bytes = bytes; };
    };
    const bool is_of_mu = content == Content::mu_options;
    Cases cases{option("reserved", GIRIH_ERROR_ARGUMENT, [](auto& o) { o.reserved[0] = 1; }),
                option("reserved", GIRIH_ERROR_ARGUMENT, [](auto& o) { o.reserved[1] = 1; }),
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
    cases.push_back(option("deterministic", may_draw_nothing ? GIRIH_OK : GIRIH_ERROR_ARGUMENT,
                           [](auto& o) { o.deterministic = 1, o.random = &bad_sources[0]; }));
    return cases;
}

Cases with_wrong_options(const Call& call)
{
    if (const Region* const source = call.find(Use::source)) return with_bad_sources(*source);
    const Region* const options = call.find(Use::options);
    return options == nullptr ? Cases{} : with_wrong(call.subject(), options->role.content);
}

/// A key that is none, and what is said of it.
struct Malformed {
    Content key;
    std::size_t byte;
    Byte value;
    int error;
};

std::vector<Malformed> malformed_keys(const Subject& subject)
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

/// A signature in which a byte was changed that is no part of the salt.
Cases with_changed_signatures(const Call& call)
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

Cases of_malformed_keys(const Call& call)
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

/// Messages that were not begun, or to something else.
Cases of_other_messages(const Call& call)
{
    Cases cases;
    for (std::size_t i = 0; i < call.regions.size(); ++i) {
        if (!call.regions[i].is_message()) continue;
        cases.push_back({"a message that was not begun", GIRIH_ERROR_ARGUMENT,
                         [i](Call& c) { std::fill_n(c.regions[i].place, sizeof(girih_message), Byte{0}); }});
        for (const Content other : {Content::begun_to_sign, Content::begun_to_verify})
            if (call.regions[i].role.use == Use::ended && call.subject().has(other) &&
                call.regions[i].role.content != other)
                cases.push_back({"a message that was begun to something else", GIRIH_ERROR_ARGUMENT,
                                 [=](Call& c) { c.subject().put(other, c.regions[i].place); }});
    }
    return cases;
}

// ---- The claims

class Functions : public testing::TestWithParam<const girih_alg*> {
  public:
    const Subject subject{GetParam()};

    static std::string name(const testing::TestParamInfo<const girih_alg*>& info)
    {
        std::string name = Subject{info.param, true}.name();
        std::ranges::replace(name, '-', '_');
        return name;
    }
    /// f(function) for all that the algorithm is good for.
    template <class F>
    void for_each_function(F f) const
    {
        for (const Function& function : functions) {
            SCOPED_TRACE(function.name);
            if (subject.can(function.ability)) f(function);
        }
    }
    /// That a call says so, and keeps every promise.
    static void expect(Call& call, int error, const std::string& what)
    {
        EXPECT_EQ(call.make(), error) << what;
        EXPECT_EQ(call.broken_promise(), "") << what;
        const bool has_seed = takes(call.function(), Content::unasked_random, Use::source);
        const bool is_refused = has_seed || error == GIRIH_ERROR_ARGUMENT || error == GIRIH_ERROR_LENGTH ||
                                error == GIRIH_ERROR_CONTEXT || error == GIRIH_ERROR_PRE_HASH ||
                                error == GIRIH_ERROR_OVERLAP;
        if (is_refused) {
            EXPECT_EQ(call.subject().asked, 0) << what << ": nothing is drawn for it";
        }
    }
    void expect_cases(Cases (*cases_of)(const Call&)) const
    {
        for_each_function([&](const Function& function) {
            for (const Case& each : cases_of(Call{subject, function})) {
                Call call{subject, function};
                each.spoil(call);
                expect(call, each.error, each.what);
            }
        });
    }
};
INSTANTIATE_TEST_SUITE_P(Of, Functions, testing::ValuesIn(all_algorithms()), Functions::name);

TEST_P(Functions, RefuseWhatIsMissing) { expect_cases(missing); }
TEST_P(Functions, RefuseOtherLengthsAndAlignments) { expect_cases(of_other_lengths); }
TEST_P(Functions, RefuseOptionsAndSourcesThatAreWrong) { expect_cases(with_wrong_options); }
TEST_P(Functions, RefuseChangedSignatures) { expect_cases(with_changed_signatures); }
TEST_P(Functions, RefuseMessagesThatWereNotBegunForThem) { expect_cases(of_other_messages); }

TEST_P(Functions, RefuseMalformedKeysAndWipeWhatTheyMadeOfThem)
{
    expect_cases(of_malformed_keys);
    for_each_function([&](const Function& function) {
        for (const Case& each : of_malformed_keys(Call{subject, function})) {
            Call call{subject, function};
            const Region* const memory = call.find(Use::memory);
            if (memory == nullptr) continue;
            each.spoil(call);
            call.make();
            EXPECT_TRUE(std::all_of(memory->place, memory->place + memory->size,
                                    [](Byte byte) { return byte == 0; }));
        }
    });
}

/// How far from the beginning of b a begins, where they share all they can, a part, or one byte.
std::vector<std::ptrdiff_t> distances(const Region& a, const Region& b)
{
    const auto a_bytes = static_cast<std::ptrdiff_t>(a.size);
    const auto b_bytes = static_cast<std::ptrdiff_t>(b.size);
    const auto step =
        static_cast<std::ptrdiff_t>(std::max(alignment_of(a.role.content), alignment_of(b.role.content)));
    std::vector<std::ptrdiff_t> found{0,           b_bytes - a_bytes, b_bytes / 2, -a_bytes / 2,
                                      b_bytes - 1, 1 - a_bytes};
    for (std::ptrdiff_t& distance : found) distance = distance / step * step;
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase_if(found, [&](std::ptrdiff_t d) { return d >= b_bytes || d <= -a_bytes; });
    return found;
}

/// move(a, b, error) for every region and every output that it can lie in, or may not.
template <class F>
void for_each_move(const Call& call, F f)
{
    for (std::size_t i = 0; i < call.regions.size(); ++i)
        for (std::size_t j = 0; j < call.regions.size(); ++j) {
            const Region& a = call.regions[i];
            const Region& b = call.regions[j];
            if (is_member_of_a_row(call, a) || is_member_of_a_row(call, b)) continue;
            const bool is_kept = b.role.use == Use::continued;
            if (i == j || !(b.is_output() || is_kept) || (a.is_output() && j < i)) continue;
            const bool may_lie = !a.is_output() && !is_kept &&
                                 (a.role.use != Use::prepared_key || call.function().batch == nullptr);
            for (const std::ptrdiff_t distance : distances(a, b)) f(Move{i, j, distance}, may_lie);
        }
}

TEST_P(Functions, TakeInputsThatLieInOutputs)
{
    for_each_function([&](const Function& function) {
        Call apart{subject, function};
        expect(apart, GIRIH_OK, "apart");
        const auto expected = apart.made();
        for_each_move(apart, [&](const Move& move, bool may_lie) {
            if (!may_lie) return;
            Call call{subject, function, {move}};
            expect(call, GIRIH_OK,
                   std::string(apart.regions[move.region].role.parameters) + " in " +
                       std::string(apart.regions[move.output].role.parameters));
            EXPECT_EQ(call.made(), expected) << apart.regions[move.region].role.parameters << " in "
                                             << apart.regions[move.output].role.parameters;
        });
    });
}

TEST_P(Functions, RefuseOutputsThatShareAByteAndWriteNothing)
{
    for_each_function([&](const Function& function) {
        const Call apart{subject, function};
        for_each_move(apart, [&](const Move& move, bool may_lie) {
            if (may_lie) return;
            Call call{subject, function, {move}};
            expect(call, GIRIH_ERROR_OVERLAP,
                   std::string(apart.regions[move.region].role.parameters) + " in " +
                       std::string(apart.regions[move.output].role.parameters));
        });
    });
}

/// Another scheme's, or one that only verifies; whatever the lengths are.
TEST_P(Functions, RefuseAlgorithmsThatCannotDoIt)
{
    for (Function function : functions) {
        SCOPED_TRACE(function.name);
        if (subject.can(function.ability)) continue;
        for (Role& role : function.roles)
            if (role.use == Use::ended && !subject.has(role.content)) role.content = Content::begun;
        if (!std::ranges::all_of(function.roles, [&](const Role& role) {
                return role.use == Use::memory || role.use == Use::output || subject.has(role.content);
            }))
            continue;
        Call call{subject, function};
        expect(call, GIRIH_ERROR_ARGUMENT, "another kind of algorithm");
        for (const Region& region : call.regions) {
            if (region.role.lengths != Lengths::exact) continue;
            Call shorter{subject, function};
            shorter.words[region.word + 1] = region.size - 1;
            expect(shorter, GIRIH_ERROR_ARGUMENT, "and another length");
        }
    }
}

TEST_P(Functions, RefuseBatchesWithoutRowsUnlessTheyHaveNone)
{
    for (const Function& function : functions)
        if (function.batch != nullptr && subject.can(function.ability)) {
            EXPECT_EQ(function.batch->run(subject.alg, nullptr, 0), GIRIH_OK);
            EXPECT_EQ(function.batch->run(subject.alg, nullptr, 1), GIRIH_ERROR_ARGUMENT);
        }
}

TEST(Questions, OfNothingAreAnsweredWithNothing)
{
    for (const Question& question : questions) EXPECT_EQ(question.ask(nullptr), 0U) << question.name;
}

// ---- Rows

class Rows : public Functions {
  public:
    /// f(function) for batches.
    template <class F>
    void for_each_batch(F f) const
    {
        for_each_function([&](const Function& function) {
            if (function.batch != nullptr) f(function);
        });
    }
};
INSTANTIATE_TEST_SUITE_P(Of, Rows, testing::ValuesIn(all_algorithms()), Functions::name);

TEST_P(Rows, ThatAreBadSpoilNoOther)
{
    for_each_batch([&](const Function& function) {
        Call good{subject, function};
        ASSERT_EQ(good.make(), GIRIH_OK);
        const auto expected = good.made();
        std::vector<int> errors;
        std::vector<std::string> what;
        std::vector<Call> calls;
        const auto add = [&](const Case& each) {
            each.spoil(calls.emplace_back(subject, function));
            errors.push_back(each.error), what.push_back(each.what);
        };
        for (const auto cases_of :
             {missing, of_other_lengths, static_cast<Cases (*)(const Call&)>(with_wrong_options),
              of_malformed_keys})
            for (const Case& each : cases_of(good)) {
                if (each.what == "no algorithm") continue;
                add({"nothing", GIRIH_OK, [](Call&) {}});
                add(each);
            }
        const auto bad = std::ranges::find_if(errors, [](int error) { return error != GIRIH_OK; });
        EXPECT_EQ(make_all(function, calls), *bad) << "the first one";
        for (std::size_t i = 0; i < calls.size(); ++i) {
            EXPECT_EQ(calls[i].result, errors[i]) << i << ": " << what[i];
            EXPECT_EQ(calls[i].broken_promise(), "") << i << ": " << what[i];
            if (what[i] == "nothing") {
                EXPECT_EQ(calls[i].made(), expected) << i;
            }
        }
    });
}

/// Whose outputs lie in the array of rows: these are what they were, but for the result.
TEST_P(Rows, HaveNoOutputsInTheRows)
{
    for_each_batch([&](const Function& function) {
        for (const bool is_refused : {false, true})
            for (std::size_t i = 0; const Region& region : Call{subject, function}.regions) {
                if (++i; !region.is_output() || region.role.content == Content::length) continue;
                const std::size_t row_bytes = function.batch->row_bytes;
                std::vector<std::max_align_t> memory(2 + (region.size + 2 * row_bytes) /
                                                             sizeof(std::max_align_t));
                auto* const rows = reinterpret_cast<Byte*>(memory.data());
                for (const std::ptrdiff_t place :
                     {std::ptrdiff_t{0}, std::ptrdiff_t{8}, static_cast<std::ptrdiff_t>(row_bytes) - 1,
                      1 - static_cast<std::ptrdiff_t>(region.size)}) {
                    Call call{subject, function};
                    call.words[region.word] = rows + place;
                    function.batch->put(rows, call.words);
                    const std::vector<std::max_align_t> before = memory;
                    call.settle();
                    const girih_alg* const alg = is_refused ? nullptr : subject.alg;
                    const int error = is_refused ? GIRIH_ERROR_ARGUMENT : GIRIH_ERROR_OVERLAP;
                    EXPECT_EQ(function.batch->run(alg, rows, 1), error);
                    EXPECT_EQ(call.result = function.batch->result(rows, call.words), error);
                    EXPECT_TRUE(std::equal(rows, rows + row_bytes - 2 * sizeof(std::size_t),
                                           reinterpret_cast<const Byte*>(before.data())));
                    if (!is_refused) {
                        EXPECT_EQ(call.broken_promise(), "");
                    }
                }
            }
    });
}

/// The algorithms whose prepared keys others are given.
std::vector<const girih_alg*> owners_of_keys()
{
    return {girih_ml_dsa_44(),  girih_ml_dsa_65(),         girih_ml_dsa_44_verifying(),
            girih_falcon_512(), girih_falcon_padded_512(), girih_falcon_512_verifying(),
            girih_ml_kem_512(), girih_ml_kem_768()};
}

TEST_P(Rows, RefusePreparedKeysOfAnotherAlgorithm)
{
    constexpr std::array keys{roles::signing_key, roles::verifying_key, roles::encapsulation_key,
                              roles::decapsulation_key};
    for_each_batch([&](const Function& function) {
        const Role& role = function.roles[1];
        const auto* const kind = std::ranges::find(keys, role.parameters, &Role::parameters);
        if (role.use != Use::absent || kind == keys.end()) return;
        for (const girih_alg* const owner : owners_of_keys()) {
            const Subject other{owner};
            if (owner == subject.alg || !other.has(kind->content)) continue;
            const Block memory{other.size(kind->content)};
            other.put(kind->content, memory.data());
            for (const int verify : {0, 1}) {
                Call call{subject, function};
                if (call.find(Use::options) != nullptr) call.options().verify_after_sign = verify;
                call.words[1] = memory.data();
                expect(call, GIRIH_ERROR_ARGUMENT, other.name());
            }
        }
    });
}

// ---- Without an engine

/// Runs where it may end the process: an engine is chosen once. 0 if all is as it has to be.
int first_wrong()
{
    set_variable("GIRIH_ISA", "no such engine");
    if (girih_engine() != nullptr || girih_engine_reason() == nullptr) return 1;
    for (const girih_alg* const alg : all_algorithms()) {
        const Subject subject{alg, true};
        if (girih_signing_key_size(alg) + girih_verifying_key_size(alg) + girih_encapsulation_key_size(alg) +
                girih_decapsulation_key_size(alg) !=
            0)
            return 2;
        for (const Function& function : functions) {
            const bool is_without = std::ranges::none_of(function.roles, [](const Role& role) {
                return role.use == Use::prepared_key || role.use == Use::ended || role.use == Use::continued;
            });
            if (!subject.can(function.ability) || !is_without) continue;
            for (const girih_random& bad : bad_sources) {  // which are not asked
                Call call{subject, function};
                if (call.find(Use::source) != nullptr) call.random() = bad;
                if (call.find(Use::options) != nullptr) call.options().random = &bad;
                if (call.make() == GIRIH_ERROR_ENGINE && call.broken_promise().empty()) continue;
                std::fprintf(stderr, "%s, %s: %d %s\n", subject.name().c_str(), function.name.data(),
                             call.result, call.broken_promise().c_str());
                return 3;
            }
        }
    }
    return 0;
}

TEST(NoEngineDeathTest, IsTheErrorOfEveryFunction)
{
    EXPECT_EXIT(std::exit(first_wrong()), testing::ExitedWithCode(0), "");
}

}  // namespace
