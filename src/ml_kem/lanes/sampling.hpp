/// Pseudo-random polynomials (FIPS 203, Section 4.2.2): each from its own sponge, many sponges at a
/// time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "isa/isa.hpp"
#include "keccak/task.hpp"
#include "keccak/task_list.hpp"
#include "ml_kem/kernels/compress.hpp"
#include "ml_kem/types.hpp"
#include "module_lattice/rejection.hpp"

namespace girih::ml_kem {

/// One coefficient at a time, where an engine does not unpack vectors of them.
struct OneLane {
    using Integer = Coefficient;
    static constexpr std::size_t lanes = 1;
    static std::size_t compress_store(Integer* to, std::int32_t a, std::int32_t mask) noexcept
    {
        *to = static_cast<Integer>(a);
        return static_cast<std::size_t>(mask & 1);
    }
};

/// The 12-bit integers in a block of SHAKE128, of which those below q are kept.
struct UniformSource {
    static constexpr std::size_t per_block = keccak::shake128_function.rate * 8 / coefficient_bits;
    static constexpr bool rarely_refuses = false;

    template <class Isa>
    static constexpr bool has_vectors = isa::Unpacks<typename Isa::ShortLanes, coefficient_bits>;
    template <class Isa>
    using Lanes = std::conditional_t<has_vectors<Isa>, ml_kem::Lanes<Isa>, OneLane>;

    template <class Isa>
    [[gnu::always_inline]] static auto candidates(keccak::RowOfOutput block, std::size_t index) noexcept
    {
        return module_lattice::integers_at<coefficient_bits, typename Isa::ShortLanes>(block, index);
    }
    template <class V>
    [[gnu::always_inline]] static V keep(V candidate) noexcept
    {
        return (candidate - static_cast<Coefficient>(q)) >> 15;
    }
    template <class V>
    [[gnu::always_inline]] static V value(V candidate) noexcept
    {
        return candidate;
    }
};

/// SampleNTT (FIPS 203, Algorithm 7). Variable time: the matrix is public.
template <class Isa>
using MatrixTask = module_lattice::RejectionTask<module_lattice::RejectionSampler<UniformSource, Isa>,
                                                 keccak::shake128_function, rho_bytes>;

/// SamplePolyCBD (FIPS 203, Algorithm 8) with eta = 2: a coefficient from each half-byte. Constant
/// time.
template <class Isa>
[[gnu::noinline]] void sample_poly_cbd_2(BytesIn<128> bytes, Coefficients& f)
{
    using Half = typename Isa::HalfByteLanes;
    using L = typename Isa::ShortLanes;
    constexpr std::size_t in_word = 16;
    constexpr std::size_t together = std::max({Half::lanes, L::lanes, in_word});
    constexpr std::uint64_t each = 0x1111111111111111;
    for (std::size_t i = 0; i < n; i += together) {
        std::array<std::uint64_t, together / in_word> words;
        for (std::size_t j = 0; j < words.size(); ++j) {
            // In each half-byte the sums of two bits, then their difference and 4.
            const std::uint64_t bits = load_le64(&bytes[i / 2 + 8 * j]);
            const std::uint64_t sums = (bits & 0b0101 * each) + (bits >> 1 & 0b0101 * each);
            words[j] = (sums & 0b0011 * each) + 4 * each - (sums >> 2 & 0b0011 * each);
        }
        std::array<std::int8_t, together> coefficients;
        for (std::size_t k = 0; k < together; k += Half::lanes) {
            const auto v = Half::load(words.data(), k) - 4;
            if constexpr (Half::lanes == 1)
                coefficients[k] = static_cast<std::int8_t>(v);
            else
                std::memcpy(&coefficients[k], &v, Half::lanes);
        }
        for (std::size_t k = 0; k < together; k += L::lanes) L::store(&f[i + k], L::load(&coefficients[k]));
    }
}
template <class Isa>
[[gnu::noinline]] void sample_poly_cbd_3(BytesIn<192> bytes, Coefficients& f)
{
    using L = typename Isa::ShortLanes;
    byte_decode<6, Isa>(bytes, f);
    for (std::size_t i = 0; i < n; i += L::lanes) {
        // The sum of the lower three bits and the sum of the upper ones, each in three bits.
        const auto bits = L::load(&f[i]);
        constexpr Coefficient lowest = 0b001001;
        const auto sums = (bits & lowest) + ((bits >> 1) & lowest) + ((bits >> 2) & lowest);
        L::store(&f[i], (sums & static_cast<Coefficient>(0b111)) - (sums >> 3));
    }
}
/// SamplePolyCBD with either eta.
template <int eta, class Isa>
void sample_poly_cbd(BytesIn<64 * std::size_t{eta}> bytes, Coefficients& f)
{
    static_assert(eta == 2 || eta == 3);
    if constexpr (eta == 2)
        sample_poly_cbd_2<Isa>(bytes, f);
    else
        sample_poly_cbd_3<Isa>(bytes, f);
}

/// SamplePolyCBD of PRF(seed, number) (FIPS 203, Section 4.1, formula 4.3). The seed is read when
/// the task begins. Constant time.
template <class Isa>
class NoiseTask final : public keccak::Task {
  public:
    NoiseTask(BytesIn<sigma_bytes> seed, std::size_t number, int eta, NoisePoly& out) noexcept
        : seed_(seed), out_(&out), number_(static_cast<Byte>(number)), eta_(eta)
    {
    }
    NoiseTask(const NoiseTask&) = delete;
    NoiseTask& operator=(const NoiseTask&) = delete;
    ~NoiseTask()
    {
        if (!is_read_in_place()) wipe(bytes_);
    }

