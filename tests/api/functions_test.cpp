/// Every function of the table (functions.hpp) with every algorithm: arguments that are missing, of
/// a wrong length or malformed, inputs in outputs, outputs in outputs, and algorithms and keys of
/// another kind.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.hpp"
#include "api/cases.hpp"
#include "support/rounds.hpp"
#include "support/typed.hpp"

namespace {

using namespace girih;
using namespace girih::test;

class Functions : public testing::TestWithParam<const girih_alg*> {
  public:
    const Subject subject{GetParam()};

    static std::string name(const testing::TestParamInfo<const girih_alg*>& info)
    {
        return test_name(Subject{info.param, true}.name());
    }
    /// Calls f(function) for all functions that the algorithm supports.
    template <class F>
    void for_each_function(F f) const
    {
        for (const Function& function : functions) {
            SCOPED_TRACE(function.name);
            if (subject.can(function.ability)) f(function);
        }
    }
    /// Expects a call to return this error, and to keep every promise.
    static void expect(Call& call, int error, const std::string& what)
    {
        EXPECT_EQ(call.make(), error) << what;
        EXPECT_EQ(call.broken_promise(), "") << what;
        const bool has_seed = takes(call.function(), Content::unasked_random, Use::source);
        const bool is_refused = has_seed || error == GIRIH_ERROR_ARGUMENT || error == GIRIH_ERROR_LENGTH ||
                                error == GIRIH_ERROR_CONTEXT || error == GIRIH_ERROR_PRE_HASH ||
                                error == GIRIH_ERROR_OVERLAP || error <= GIRIH_ERROR_ALGORITHM;
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
            each.spoil(call);
            call.make();
            if (const Region* const memory = call.find(Use::memory)) {
                EXPECT_TRUE(is_zero({memory->place, memory->size}));
            }
        }
    });
}

/// The distances from the beginning of b to the beginning of a at which they share all they can, a
/// part, or one byte.
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

/// Calls move(a, b, error) for every region and every output that it may, or may not, overlap.
template <class F>
void for_each_move(const Call& call, F f)
{
    for (std::size_t i = 0; i < call.regions.size(); ++i)
        for (std::size_t j = 0; j < call.regions.size(); ++j) {
            const Region& a = call.regions[i];
            const Region& b = call.regions[j];
            if (call.is_in_row(a) || call.is_in_row(b)) continue;
            const bool is_kept = b.role.use == Use::continued;
            if (i == j || !(b.is_output() || is_kept) || (a.is_output() && j < i)) continue;
            const bool may_lie = !a.is_output() && !is_kept &&
                                 (a.role.use != Use::prepared_key || call.function().batch == nullptr);
            for (const std::ptrdiff_t distance : distances(a, b)) f(Move{i, j, distance}, may_lie);
        }
}

/// One of every length and format, for claims that take many calls.
std::vector<const girih_alg*> representatives()
{
    return {girih_ml_dsa_44(),           girih_ml_dsa_87(),         girih_dilithium3(),
            girih_falcon_512(),          girih_falcon_padded_512(), girih_falcon_ct_1024(),
            girih_ml_kem_512(),          girih_ml_kem_768(),        girih_ml_kem_1024(),
            girih_sntrup761(),           girih_ntrulpr653(),        girih_ml_dsa_44_verifying(),
            girih_falcon_512_verifying()};
}

class InPlace : public Functions {};
INSTANTIATE_TEST_SUITE_P(Of, InPlace, testing::ValuesIn(representatives()), Functions::name);

std::string name_of(const Call& apart, const Move& move)
{
    return std::string(apart.regions[move.region].role.parameters) + " in " +
           std::string(apart.regions[move.output].role.parameters);
}

/// Outputs are the same, whether or not signatures are verified before they are returned.
TEST_P(InPlace, InputsMayLieInOutputs)
{
    int moves = 0;
    for_each_function([&](const Function& function) {
        Call apart{subject, function};
        expect(apart, GIRIH_OK, "apart");
        const auto expected = apart.made();
        for_each_move(apart, [&](const Move& move, bool may_lie) {
            if (!may_lie) return;
            Call call{subject, function, {move}};
            if (call.find(Use::options) != nullptr) call.options().verify_after_sign = moves++ % 2;
            expect(call, GIRIH_OK, name_of(apart, move));
            EXPECT_EQ(call.made(), expected) << name_of(apart, move);
        });
    });
}

TEST_P(InPlace, OutputsThatShareAByteAreRefusedAndNothingIsWritten)
{
    for_each_function([&](const Function& function) {
        const Call apart{subject, function};
        for_each_move(apart, [&](const Move& move, bool may_lie) {
            if (may_lie) return;
            Call call{subject, function, {move}};
            expect(call, GIRIH_ERROR_OVERLAP, name_of(apart, move));
        });
    });
}

/// Outputs are the same alone, with prepared keys and in rows, checked or not, begun with any key.
TEST_P(Functions, MakeTheSameHoweverTheyAreCalled)
{
    std::map<std::string, std::vector<ByteString>> made;
    for_each_function([&](const Function& function) {
        std::string name{function.name};
        for (const std::string_view variant : {"_prepared", "_many", "_checked", "_secret"})
            if (const std::size_t at = name.rfind(variant); at != name.npos) name.erase(at, variant.size());
        if (takes(function, Content::unasked_random, Use::source)) name += "_from_seed";
        Call call{subject, function};
        call.make();
        const auto& expected = made.try_emplace(name, call.made()).first->second;
        EXPECT_EQ(call.made(), expected);
    });
}

