#include "api/algorithms/algorithm.hpp"

#include <span>

#include "api/algorithms/accessors.hpp"
#include "api/error_text.hpp"
#include "core/text.hpp"
#include "engines/list.hpp"
#include "ml_dsa/encoding/pre_hash.hpp"

using namespace girih;

namespace {

/// HashML-DSA's functions in this build.
constexpr std::span<const ml_dsa::PreHashFunction> pre_hash_functions()
{
#if defined(GIRIH_WITHOUT_PRE_HASH)
    return {};
#else
    return ml_dsa::pre_hash_functions;
#endif
}

}  // namespace

const char* girih_pre_hash_at(size_t index)
{
    return index < pre_hash_functions().size() ? pre_hash_functions()[index].name : nullptr;
}

size_t girih_pre_hash_strength(const char* name)
{
    if (name == nullptr) return 0;
    for (const ml_dsa::PreHashFunction& function : pre_hash_functions())
        if (same_name(function.name, name)) return function.strength();
    return 0;
}

const char* girih_engine(void)
{
    const girih::engines::Selection selection = girih::engines::selected();
    return selection.engine == nullptr ? nullptr : selection.engine->name.data();
}

const char* girih_engine_at(size_t index)
{
    const auto all = girih::engines::candidates();
    return index < all.size() ? all[index].engine->name.data() : nullptr;
}

const char* girih_engine_reason(void) { return girih::engines::selected().reason; }

const char* girih_error_text(int error)
{
    // Only the selection knows why no engine runs.
    if (error == GIRIH_ERROR_ENGINE && girih::engines::selected().engine == nullptr)
        return girih_engine_reason();
    return girih::api::error_text(error);
}
