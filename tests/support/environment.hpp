/// The environment of the process that tests run in.
#pragma once

#include <cstdlib>

namespace girih::test {

/// Gives a variable a value, whether or not it has one.
inline void set_variable(const char* name, const char* value)
{
#if defined(_WIN32)
    _putenv_s(name, value);
#else
    setenv(name, value, 1);
#endif
}

}  // namespace girih::test