    void start(keccak::Lane lane) noexcept override
    {
        lane.absorb(seed_);
        lane.absorb({&number_, 1}, sigma_bytes);
        lane.pad(keccak::shake256_function, sigma_bytes + 1);
    }

    keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        if (is_read_in_place()) {
            const auto* const output = reinterpret_cast<const Byte*>(lane.output().data());
            sample_poly_cbd<2, Isa>(BytesIn<bytes_of(2)>{output, bytes_of(2)}, out_->c);
            taken_ = bytes_of(2);
            return nullptr;
        }
        for (std::size_t i = 0; i < block_words && taken_ < bytes_.size(); ++i, taken_ += 8)
            store_le64(&bytes_[taken_], lane.output()[i]);
        if (!is_done()) return this;
        if (eta_ == 2)
            sample_poly_cbd<2, Isa>(std::span{bytes_}.template first<bytes_of(2)>(), out_->c);
        else
            sample_poly_cbd<3, Isa>(bytes_, out_->c);
        return nullptr;
    }

    [[nodiscard]] bool is_done() const noexcept { return taken_ >= bytes_of(eta_); }

  private:
    static constexpr std::size_t block_words = keccak::shake256_function.rate / 8;
    static constexpr std::size_t bytes_of(int eta) { return 64 * static_cast<std::size_t>(eta); }

    /// Whether one block holds all bytes, in order.
    [[nodiscard]] bool is_read_in_place() const noexcept
    {
        return std::endian::native == std::endian::little && eta_ == 2;
    }

    BytesIn<sigma_bytes> seed_;
    NoisePoly* out_;
    std::array<Byte, bytes_of(3)> bytes_;  // written before they are read
    std::size_t taken_ = 0;
    Byte number_;
    int eta_;
};

template <class Isa, std::size_t rows>
using MatrixTasks = keccak::TaskArray<MatrixTask<Isa>, rows * max_k * max_k>;

/// Whether A^ or its transpose is stored row by row.
enum class Orientation { as_is, transposed };

/// The tasks that expand the matrix A^ from rho (FIPS 203, Algorithm 13, lines 3 to 7): row i and
/// column j is SampleNTT(rho | j | i).
template <class Isa, std::size_t capacity>
[[gnu::noinline]] void add_matrix_tasks(std::size_t k, BytesIn<rho_bytes> rho, Orientation orientation,
                                        PublicPoly* a, keccak::TaskArray<MatrixTask<Isa>, capacity>& tasks)
{
    for (std::size_t r = 0; r < k; ++r)
        for (std::size_t c = 0; c < k; ++c)
            tasks.add(rho, orientation == Orientation::as_is ? r << 8 | c : c << 8 | r, a[r * k + c].c);
}

}  // namespace girih::ml_kem
