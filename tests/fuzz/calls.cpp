/// Sequences of calls, of any functions with any algorithms: buffers that lie in each other, other
/// lengths, pointers that are missing, keys and messages in any state. However a call ends, it
/// keeps what girih.h promises for every call.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "api/call.hpp"
#include "fuzz/fuzz.hpp"

namespace girih::fuzz {
namespace {

using test::Call;
using test::Content;
using test::Function;
using test::Move;
using test::Region;
using test::Subject;
using test::Use;

/// One of every scheme that takes little time, and two that verify only.
const Subject& subject(std::size_t number)
{
    static const std::vector<std::unique_ptr<Subject>> all = [] {
        std::vector<std::unique_ptr<Subject>> made;
        for (const girih_alg* const alg :
             {girih_ml_dsa_44(), girih_dilithium2(), girih_falcon_512(), girih_falcon_padded_512(),
              girih_ml_kem_512(), girih_sntrup653(), girih_ntrulpr653(), girih_ml_dsa_44_verifying(),
              girih_falcon_512_verifying()})
            made.push_back(std::make_unique<Subject>(alg));
        return made;
    }();
    return *all[number % all.size()];
}

/// Whether the call can be made at all with this algorithm: it has such keys and messages.
bool can_stand(const Subject& on, const Function& function)
{
    return std::ranges::all_of(function.roles, [&](const test::Role& role) {
        const bool is_made = role.use == Use::output || role.use == Use::memory;
        return is_made || on.has(role.content);
    });
}

/// An input, or another output, in an output of the call.
std::vector<Move> moves(const Call& call, Input& input)
{
    std::vector<Move> moves;
    std::vector<bool> is_moved(call.regions.size(), false);
    for (std::size_t count = input.byte() % 3; count > 0; --count) {
        const std::size_t i = input.byte() % call.regions.size();
        const std::size_t j = input.byte() % call.regions.size();
        const auto step =
            static_cast<std::ptrdiff_t>(std::max(test::alignment_of(call.regions[i].role.content),
                                                 test::alignment_of(call.regions[j].role.content)));
        const auto reach = static_cast<std::ptrdiff_t>(call.regions[i].size + call.regions[j].size);
        if (reach == 0) continue;
        const auto distance = (static_cast<std::ptrdiff_t>(input.number()) % reach -
                               static_cast<std::ptrdiff_t>(call.regions[i].size)) /
                              step * step;
        if (i == j || is_moved[i] || is_moved[j] || !call.regions[j].is_output()) continue;
        if (call.is_in_row(call.regions[i]) || call.is_in_row(call.regions[j])) continue;
        moves.push_back({i, j, distance});
        is_moved[i] = is_moved[j] = true;
    }
    return moves;
}

/// A length that is less, or too large by one; there is memory for no more.
void change_length(Call& call, const Region& region, Input& input)
{
    if (region.has_length()) call.words[region.word + 1] = input.number() % (region.size + 2);
}

/// A message in another state, or a byte of an input changed.
void change_content(Call& call, const Region& region, Input& input)
{
    constexpr std::array states{Content::begun_for_mu, Content::begun_to_sign, Content::begun_to_verify};
    if (region.is_message()) {
        const Content state = states[input.byte() % states.size()];
        std::fill_n(region.place, region.size, Byte{0});
        if (call.subject().has(state)) call.subject().put(state, region.place);
    } else if (region.role.use == Use::input && region.size != 0) {
        const std::size_t end = region.size - std::size_t{region.role.content == Content::pre_hash};  // its 0
        region.place[input.number() % end] ^= static_cast<Byte>(1U << input.byte() % 8);
    }
}

int fail(void*, std::uint8_t*, std::size_t) { return 1; }
constexpr girih_random failing{fail, nullptr, 0};

void change_options(Call& call, Input& input)
{
    if (call.find(Use::source) != nullptr) call.random() = failing;
    if (call.find(Use::options) == nullptr) return;
    girih_options& options = call.options();
    const Byte what = input.byte();
    if ((what & 1) != 0) options.deterministic = 1;
    if ((what & 2) != 0) options.verify_after_sign = 1;
    if ((what & 4) != 0) options.random = &failing;
    if ((what & 8) != 0) options.pre_hash = nullptr;
    if ((what & 16) != 0) options.context_bytes = input.byte() % 101;
    if ((what & 32) != 0) options.reserved[input.byte() % 2] = input.byte();
    if (options.context == nullptr) options.context_bytes = (what & 64) != 0 ? 1 : 0;
}

void spoil(Call& call, Input& input)
{
    const Region& region = call.regions[input.byte() % call.regions.size()];
    switch (input.byte() % 6) {
        case 0:
            if (region.word != test::in_options) call.words[region.word] = nullptr;
            return;
        case 1:
            return change_length(call, region, input);
        case 2:
            return change_content(call, region, input);
        case 3:
            return change_options(call, input);
        case 4:
            if (call.algorithm_word != test::in_options)
                call.words[call.algorithm_word] = subject(input.byte()).alg;
            return;
        default:
            return;
    }
}

}  // namespace

void check_input(Input input)
{
    for (int calls = 0; calls < 9 && !input.empty(); ++calls) {
        const Function& function = test::functions[input.byte() % test::functions.size()];
        const Subject& on = subject(input.byte());
        if (!can_stand(on, function)) continue;
        const Call plain{on, function};
        if (plain.regions.empty()) continue;  // nothing can be wrong but null
        const std::vector<Move> moved = moves(plain, input);
        Call call{on, function, moved};
        for (std::size_t count = input.byte() % 3; count > 0; --count) spoil(call, input);
        call.make();
        // A batch that is refused as a whole leaves outputs of its rows that overlap as they are.
        const bool is_refused = call.result == GIRIH_ERROR_ARGUMENT || call.result == GIRIH_ERROR_ALGORITHM;
        if (function.batch != nullptr && !moved.empty() && is_refused) continue;
        const std::string broken = call.broken_promise();
        if (!broken.empty()) std::fprintf(stderr, "%s of %s\n", function.name.data(), on.name().c_str());
        require(broken.empty(), broken.c_str());
        require(call.result != GIRIH_ERROR_ENGINE, "an engine runs");
    }
}

}  // namespace girih::fuzz
