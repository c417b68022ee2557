/// Many signatures in one run: girih verify --manifest FILE.
#pragma once

#include <girih/girih.h>

#include <string>

namespace girih::cli {

class Message;

/// Checks every line of a manifest (rows.hpp says what a line is), and reports on standard
/// output while it does, as text or in JSON. `message` has the options of all messages, `alg` is
/// for raw keys and may be null. Returns exit_good; throws for a manifest that makes no sense, and
/// after the report if a signature did not verify or could not be checked. Takes memory for each
/// thread, however many lines there are. Paths are relative to the current folder.
int verify_manifest(const std::string& path, const Message& message, const girih_alg* alg, unsigned threads,
                    bool json);

}  // namespace girih::cli
