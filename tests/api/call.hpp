/// A call of a function of girih.h with valid arguments in separate memory: a test breaks one,
/// makes the call, and checks what girih.h promises for every function.
#pragma once

#include <girih/girih.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "api/functions.hpp"
#include "api/subject.hpp"
#include "support/bytes.hpp"

namespace girih::test {

/// A region that the options of a call point to, not one of its words.
inline constexpr std::size_t in_options = ~std::size_t{0};

/// The memory behind a pointer of the call, or behind one of its options.
struct Region {
    Role role;
    std::size_t word;  ///< the pointer's place among the words
    std::size_t size;
    Byte* place = nullptr;
    std::size_t block = 0;

    [[nodiscard]] bool has_length() const { return role.lengths != Lengths::none; }
    [[nodiscard]] bool is_output() const { return role.use == Use::output || role.use == Use::memory; }
    [[nodiscard]] bool is_message() const { return role.use == Use::ended || role.use == Use::continued; }
};

/// A region's new place: its distance from the beginning of an output of the call.
struct Move {
    std::size_t region;
    std::size_t output;
    std::ptrdiff_t distance;
};

/// Memory of one region, or of two that overlap. It has one byte more, so that a length too large
/// by one does not overflow.
class Block {
  public:
    explicit Block(std::size_t bytes) : bytes_(bytes + 1), memory_(new(alignment) Byte[bytes_])
    {
        std::fill_n(memory_.get(), bytes_, Byte{0xEE});
    }
    [[nodiscard]] Byte* data() const { return memory_.get(); }
    [[nodiscard]] ByteString copy() const { return {data(), data() + bytes_}; }

  private:
    static constexpr std::align_val_t alignment{GIRIH_PREPARED_ALIGNMENT};
    struct Free {
        void operator()(Byte* memory) const { ::operator delete[](memory, alignment); }
    };
    std::size_t bytes_;
    std::unique_ptr<Byte[], Free> memory_;
};

class Call {
  public:
    std::vector<Word> words;
    std::vector<Region> regions;
    std::size_t algorithm_word = in_options;  ///< if it takes an algorithm
    int result = GIRIH_OK;

    Call(const Subject& subject, const Function& function, const std::vector<Move>& moves = {})
        : subject_(&subject), function_(&function)
    {
        for (const Role& role : function.roles) add(role);
        for (const Move& move : moves) join(regions[move.region], regions[move.output], move.distance);
        for (Region& region : regions)
            if (region.place == nullptr) give_block(region, region.size);
        // Structures of the call come last, and overwrite plain inputs in the same place.
        for (const bool is_plain : {true, false})
            for (const Region& region : regions)
                if (!region.is_output() && (region.role.use == Use::input) == is_plain)
                    subject.put(region.role.content, region.place);
        for (const Region& region : regions)
            if (region.word != in_options) words[region.word] = region.place;
        point_options();
    }

    [[nodiscard]] const Subject& subject() const { return *subject_; }
    [[nodiscard]] const Function& function() const { return *function_; }

    /// The first region with this use; null if there is none.
    [[nodiscard]] const Region* find(Use use) const
    {
        const auto found =
            std::ranges::find(regions, use, [](const Region& region) { return region.role.use; });
        return found == regions.end() ? nullptr : &*found;
    }
    /// Whether the length is a member of a row.
    [[nodiscard]] bool is_in_row(const Region& region) const
    {
        return function_->batch != nullptr && region.role.content == Content::length;
    }
    [[nodiscard]] girih_options& options() const
    {
        return *reinterpret_cast<girih_options*>(find(Use::options)->place);
    }
    [[nodiscard]] girih_random& random() const
    {
        return *reinterpret_cast<girih_random*>(find(Use::source)->place);
    }

    int make()
    {
        settle();
        return result = function_->call(words);
    }
    /// Everything is as the call has to find it.
    void settle()
    {
        before_.clear();
        for (const Block& block : blocks_) before_.push_back(block.copy());
        subject_->asked = 0;
    }

    /// A promise that girih.h makes for every call and that this one broke; empty if it kept all.
    [[nodiscard]] std::string broken_promise() const
    {
        if (result > 0 || result < GIRIH_ERROR_CAPACITY) return "the result is no error";
        std::vector<ByteString> allowed = before_;
        for (const Region& region : regions)
            if (region.is_message()) allow_message(region, allowed);
        for (const Region& region : regions)
            if (region.is_output()) allow_output(region, allowed);
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            if (blocks_[i].copy() != allowed[i])
                return "memory of " + parameters_in(i) + " is not as it has to be";
        return result == GIRIH_OK ? wrong_length() : "";
    }

    /// The outputs of a successful call that are worth comparing.
    [[nodiscard]] std::vector<ByteString> made() const
    {
        std::vector<ByteString> all;
        for (const Region& region : regions)
            if (region.is_output())
                all.push_back(subject_->seen(region.role.content, region.place, region.size));
        return all;
    }

