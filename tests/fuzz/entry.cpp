/// The function that libFuzzer calls.
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes)
{
    girih::fuzz::check_input({data, bytes});
    return 0;
}
