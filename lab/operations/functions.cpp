#include "lab/operations/functions.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <type_traits>

namespace girih::lab {

Functions Functions::of(const std::string& path)
{
    void* const library = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    const auto find = [library](auto*& function, const char* symbol, bool is_needed) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
        if (function == nullptr && is_needed) throw std::runtime_error(dlerror());
    };
    Functions all;
#define GIRIH_LAB_FIND(function) find(all.function, "girih_" #function, true);
    GIRIH_LAB_FUNCTIONS(GIRIH_LAB_FIND)
#undef GIRIH_LAB_FIND
#define GIRIH_LAB_FIND(function) find(all.function, "girih_" #function, false);
    GIRIH_LAB_NEWER_FUNCTIONS(GIRIH_LAB_FIND)
#undef GIRIH_LAB_FIND
    return all;
}

}  // namespace girih::lab
