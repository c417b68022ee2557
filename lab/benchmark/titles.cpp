#include "lab/benchmark/titles.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace girih::lab {

namespace {

/// What a component does. In the text, {0}, {1}, ... are the arguments of its name.
struct Title {
    std::string_view component;
    std::string_view text;
};

constexpr Title dilithium_titles[] = {
    {"ff_add", "sum of two coefficients"},
    {"ff_sub", "difference of two coefficients"},
    {"ff_neg", "negative of a coefficient"},
    {"ff_mul", "product of two coefficients"},
    {"ff_inv", "inverse of a coefficient"},
    {"ff_div", "quotient of two coefficients"},
    {"ff_exp", "power of a coefficient"},
    {"ntt", "NTT of a polynomial"},
    {"intt", "inverse NTT of a polynomial"},
    {"power2round", "Power2Round of a coefficient"},
    {"decompose", "Decompose of a coefficient, 2 gamma2 = {0}"},
    {"make_hint", "MakeHint of a coefficient, 2 gamma2 = {0}"},
    {"use_hint", "UseHint of a coefficient, 2 gamma2 = {0}"},
    {"expand_a", "ExpandA, the matrix of {0} x {1} polynomials"},
    {"expand_s", "half of ExpandS, {1} polynomials, eta = {0}"},
    {"expand_mask", "ExpandMask, {1} polynomials, gamma1 = {0}"},
    {"sample_in_ball", "SampleInBall, tau = {0}"},
    {"encode", "packing of a polynomial, {0} bits a coefficient"},
    {"decode", "unpacking of a polynomial, {0} bits a coefficient"},
    {"encode_hint_bits", "HintBitPack, {0} polynomials, omega = {1}"},
    {"decode_hint_bits", "HintBitUnpack, {0} polynomials, omega = {1}"},
};

constexpr Title falcon_titles[] = {
    {"fft", "FFT of a polynomial"},
    {"ifft", "inverse FFT of a polynomial"},
    {"ntt_product", "product of two polynomials by NTT"},
    {"sample_leaf", "two samples of integers at a leaf of the tree"},
    {"hash_to_point", "HashToPoint of a 32-byte message"},
    {"compress", "compression of a signature"},
    {"decompress", "decompression of a signature"},
    {"encode_public_key", "packing of a public key"},
    {"decode_public_key", "unpacking of a public key"},
    {"ntru_solve", "NTRUSolve, F and G of f and g"},
    {"reference_keygen", "keygen of round 3's known answers"},
};

constexpr Title ml_kem_titles[] = {
    {"ntt", "NTT of a polynomial"},
    {"intt", "inverse NTT of a polynomial"},
    {"make_factor", "a polynomial made ready to be a factor"},
    {"dot", "product of a row and a column of {0} polynomials"},
    {"sample_matrix", "the matrix of {0} x {0} polynomials"},
    {"sample_noise", "noise of {0} polynomials"},
    {"compress", "Compress and ByteEncode of a polynomial, {0} bits a coefficient"},
    {"decompress", "ByteDecode and Decompress of a polynomial, {0} bits a coefficient"},
    {"encode", "ByteEncode of a polynomial, {0} bits a coefficient"},
    {"decode", "ByteDecode of a polynomial with its check, {0} bits a coefficient"},
};

/// A row's name in its parts: "bench_ml_dsa::sign<44>/32".
struct Parts {
    std::string_view scheme;
    std::string_view component;
    std::vector<std::string_view> arguments;
    std::string_view suffix;  ///< "32" of "/32", "64 rows" of "/64 rows/manual_time"

    explicit Parts(std::string_view name)
    {
        const std::size_t colons = std::min(name.find("::"), name.size());
        scheme = name.substr(0, colons);
        name.remove_prefix(std::min(colons + 2, name.size()));
        const std::size_t slash = std::min(name.find('/'), name.size());
        if (slash < name.size()) suffix = name.substr(slash + 1);
        if (const std::size_t manual = suffix.find("manual_time"); manual != suffix.npos)
            suffix = suffix.substr(0, manual == 0 ? 0 : manual - 1);
        name = name.substr(0, slash);
        component = name.substr(0, name.find('<'));
        if (component.size() == name.size()) return;
        std::string_view list = name.substr(component.size() + 1, name.size() - component.size() - 2);
        while (!list.empty()) {
            const std::size_t end = std::min(list.find(", "), list.size());
            arguments.push_back(list.substr(0, end));
            list.remove_prefix(std::min(end + 2, list.size()));
        }
    }
};

/// Components of Dilithium are ML-DSA's as well.
constexpr std::string_view lattice_of_both = "ML-DSA and Dilithium";

std::string subject(const Parts& parts, bool is_operation)
{
    std::string first{parts.arguments.empty() ? "" : parts.arguments[0]};
    if (parts.scheme == "bench_ml_dsa") return "ML-DSA-" + first;
    if (parts.scheme == "bench_falcon") return "Falcon-" + first;
    if (!is_operation) return std::string{parts.scheme == "bench_ml_kem" ? "ML-KEM" : lattice_of_both};
    if (parts.scheme == "bench_dilithium")
        return "Dilithium" + std::string{first == "4" ? "2" : first == "6" ? "3" : "5"};
    return first;
}

std::string with_arguments(std::string_view text, const std::vector<std::string_view>& arguments)
{
    std::string filled;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '{') {
            filled += text[i];
            continue;
        }
        const auto argument = static_cast<std::size_t>(text[i + 1] - '0');
        if (argument < arguments.size()) filled.append(arguments[argument]);
        i += 2;
    }
    return filled;
}

std::span<const Title> titles(std::string_view scheme)
{
    if (scheme == "bench_dilithium") return dilithium_titles;
    if (scheme == "bench_falcon") return falcon_titles;
    if (scheme == "bench_ml_kem") return ml_kem_titles;
    return {};
}

}  // namespace

std::string title_of_row(std::string_view name)
{
    const Parts parts{name};
    const std::span<const Title> known = titles(parts.scheme);
    const auto title = std::ranges::find(known, parts.component, &Title::component);
    if (title != known.end())
        return subject(parts, false) + ": " + with_arguments(title->text, parts.arguments);

    std::string text{parts.component};
    std::ranges::replace(text, '_', ' ');
    if (parts.component == "sign_representative") text = "sign, a message of the representative set";
    std::string all = subject(parts, true) + ": " + text;
    if (parts.suffix.ends_with("rows")) return all.append(", a call of ").append(parts.suffix);
    if (!parts.suffix.empty()) all.append(", ").append(parts.suffix).append("-byte message");
    return all;
}

}  // namespace girih::lab
