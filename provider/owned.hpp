/// Owners of OpenSSL's objects.
#pragma once

#include <memory>

namespace girih::provider {

template <auto free>
struct Free {
    template <class T>
    void operator()(T* made) const noexcept
    {
        free(made);
    }
};

/// Owned<EVP_PKEY, EVP_PKEY_free>, and so on.
template <class T, auto free>
using Owned = std::unique_ptr<T, Free<free>>;

}  // namespace girih::provider
