/// OSSL_PARAM, in which the core hands values over and takes them.
#pragma once

#include <openssl/params.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::provider {

/// The bytes of a parameter; nothing if it is no octet string, or says how many but not where.
[[nodiscard]] inline std::optional<BytesIn<>> octets_of(const OSSL_PARAM& param) noexcept
{
    if (param.data_type != OSSL_PARAM_OCTET_STRING || (param.data == nullptr && param.data_size != 0))
        return {};
    return BytesIn<>{static_cast<const Byte*>(param.data), param.data_size};
}

/// The text of a parameter, which ends with its length, or with a NUL before; nothing if it is no
/// text, or says how long but not where.
[[nodiscard]] inline std::optional<std::string_view> text_of(const OSSL_PARAM& param) noexcept
{
    const bool is_pointer = param.data_type == OSSL_PARAM_UTF8_PTR;
    if (!is_pointer && param.data_type != OSSL_PARAM_UTF8_STRING) return {};
    const void* data = param.data;
    if (is_pointer && data != nullptr) data = *static_cast<const char* const*>(data);
    if (data == nullptr && param.data_size != 0) return {};
    const std::string_view text{static_cast<const char*>(data), param.data_size};
    return text.substr(0, text.find('\0'));
}

/// Writes a number where it is asked for; false if it does not fit there.
[[nodiscard]] inline bool set_number(OSSL_PARAM params[], const char* name, std::size_t value)
{
    OSSL_PARAM* param = OSSL_PARAM_locate(params, name);
    return param == nullptr || OSSL_PARAM_set_size_t(param, value) == 1;
}

/// The same with bytes, if there are any.
[[nodiscard]] inline bool set_octets(OSSL_PARAM params[], const char* name, BytesIn<> bytes)
{
    OSSL_PARAM* param = OSSL_PARAM_locate(params, name);
    return param == nullptr || bytes.empty() ||
           OSSL_PARAM_set_octet_string(param, bytes.data(), bytes.size()) == 1;
}

/// Parameters for the core, which only reads them: OSSL_PARAM has no const.
[[nodiscard]] inline OSSL_PARAM octets(const char* name, BytesIn<> bytes)
{
    return OSSL_PARAM_construct_octet_string(name, const_cast<Byte*>(bytes.data()),  // NOLINT(*-const-cast)
                                             bytes.size());
}
[[nodiscard]] inline OSSL_PARAM text(const char* name, const char* value)
{
    return OSSL_PARAM_construct_utf8_string(name, const_cast<char*>(value), 0);  // NOLINT(*-const-cast)
}

}  // namespace girih::provider
