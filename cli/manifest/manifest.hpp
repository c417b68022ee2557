/// Many signatures in one run: girih verify --manifest FILE, girih verify MESSAGE MESSAGE.
#pragma once

#include <girih/girih.h>

#include <string>
#include <vector>

namespace girih::cli {

class MessageInput;

/// Checks every line of a manifest (see rows.hpp), and reports each on standard output at once, as
/// text or in JSON. `message` has the options of all messages; `alg` is for raw keys and may be
/// null. Throws for a malformed manifest, and after the report if a signature
/// did not verify or could not be checked. Memory grows with the threads, not with the lines. Paths
/// are relative to the current folder.
void verify_manifest(const std::string& path, const MessageInput& message, const girih_alg* alg,
                     unsigned threads, bool json);

/// Checks the signature of each message, in the file of its name and .sig, by one public key, with
/// a manifest's report.
void verify_files(const std::string& key, const std::vector<std::string>& messages,
                  const MessageInput& message, const girih_alg* alg, unsigned threads, bool json);

}  // namespace girih::cli
