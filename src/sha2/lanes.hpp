/// SHA-512 (FIPS 180-4) of several messages side by side, one in each 64-bit lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "isa/isa.hpp"
#include "sha2/lane_sigma.hpp"
#include "sha2/paired_blocks.hpp"
#include "sha2/paired_messages.hpp"
#include "sha2/sha2.hpp"

namespace girih::sha2 {

/// A padded message, in whole blocks, and its digest.
struct Sha512Chain {
    const Byte* next_block = nullptr;
    std::size_t blocks_left = 0;
    State<std::uint64_t> state = sha512.initial;
};

/// Constant time in the content of messages. Wiped.
template <class Lanes>
class Sha512Lanes {
  public:
    using Words = typename Lanes::Words;
    static constexpr std::size_t count = Lanes::count;

    /// Compresses `blocks` blocks of each chain. Every chain has that many left; there are no more
    /// chains than lanes.
    static void compress(std::span<Sha512Chain* const> chains, std::size_t blocks) noexcept
    {
        if constexpr (isa::CompressesSha512<Lanes>) {
            if (blocks == 0) return;
            Lanes::compress_sha512(chains[0]->state.data(), chains[0]->next_block, blocks,
                                   round_constants<std::uint64_t>.data());
        } else if constexpr (isa::MayHaveSha512<Lanes>) {
            if (Lanes::Sha512Instructions::are_here())
                Lanes::Sha512Instructions::compress(chains[0]->state.data(), chains[0]->next_block, blocks,
                                                    round_constants<std::uint64_t>.data());
            else
                compress_rows(chains, blocks);
        } else if constexpr (isa::PairsSchedules<Lanes>) {
            PairedBlocks<typename Lanes::ScheduleWords>::compress(chains[0]->state, chains[0]->next_block,
                                                                  blocks);
        } else if constexpr (isa::PairsMessages<Lanes>) {
            PairedMessages<Lanes>::compress(chains[0]->state, chains[0]->next_block, chains[1]->state,
                                            chains[1]->next_block, blocks);
        } else {
            compress_rows(chains, blocks);
        }
        for (Sha512Chain* const chain : chains) {
            chain->next_block += blocks * block_bytes<std::uint64_t>;
            chain->blocks_left -= blocks;
        }
    }

  private:
    using Row = std::array<std::uint64_t, count>;
    using Mix = LaneSigma<Lanes>;

    static void compress_rows(std::span<Sha512Chain* const> chains, std::size_t blocks) noexcept
    {
        Wiped<std::array<std::array<std::uint64_t, count>, 8>> rows;
        for (std::size_t i = 0; i < chains.size(); ++i)
            for (std::size_t j = 0; j < 8; ++j) (*rows)[j][i] = chains[i]->state[j];
        Wiped<std::array<Words, 8>> state;
        for (std::size_t j = 0; j < 8; ++j) (*state)[j] = load((*rows)[j]);
        for (std::size_t block = 0; block < blocks; ++block) compress_block(chains, block, *state);
        for (std::size_t j = 0; j < 8; ++j) store((*rows)[j], (*state)[j]);
        for (std::size_t i = 0; i < chains.size(); ++i) {
            for (std::size_t j = 0; j < 8; ++j) chains[i]->state[j] = (*rows)[j][i];
        }
    }

    [[nodiscard]] static Words load(const Row& row) noexcept
    {
        Words words;
        std::memcpy(&words, row.data(), sizeof words);
        return words;
    }
    static void store(Row& row, Words words) noexcept { std::memcpy(row.data(), &words, sizeof words); }

    static void compress_block(std::span<Sha512Chain* const> chains, std::size_t block,
                               std::array<Words, 8>& state) noexcept
    {
        Wiped<std::array<Row, 16>> message;
        for (std::size_t i = 0; i < chains.size(); ++i) {
            const Byte* const bytes = chains[i]->next_block + block * block_bytes<std::uint64_t>;
            for (std::size_t t = 0; t < 16; ++t) (*message)[t][i] = load_be64(bytes + 8 * t);
        }
        std::array<Words, 16> w;
        for (std::size_t t = 0; t < 16; ++t) w[t] = load((*message)[t]);
        std::array<Words, 8> v = state;
        constexpr auto sixteen = std::make_index_sequence<16>{};
        first_rounds(v, w, sixteen);
        for (std::size_t t = 16; t < round_constants<std::uint64_t>.size(); t += 16)
            next_rounds(v, w, &round_constants<std::uint64_t>[t], sixteen);
        for (std::size_t j = 0; j < 8; ++j) state[j] += v[j];
    }

    template <std::size_t... t>
    [[gnu::always_inline]] static void first_rounds(std::array<Words, 8>& v, std::array<Words, 16>& w,
                                                    std::index_sequence<t...>) noexcept
    {
        (round<Mix, t>(v, w[t] + Lanes::broadcast(round_constants<std::uint64_t>[t])), ...);
    }
    template <std::size_t... t>
    [[gnu::always_inline]] static void next_rounds(std::array<Words, 8>& v, std::array<Words, 16>& w,
                                                   const std::uint64_t* k, std::index_sequence<t...>) noexcept
    {
        (round<Mix, t>(v, extend<Mix, t>(w) + Lanes::broadcast(k[t])), ...);
    }
};

}  // namespace girih::sha2
