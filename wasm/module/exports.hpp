/// The exports of a module besides functions of girih.h.
#pragma once

#include <girih/girih.h>

#include <cstddef>
#include <cstdint>

#define GIRIH_EXPORT(name) extern "C" [[clang::export_name(#name)]]
