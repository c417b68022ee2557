/// Steps of NTRU Prime in assembly, for cores that have its instructions. The code that calls
/// each has it in C++ as well.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/cortex_m/core.hpp"

extern "C" {
// In aes.S.
void girih_cortex_m_aes_rounds(std::uint32_t* state, const std::uint32_t* keys,
                               const std::uint32_t* last_keys);
void girih_cortex_m_aes_substitute(std::uint32_t* state);
// In aes_table.S.
void girih_cortex_m_aes_vartime(std::uint8_t* block, const std::uint32_t* keys, const std::uint32_t* table,
                                const std::uint32_t* last_keys);
// In byte_products.S.
void girih_cortex_m_multiply_bytes(std::uint32_t* product, const std::uint32_t* a, const std::uint32_t* b);
void girih_cortex_m_add_bytes(std::uint32_t* sum, const std::uint32_t* a, const std::uint32_t* b,
                              const std::uint32_t* end);
void girih_cortex_m_join_products(std::uint32_t* product, const std::uint32_t* middle, std::size_t half);
// In row_transform.S.
void girih_cortex_m_transform_nines(std::uint32_t* rows, const std::uint32_t* factors,
                                    const std::uint32_t* end);
void girih_cortex_m_transform_fives(std::uint32_t* rows, const std::uint32_t* factors,
                                    const std::uint32_t* end);
void girih_cortex_m_place_rows_8(std::uint32_t* values, const std::int8_t* coefficients,
                                 const std::uint16_t* places, const std::uint16_t* end);
void girih_cortex_m_place_rows_16(std::uint32_t* values, const std::int16_t* coefficients,
                                  const std::uint16_t* places, const std::uint16_t* end);
void girih_cortex_m_join_rows(std::uint32_t* product, const std::uint32_t* values, const std::uint16_t* end,
                              const std::uint16_t* places);
void girih_cortex_m_fold_rows(std::int16_t* folded, const std::uint32_t* low, const std::uint32_t* high,
                              const std::uint32_t* end, std::uint32_t factor);
void girih_cortex_m_multiply_rows(std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* turns,
                                  const std::uint32_t* end, std::uint32_t inverse);
// In sort.S: distances and strides are in bytes.
void girih_cortex_m_compare_fours_3(void* own, void* elements, std::size_t distance, std::size_t end,
                                    std::size_t count, std::size_t stride);
void girih_cortex_m_compare_fours_5(void* own, void* elements, std::size_t distance, std::size_t end,
                                    std::size_t count, std::size_t stride);
void girih_cortex_m_compare_fours_6(void* own, void* elements, std::size_t distance, std::size_t end,
                                    std::size_t count, std::size_t stride);
}

namespace girih::isa::cortex_m {

struct NtruPrimeCalls {
#if defined(GIRIH_ARM_DOUBLES)
    /// An element of a sort: a word, as the lower half of a double between 1 and 2.
    struct SortElement {
        std::uint32_t word;
        std::uint32_t upper_half;
    };
    static constexpr SortElement sort_element(std::uint32_t word) { return {word, 0x3FF00000}; }
#else
    struct SortElement {
        std::uint32_t word;
    };
    static constexpr SortElement sort_element(std::uint32_t word) { return {word}; }
#endif

#if defined(GIRIH_ARM_UNALIGNED)
    /// AES-256 on two blocks: all rounds from round 2 on. aes_substitute is SUBBYTES() without its
    /// additive constant.
    static constexpr auto& aes_rounds = girih_cortex_m_aes_rounds;
    static constexpr auto& aes_substitute = girih_cortex_m_aes_substitute;
    /// AES-256 by a table. Variable time.
    static constexpr auto& aes_vartime = girih_cortex_m_aes_vartime;
#endif
#if defined(GIRIH_ARM_DSP_AND_FLOATS)

    /// Copies rows of coefficients to their `places` up to the end, two at a time, and to the
    /// second half of the values with the sign of the second row changed.
    static void place_rows(std::uint32_t* values, const std::int8_t* coefficients,
                           const std::uint16_t* places, const std::uint16_t* end)
    {
        girih_cortex_m_place_rows_8(values, coefficients, places, end);
    }
    static void place_rows(std::uint32_t* values, const std::int16_t* coefficients,
                           const std::uint16_t* places, const std::uint16_t* end)
    {
        girih_cortex_m_place_rows_16(values, coefficients, places, end);
    }
    /// Transforms groups of nine rows, up to the end. transform_fives transforms groups of five
    /// rows that are nine rows apart; their first rows are those up to the end.
    static constexpr auto& transform_nines = girih_cortex_m_transform_nines;
    static constexpr auto& transform_fives = girih_cortex_m_transform_fives;
    /// Multiplies rows modulo x^18 - y, for each y's factor up to the end.
    static constexpr auto& multiply_rows = girih_cortex_m_multiply_rows;
    /// Adds and subtracts the rows of both halves, from the last of `places` down to the end.
    static constexpr auto& join_rows = girih_cortex_m_join_rows;
    /// The first `count` coefficients of a folded product, a multiple of 4. Coefficient i is the
    /// sum of coefficients i, `above` + i + 1 and, except for i = 0, `above` + i, times a factor.
    /// `above` is even.
    static void fold_rows(std::int16_t* folded, const std::uint32_t* product, std::size_t count,
                          std::size_t above, std::uint32_t factor)
    {
        girih_cortex_m_fold_rows(folded, product, product + above / 2, product + count / 2, factor);
    }
#endif
#if defined(GIRIH_ARM_DSP)

    /// Multiplies two polynomials of 24 words, with bytes of at most 2. The product is 48 words
    /// with bytes of at most 30, which are its coefficients modulo 3.
    static constexpr auto& multiply_bytes = girih_cortex_m_multiply_bytes;
    /// Adds polynomials with bytes of at most 2, modulo 3: four words at a time, up to the end of
    /// a.
    static constexpr auto& add_bytes = girih_cortex_m_add_bytes;
    /// Karatsuba's last step: combines the products of the halves, 2 `half` words each, and the
    /// middle one. Bytes are at most 30 before and after.
    static constexpr auto& join_products = girih_cortex_m_join_products;
#endif
#if defined(GIRIH_ARM_DOUBLES)

    /// Comparisons of a sorting network: four elements, the last of them `last` after the first,
    /// with those at `distance`, half of it, a quarter, ... after `others`, down to twice `end`;
    /// `count` times in all, each a stride further.
    template <std::size_t last, std::size_t stride>
    static void compare_fours(SortElement* elements, SortElement* others, std::size_t distance,
                              std::size_t end, std::size_t count)
    {
        static_assert(last == 3 || last == 5 || last == 6);
        constexpr auto compare = last == 3   ? girih_cortex_m_compare_fours_3
                                 : last == 5 ? girih_cortex_m_compare_fours_5
                                             : girih_cortex_m_compare_fours_6;
        // Half of a distance of one element is four bytes.
        compare(elements, others, 8 * distance, end == 0 ? 4 : 8 * end, count, 8 * stride);
    }
#endif
};

}  // namespace girih::isa::cortex_m
