/// The keys of a batch: equal ones are found, those of several rows prepared, secret ones checked.
#pragma once

#include <girih/batch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "keys.hpp"

namespace girih::python {

constexpr std::size_t max_public_key_bytes = 4096;

/// A hash of public keys without predictable collisions: sums of products of 32-bit words and
/// random ones, which collide with a probability of 2^-32 for any pair of keys.
class KeyHash {
  public:
    KeyHash()
    {
        std::random_device source;
        for (auto& word : random_) word = source();
    }

    [[nodiscard]] std::uint64_t operator()(std::span<const std::uint8_t> key) const noexcept
    {
        std::uint64_t sum = key.size();
        const std::size_t words = std::min(key.size() / 4, random_.size() - 2) & ~std::size_t{1};
        for (std::size_t i = 0; i < words; i += 2) {
            std::array<std::uint32_t, 2> pair;
            std::memcpy(pair.data(), key.data() + 4 * i, sizeof pair);
            sum += std::uint64_t{pair[0] + random_[i]} * (pair[1] + random_[i + 1]);
        }
        std::array<std::uint32_t, 2> rest{};
        std::memcpy(rest.data(), key.data() + 4 * words, std::min(key.size() - 4 * words, sizeof rest));
        sum += std::uint64_t{rest[0] + random_[words]} * (rest[1] + random_[words + 1]);
        return sum ^ (sum >> 32);
    }

  private:
    std::array<std::uint32_t, max_public_key_bytes / 4> random_{};
};

/// Runs work(i) for i below count on several threads, this one included.
template <class Work>
void on_threads(std::size_t count, unsigned threads, const Work& work)
{
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++) work(i);
    };
    girih::detail::Threads others;
    girih::detail::start(others, std::clamp<std::size_t>(count, 1, threads) - 1, run);
    run();
}

/// The key of a row, if prepared in Python and of this algorithm and kind.
template <class PythonKey>
const PythonKey* given(const girih_alg* alg, Cell& cell)
{
    if (cell.prepared == nullptr) return nullptr;
    const auto* key =
        *cell.type == typeid(PythonKey) ? static_cast<const PythonKey*>(cell.prepared) : nullptr;
    if (key == nullptr || key->alg != alg) {
        cell.code = GIRIH_ERROR_ALGORITHM;
        return nullptr;
    }
    return key;
}

/// Checks the secret keys of a batch that came as bytes, once if rows share them.
class KeyChecks {
  public:
    KeyChecks(const girih_alg* alg, unsigned threads)
        : alg_(alg), key_bytes_(girih_secret_key_bytes(alg)), threads_(threads)
    {
    }

    /// Writes the codes of a window's keys.
    void check(std::span<Cell> keys)
    {
        const auto is_raw = [&](const Cell& key) {
            return key.code == GIRIH_OK && key.prepared == nullptr && !key.checked && key.size == key_bytes_;
        };
        std::vector<std::pair<const std::uint8_t*, int*>> unknown;
        for (const Cell& key : keys)
            if (is_raw(key))
                if (const auto [place, is_new] = codes_.try_emplace(key.data, GIRIH_OK); is_new)
                    unknown.emplace_back(key.data, &place->second);
        on_threads(unknown.size(), threads_, [&](std::size_t i) {
            std::array<std::uint8_t, max_public_key_bytes> public_key;
            const auto [data, code] = unknown[i];
            *code = girih_public_key(alg_, data, key_bytes_, public_key.data(), girih_public_key_bytes(alg_));
        });
        for (Cell& key : keys)
            if (is_raw(key)) key.code = codes_.at(key.data);
    }

  private:
    const girih_alg* alg_;
    std::size_t key_bytes_;
    unsigned threads_;
    std::unordered_map<const std::uint8_t*, int> codes_;  ///< by the places of the keys
};

/// The prepared keys of a batch, which is processed in windows. Public keys are compared by their
/// bytes, secret keys by their addresses, so that no search depends on a secret.
template <class Prepared>
class KeyTable {
  public:
    KeyTable(const girih_alg* alg, std::size_t prepared_bytes, bool public_keys, unsigned threads)
        : alg_(alg),
          max_keys_(prepared_bytes != 0 ? std::max<std::size_t>(memory / prepared_bytes, 1) : 0),
          public_(public_keys),
          threads_(threads)
    {
    }

