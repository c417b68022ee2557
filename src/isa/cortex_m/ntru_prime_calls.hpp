/// Steps of NTRU Prime in assembly, which an engine has for an ARMv7E-M. What each does is written
/// in C++ where it is called.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/cortex_m/three_layers.hpp"

#if defined(__ARM_ARCH_7EM__)
extern "C" {
// In aes.S.
void girih_cortex_m_aes_rounds(std::uint32_t* state, const std::uint32_t* keys,
                               const std::uint32_t* last_keys);
void girih_cortex_m_aes_substitute(std::uint32_t* state);
// In aes_table.S.
void girih_cortex_m_aes_vartime(std::uint8_t* block, const std::uint32_t* keys, const std::uint32_t* table,
                                const std::uint32_t* last_keys);
// In block_products.S.
void girih_cortex_m_multiply_blocks(std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
                                    const std::int32_t* end, std::int32_t prime, std::uint32_t inverse);
// In byte_products.S.
void girih_cortex_m_multiply_bytes(std::uint32_t* product, const std::uint32_t* a, const std::uint32_t* b);
void girih_cortex_m_add_bytes(std::uint32_t* sum, const std::uint32_t* a, const std::uint32_t* b,
                              const std::uint32_t* end);
void girih_cortex_m_join_products(std::uint32_t* product, const std::uint32_t* middle, std::size_t half);
// In part_six.S.
void girih_cortex_m_part_six_8(std::int32_t* values, const std::int8_t* coefficients, const void* twiddles,
                               const std::int8_t* end, std::int32_t prime);
void girih_cortex_m_part_six_16(std::int32_t* values, const std::int16_t* coefficients, const void* twiddles,
                                const std::int16_t* end, std::int32_t prime);
void girih_cortex_m_join_six(std::int32_t* values, const void* twiddles, const std::int32_t* end,
                             std::int32_t prime);
void girih_cortex_m_fold_product(std::int16_t* folded, const std::int32_t* low, const std::int32_t* high,
                                 const std::int32_t* end, std::int32_t q, std::int32_t share);
// In sort.S: distances and strides are in bytes.
void girih_cortex_m_compare_fours_3(void* own, void* elements, std::size_t distance, std::size_t end,
                                    std::size_t count, std::size_t stride);
void girih_cortex_m_compare_fours_5(void* own, void* elements, std::size_t distance, std::size_t end,
                                    std::size_t count, std::size_t stride);
void girih_cortex_m_compare_fours_6(void* own, void* elements, std::size_t distance, std::size_t end,
                                    std::size_t count, std::size_t stride);
}
#endif

namespace girih::isa::cortex_m {

struct NtruPrimeCalls {
    /// What is sorted: a word, as the lower half of a number of 64 bits between 1 and 2.
    struct SortElement {
        std::uint32_t word;
        std::uint32_t upper_half;
    };
    static constexpr SortElement sort_element(std::uint32_t word) { return {word, 0x3FF00000}; }

#if defined(__ARM_ARCH_7EM__)
    /// AES-256 on two blocks: all rounds from number 2 on; and SUBBYTES() without a constant.
    static void aes_rounds(std::uint32_t* state, const std::uint32_t* keys, const std::uint32_t* last_keys)
    {
        girih_cortex_m_aes_rounds(state, keys, last_keys);
    }
    static void aes_substitute(std::uint32_t* state) { girih_cortex_m_aes_substitute(state); }
    /// AES-256 by a table. Variable time.
    static void aes_vartime(std::uint8_t* block, const std::uint32_t* keys, const std::uint32_t* table,
                            const std::uint32_t* last_keys)
    {
        girih_cortex_m_aes_vartime(block, keys, table, last_keys);
    }

    /// The first layers of a transform, for coefficients from the first one to the end; those of 8
    /// bits are at most 2 in magnitude.
    static void part_six(std::int32_t* values, const std::int8_t* coefficients, const Twiddle* three,
                         const std::int8_t* end, std::int32_t prime)
    {
        girih_cortex_m_part_six_8(values, coefficients, three, end, prime);
    }
    static void part_six(std::int32_t* values, const std::int16_t* coefficients, const Twiddle* three,
                         const std::int16_t* end, std::int32_t prime)
    {
        girih_cortex_m_part_six_16(values, coefficients, three, end, prime);
    }
    /// The last layers of its inverse, for values from the first one to the end.
    static void join_six(std::int32_t* values, const Twiddle* four, const std::int32_t* end,
                         std::int32_t prime)
    {
        girih_cortex_m_join_six(values, four, end, prime);
    }
    /// low[i] + high[i] + high[i - 1] modulo q, centered, four at a time up to the end of `low`.
    /// The share is 2^32 / q, rounded.
    static void fold_product(std::int16_t* folded, const std::int32_t* low, const std::int32_t* high,
                             const std::int32_t* end, std::int32_t q, std::int32_t share)
    {
        girih_cortex_m_fold_product(folded, low, high, end, q, share);
    }
    /// The products of values modulo x^4 - c and x^4 + c, for each c.
    static void multiply_blocks(std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
                                const std::int32_t* end, std::int32_t prime, std::uint32_t inverse)
    {
        girih_cortex_m_multiply_blocks(a, b, c, end, prime, inverse);
    }

    /// The product of 24 words of bytes of at most 2 by as many: 48 of bytes of at most 30 that are
    /// its coefficients modulo 3.
    static void multiply_bytes(std::uint32_t* product, const std::uint32_t* a, const std::uint32_t* b)
    {
        girih_cortex_m_multiply_bytes(product, a, b);
    }
    /// Of words of such bytes, the sums modulo 3: four words at a time, up to the end of a.
    static void add_bytes(std::uint32_t* sum, const std::uint32_t* a, const std::uint32_t* b,
                          const std::uint32_t* end)
    {
        girih_cortex_m_add_bytes(sum, a, b, end);
    }
    /// Karatsuba's multiplication: makes the product of those of halves, 2 `half` words each, and
    /// of the middle. Bytes are at most 30, before and behind.
    static void join_products(std::uint32_t* product, const std::uint32_t* middle, std::size_t half)
    {
        girih_cortex_m_join_products(product, middle, half);
    }

    /// Comparisons of a sorting network: of four elements, the last of which is `last` behind the
    /// first, with those that stand `distance`, a half of that, a quarter, ... behind `others`,
    /// down to what is twice `end`; and `count` times in all, a stride further each time.
    template <std::size_t last, std::size_t stride>
    static void compare_fours(SortElement* elements, SortElement* others, std::size_t distance,
                              std::size_t end, std::size_t count)
    {
        static_assert(last == 3 || last == 5 || last == 6);
        constexpr auto compare = last == 3   ? girih_cortex_m_compare_fours_3
                                 : last == 5 ? girih_cortex_m_compare_fours_5
                                             : girih_cortex_m_compare_fours_6;
        // The half of a distance of one element is four bytes.
        compare(elements, others, 8 * distance, end == 0 ? 4 : 8 * end, count, 8 * stride);
    }
#endif
};

}  // namespace girih::isa::cortex_m