/// Algorithms of another scheme, or that only verify, whatever the lengths are.
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
        const int error = call.find(Use::ended) != nullptr ? GIRIH_ERROR_MESSAGE : GIRIH_ERROR_ALGORITHM;
        expect(call, error, "another kind of algorithm");
        for (const Region& region : call.regions) {
            if (region.role.lengths != Lengths::exact) continue;
            Call shorter{subject, function};
            shorter.words[region.word + 1] = region.size - 1;
            expect(shorter, error, "and another length");
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

TEST(Wiping, ZeroesTheBytesOfTheCallAndNoOther)
{
    ByteString memory(300, 0xAA);
    girih_wipe(memory.data() + 10, 200);
    for (std::size_t i = 0; i < memory.size(); ++i) EXPECT_EQ(memory[i], i < 10 || i >= 210 ? 0xAA : 0) << i;
}

// ---- Prepared keys on the heap

TEST(HeapKeys, AreThoseInMemoryOfTheCaller)
{
    for (const girih_alg* const alg : representatives()) {
        const Subject subject{alg};
        girih_signing_key* signing = nullptr;
        girih_verifying_key* verifying = nullptr;
        girih_encapsulation_key* encapsulation = nullptr;
        girih_decapsulation_key* decapsulation = nullptr;
        const auto expect_new = [&](Content content, Content from, auto make, auto& key) {
            if (!subject.has(content)) return;
            ASSERT_EQ(call(make, alg, subject.bytes(from), &key), GIRIH_OK);
            const Block memory{subject.size(content)};
            subject.put(content, memory.data());
            EXPECT_EQ(subject.seen(content, reinterpret_cast<Byte*>(key), 0),
                      subject.seen(content, memory.data(), 0));
        };
        expect_new(Content::signing_key, Content::secret_key, girih_prepare_signing_key_new, signing);
        expect_new(Content::verifying_key, Content::public_key, girih_prepare_verifying_key_new, verifying);
        expect_new(Content::encapsulation_key, Content::public_key, girih_prepare_encapsulation_key_new,
                   encapsulation);
        expect_new(Content::decapsulation_key, Content::secret_key, girih_prepare_decapsulation_key_new,
                   decapsulation);
        girih_prepare_signing_key_free(signing);
        girih_prepare_verifying_key_free(verifying);
        girih_prepare_encapsulation_key_free(encapsulation);
        girih_prepare_decapsulation_key_free(decapsulation);
    }
}

// ---- Rows

class Rows : public Functions {
  public:
    /// Calls f(function) for batches.
    template <class F>
    void for_each_batch(F f) const
    {
        for_each_function([&](const Function& function) {
            if (function.batch != nullptr) f(function);
        });
    }

    /// A row is refused if a region lies anywhere in it.
    void expect_none_in_row(const Function& function, const Region& region, bool is_refused) const
    {
        const std::size_t row_bytes = function.batch->row_bytes;
        std::vector<std::max_align_t> memory(2 + (region.size + 2 * row_bytes) / sizeof(std::max_align_t));
        auto* const rows = reinterpret_cast<Byte*>(memory.data());
        const girih_alg* const alg = is_refused ? nullptr : subject.alg;
        const int error = is_refused ? GIRIH_ERROR_ARGUMENT : GIRIH_ERROR_OVERLAP;
        for (const std::ptrdiff_t place :
             {std::ptrdiff_t{0}, std::ptrdiff_t{8}, static_cast<std::ptrdiff_t>(row_bytes) - 1,
              1 - static_cast<std::ptrdiff_t>(region.size)}) {
            Call call{subject, function};
            call.words[region.word] = rows + place;
            function.batch->put(rows, call.words);
            const ByteString before(rows, rows + row_bytes - 2 * sizeof(std::size_t));
            call.settle();
            EXPECT_EQ(function.batch->run(alg, rows, 1), error);
            EXPECT_EQ(call.result = function.batch->result(rows, call.words), error);
            EXPECT_TRUE(std::ranges::equal(before, BytesIn<>{rows, before.size()}));
            if (!is_refused) {
                EXPECT_EQ(call.broken_promise(), "");
            }
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Of, Rows, testing::ValuesIn(representatives()), Functions::name);

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

/// Outputs in the array of rows are refused; the rows are unchanged, except for the result.
TEST_P(Rows, HaveNoOutputsInTheRows)
{
    for_each_batch([&](const Function& function) {
        for (const bool is_refused : {false, true})
            for (const Region& region : Call{subject, function}.regions)
                if (region.is_output() && region.role.content != Content::length)
                    expect_none_in_row(function, region, is_refused);
    });
}

/// The algorithms whose prepared keys are passed to other algorithms.
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
                expect(call, GIRIH_ERROR_ALGORITHM, other.name());
            }
        }
    });
}

TEST(ErrorText, OfAnEngineIsItsOwnWhereOneRuns)
{
    ASSERT_NE(girih_engine(), nullptr);
    EXPECT_NE(girih_error_text(GIRIH_ERROR_ENGINE), nullptr);
    EXPECT_NE(girih_error_text(GIRIH_ERROR_ENGINE), girih_engine_reason());
}

// ---- Without an engine

/// Runs in its own process, since an engine is chosen only once. 0 if all is right.
int first_wrong()
{
    set_variable("GIRIH_ISA", "no such engine");
    if (girih_engine() != nullptr || girih_engine_reason() == nullptr) return 1;
    const std::string_view reason = girih_engine_reason();
    if (girih_error_text(GIRIH_ERROR_ENGINE) != reason || girih_error_text(GIRIH_ERROR_LENGTH) == reason)
        return 4;
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
            for (const girih_random& bad : bad_sources) {  // which are never called
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