  private:
    void add(const Role& role)
    {
        const std::size_t word = words.size();
        const bool is_pair = role.parameters.find(',') != role.parameters.npos;
        words.resize(word + (is_pair ? 2 : 1));
        if (role.use == Use::algorithm) words[algorithm_word = word] = subject_->alg;
        if (role.use == Use::algorithm || role.use == Use::absent) return;
        const bool is_output = role.use == Use::output || role.use == Use::memory;
        const std::size_t size = is_output ? subject_->room(role.content) : subject_->size(role.content);
        regions.push_back({role, word, size});
        if (is_pair) words[word + 1] = size;
        if (role.use != Use::options || !subject_->has_frame(role.content)) return;
        for (const Content content : {Content::context, Content::pre_hash})
            regions.push_back({{"options", Use::input, content}, in_options, subject_->size(content)});
    }

    void give_block(Region& region, std::size_t bytes)
    {
        region.block = blocks_.size();
        region.place = blocks_.emplace_back(bytes).data();
    }

    void join(Region& region, Region& output, std::ptrdiff_t distance)
    {
        constexpr std::ptrdiff_t line = GIRIH_PREPARED_ALIGNMENT;
        const std::ptrdiff_t first = (std::max<std::ptrdiff_t>(0, -distance) + line - 1) / line * line;
        give_block(output, std::max(static_cast<std::size_t>(first) + output.size,
                                    static_cast<std::size_t>(first + distance) + region.size));
        output.place += first;
        region.block = output.block;
        region.place = output.place + distance;
    }

    void point_options()
    {
        for (const Region& region : regions) {
            if (region.word != in_options) continue;
            if (region.role.content == Content::context) {
                options().context = region.place;
                options().context_bytes = region.size;
            }
            if (region.role.content == Content::pre_hash)
                options().pre_hash = reinterpret_cast<const char*>(region.place);
        }
    }

    [[nodiscard]] std::size_t given_size(const Region& region) const
    {
        return region.has_length() ? std::size_t{words[region.word + 1]} : region.size;
    }
    /// Whether the pointer of the call still leads to the region.
    [[nodiscard]] bool is_given(const Region& region) const
    {
        return static_cast<const Byte*>(words[region.word]) == region.place;
    }
    void allow(const Region& region, std::size_t size, bool has_zeros, std::vector<ByteString>& allowed) const
    {
        const auto first = allowed[region.block].begin() + (region.place - blocks_[region.block].data());
        const auto bytes = std::min(static_cast<std::ptrdiff_t>(size), allowed[region.block].end() - first);
        if (has_zeros)
            std::fill_n(first, bytes, Byte{0});
        else
            std::copy_n(region.place, bytes, first);
    }

    void allow_output(const Region& region, std::vector<ByteString>& allowed) const
    {
        if (result == GIRIH_ERROR_OVERLAP || !is_given(region)) return;
        const bool may_stay = region.role.use == Use::memory && !is_zero({region.place, region.size});
        if (result == GIRIH_OK || !may_stay) allow(region, given_size(region), result != GIRIH_OK, allowed);
    }
    void allow_message(const Region& region, std::vector<ByteString>& allowed) const
    {
        const bool goes_on = region.role.use == Use::continued;
        if (result == GIRIH_ERROR_OVERLAP || !is_given(region) || (goes_on && result != GIRIH_OK)) return;
        if (goes_on || result == GIRIH_OK || is_zero({region.place, region.size}))
            allow(region, region.size, !goes_on, allowed);
    }

    /// A returned length is at most the capacity, and zeros follow it.
    [[nodiscard]] std::string wrong_length() const
    {
        for (std::size_t i = 1; i < regions.size(); ++i) {
            if (!is_length(regions[i].role.content) || !is_given(regions[i])) continue;
            const Region& output = regions[i - 1];
            const std::size_t length = *reinterpret_cast<const std::size_t*>(regions[i].place);
            const std::size_t capacity = given_size(output);
            if (length > capacity) return "a length is more than there is room for";
            if (!is_zero({output.place + length, capacity - length}))
                return "there are no zeros behind the length";
        }
        return "";
    }

    [[nodiscard]] std::string parameters_in(std::size_t block) const
    {
        std::string all;
        for (const Region& region : regions)
            if (region.block == block)
                all += std::string(all.empty() ? "" : " and ") + std::string(region.role.parameters);
        return all;
    }

    const Subject* subject_;
    const Function* function_;
    std::vector<Block> blocks_;
    std::vector<ByteString> before_;
};

/// Makes all calls, or one batch with them as rows: the first error, or GIRIH_OK.
inline int make_all(const Function& function, std::vector<Call>& calls)
{
    int first = GIRIH_OK;
    if (function.batch == nullptr) {
        for (Call& call : calls)
            if (const int error = call.make(); first == GIRIH_OK) first = error;
        return first;
    }
    const std::size_t row_bytes = function.batch->row_bytes;
    std::vector<std::max_align_t> memory(calls.size() * row_bytes / sizeof(std::max_align_t) + 1);
    auto* const rows = reinterpret_cast<Byte*>(memory.data());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        calls[i].settle();
        function.batch->put(rows + i * row_bytes, calls[i].words);
    }
    first = function.batch->run(calls[0].words[0], rows, calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i)
        calls[i].result = function.batch->result(rows + i * row_bytes, calls[i].words);
    return first;
}

}  // namespace girih::test
