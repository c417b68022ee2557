#include "lab/operations/functions.hpp"

namespace girih::lab {

Functions Functions::linked()
{
    Functions all;
#define GIRIH_LAB_TAKE(function) all.function = girih_##function;
    GIRIH_LAB_FUNCTIONS(GIRIH_LAB_TAKE)
    GIRIH_LAB_NEWER_FUNCTIONS(GIRIH_LAB_TAKE)
#undef GIRIH_LAB_TAKE
    return all;
}

}  // namespace girih::lab
