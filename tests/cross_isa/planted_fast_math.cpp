// Does not compile with -ffast-math.
#include "isa/doubles/native_fpr.hpp"

template class girih::isa::NativeFpr<void*>;
