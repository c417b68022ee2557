#include "cli/system/failure.hpp"

#include <girih/girih.h>

#include "cli/system/process.hpp"

namespace girih::cli {

std::string explained(const std::string& error)
{
    const bool is_randomness = error == girih_error_text(GIRIH_ERROR_RANDOM);
    return is_randomness ? error + ": " + system::why_no_randomness() : error;
}

void expect_ok(int code)
{
    if (code != GIRIH_OK) throw Failure(exit_file, explained(girih_error_text(code)));
}

}  // namespace girih::cli