    /// Finds the prepared keys of a window's rows; null for rows that use their key's bytes.
    void find(std::span<const Cell> keys, std::size_t wanted_bytes, std::span<const Prepared*> out)
    {
        ++window_;
        places_.clear();
        seen_.clear();
        uses_.clear();
        slots_.resize(keys.size());
        const std::uint8_t* last = nullptr;
        std::size_t slot = none;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            out[i] = nullptr;
            slots_[i] = none;
            if (keys[i].code != GIRIH_OK || keys[i].prepared != nullptr || keys[i].size != wanted_bytes ||
                max_keys_ == 0)
                continue;
            if (keys[i].data != last) {
                last = keys[i].data;
                slot = slot_of({last, wanted_bytes});
            }
            slots_[i] = slot;
            ++uses_[slot].rows;
        }
        prepare();
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (slots_[i] != none && uses_[slots_[i]].entry != nullptr)
                out[i] = uses_[slots_[i]].entry->key.get();
    }

  private:
    static constexpr std::size_t memory = std::size_t{128} << 20;  ///< the limit for prepared keys
    static constexpr std::size_t none = ~std::size_t{0};

    struct Entry {
        std::unique_ptr<Prepared> key;
        key_files::Bytes bytes;  ///< of a public key, for comparison
        std::uint64_t window = 0;
    };
    /// A key of this window.
    struct Use {
        BytesIn key;
        std::uint64_t hash;
        std::size_t rows = 0;
        Entry* entry = nullptr;
    };

    std::size_t slot_of(BytesIn key)
    {
        const auto [place, is_new] = places_.try_emplace(key.data(), none);
        if (!is_new) return place->second;
        const std::uint64_t hash =
            public_ ? hash_(key) : static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(key.data()));
        if (public_) {
            const auto [begin, end] = seen_.equal_range(hash);
            for (auto known = begin; known != end; ++known)
                if (same(uses_[known->second].key, key)) return place->second = known->second;
            seen_.emplace(hash, uses_.size());
        }
        uses_.push_back({key, hash, 0, entry_of(key, hash)});
        return place->second = uses_.size() - 1;
    }

    [[nodiscard]] static bool same(BytesIn a, BytesIn b) noexcept
    {
        return std::memcmp(a.data(), b.data(), b.size()) == 0;
    }

    Entry* entry_of(BytesIn key, std::uint64_t hash)
    {
        const auto [begin, end] = entries_.equal_range(hash);
        for (auto known = begin; known != end; ++known) {
            if (public_ && !same(known->second.bytes, key)) continue;
            known->second.window = window_;
            return &known->second;
        }
        return nullptr;
    }

    /// Prepares the keys of more than one row.
    void prepare()
    {
        std::vector<Use*> wanted;
        for (Use& use : uses_)
            if (use.rows > 1 && use.entry == nullptr) wanted.push_back(&use);
        if (wanted.empty()) return;
        if (entries_.size() + wanted.size() > max_keys_)
            std::erase_if(entries_, [&](const auto& known) { return known.second.window != window_; });
        // Keys with the most rows come first.
        std::ranges::sort(wanted, std::ranges::greater{}, &Use::rows);
        wanted.resize(std::min(wanted.size(), max_keys_ - std::min(max_keys_, entries_.size())));
        for (Use* use : wanted) {
            const auto made = entries_.emplace(use->hash, Entry{nullptr, {}, window_});
            if (public_) made->second.bytes.assign(use->key.begin(), use->key.end());
            use->entry = &made->second;
        }
        on_threads(wanted.size(), threads_, [&](std::size_t i) {
            try {
                wanted[i]->entry->key = std::make_unique<Prepared>(alg_, wanted[i]->key);
            } catch (const std::exception&) {
                // Malformed: each of its rows reports the error.
            }
        });
    }

    const girih_alg* alg_;
    std::size_t max_keys_;  ///< the maximum of prepared keys
    bool public_;
    unsigned threads_;
    KeyHash hash_;
    std::uint64_t window_ = 0;
    std::unordered_map<const std::uint8_t*, std::size_t> places_;  ///< of the window
    std::unordered_multimap<std::uint64_t, std::size_t> seen_;     ///< of the window, by hash
    std::vector<Use> uses_;                                        ///< of the window
    std::vector<std::size_t> slots_;                               ///< each row's use
    std::unordered_multimap<std::uint64_t, Entry> entries_;        ///< of the batch
};

}  // namespace girih::python
