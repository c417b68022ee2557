/// OSSL_PARAM, in which values are passed to and from the core.
#pragma once

#include <openssl/params.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::provider {

/// The bytes of a parameter; nothing if it is not an octet string, or has a length without data.
[[nodiscard]] inline std::optional<BytesIn<>> octets_of(const OSSL_PARAM& param) noexcept
{
    if (param.data_type != OSSL_PARAM_OCTET_STRING || (param.data == nullptr && param.data_size != 0))
        return {};
    return BytesIn<>{static_cast<const Byte*>(param.data), param.data_size};
}

/// The text of a parameter, up to its length or a NUL before; nothing if it is not text, or has a
/// length without data.
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

/// Writes a number if it is requested; false if it does not fit.
[[nodiscard]] inline bool set_number(OSSL_PARAM params[], const char* name, std::size_t value)
{
    OSSL_PARAM* param = OSSL_PARAM_locate(params, name);
    return param == nullptr || OSSL_PARAM_set_size_t(param, value) == 1;
}

/// Writes bytes, if there are any and they are requested.
[[nodiscard]] inline bool set_octets(OSSL_PARAM params[], const char* name, BytesIn<> bytes)
{
    OSSL_PARAM* param = OSSL_PARAM_locate(params, name);
    return param == nullptr || bytes.empty() ||
           OSSL_PARAM_set_octet_string(param, bytes.data(), bytes.size()) == 1;
}

/// Parameters that the core only reads; OSSL_PARAM has no const.
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
