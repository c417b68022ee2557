/// Many short sponges at once: every lane of the permutation works for a sponge of its own, and takes up the next
/// one as soon as its consumer has enough.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <utility>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"

namespace girih::keccak {

/// A sponge with an input of less than one block, and what becomes of its output.
template <class Job>
concept SqueezeJob = requires(Job job, BytesIn<Job::function.rate> block) {
    { Job::function } -> std::convertible_to<Function>;
    { job.input() } -> std::convertible_to<BytesIn<>>;  // shorter than the rate
    { job.take(block) } -> std::same_as<bool>;          // true: that was enough
};

/// The jobs make_job(0), make_job(1), ..., each built in its place.
template <std::size_t count, class MakeJob>
[[nodiscard]] constexpr auto make_jobs(MakeJob make_job)
{
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return std::array{make_job(i)...};
    }(std::make_index_sequence<count>{});
}

/// Runs every job to its end.
///
/// Constant time up to the answers of `take`.
template <class Isa, SqueezeJob Job, std::size_t count>
constexpr void squeeze_each(std::array<Job, count>& jobs) noexcept
{
    constexpr std::size_t lanes = Isa::keccak_lanes;
    constexpr Function function = Job::function;
    State<Isa> state{};
    std::array<Job*, lanes> working{};
    std::size_t next = 0;

    const auto start_next = [&](std::size_t lane) {
        working[lane] = next < jobs.size() ? &jobs[next++] : nullptr;
        if (working[lane] == nullptr) return;
        std::array<Byte, function.rate> block{};
        const BytesIn<> input = working[lane]->input();
        copy(input, block);
        block[input.size()] = function.suffix;
        block[function.rate - 1] |= 0x80;
        for (std::size_t i = 0; i < words; ++i)
            Isa::set_lane(state[i], lane, i < function.rate / 8 ? load_le64(&block[8 * i]) : 0);
        wipe(block);
    };

    for (std::size_t lane = 0; lane < lanes; ++lane) start_next(lane);
    // Jobs are handed out in order, so while any job is at work or waiting, some lane is busy.
    for (std::size_t finished = 0; finished < jobs.size();) {
        permute<Isa>(state);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            if (working[lane] == nullptr) continue;
            std::array<Byte, function.rate> block;
            for (std::size_t i = 0; i < function.rate / 8; ++i)
                store_le64(&block[8 * i], Isa::lane(state[i], lane));
            if (working[lane]->take(block)) {
                ++finished;
                start_next(lane);
            }
            wipe(block);
        }
    }
    wipe(state);
}

}  // namespace girih::keccak
