#include "core/wipe.hpp"

#include <girih/girih.h>

void girih_wipe(void* memory, size_t bytes)
{
    if (memory != nullptr) girih::wipe_memory(memory, bytes);
}
