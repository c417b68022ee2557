/// Facts about the library and its algorithms.
#include "device/algorithm.hpp"

#include "api/algorithms/accessors.hpp"
#include "api/error_text.hpp"

// HashML-DSA's pre-hashes are not in this library.
const char* girih_pre_hash_at(size_t) { return nullptr; }
size_t girih_pre_hash_strength(const char*) { return 0; }

const char* girih_engine(void) { return GIRIH_DEVICE_ENGINE; }
const char* girih_engine_reason(void) { return "the one engine of the library for devices"; }

const char* girih_error_text(int error) { return girih::api::error_text(error); }
