// Does not compile with -ffast-math.
#include "isa/native_fpr.hpp"

template class girih::isa::NativeFpr<void*>;
