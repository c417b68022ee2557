/// The names of key files that the command line leaves out.
///
/// A public key is girih.pub in the current folder, or girih-kem.pub if it encapsulates. A private
/// key is girih.key or girih-kem.key in the folder that the environment's GIRIH_KEYS names, and in
/// ~/.girih where that is not set or empty.
#pragma once

#include <optional>
#include <string>

#include "cli/files/keys.hpp"

namespace girih::cli {

/// --secret and --public, where a key is read: `what` it is, and its name if it is not given.
void add_secret_option(const Command& subcommand, std::optional<std::string>& path, Use use);
void add_public_option(const Command& subcommand, std::optional<std::string>& path, Use use,
                       const std::string& what);

/// The file of a key: as it was given, or its default name. Fails if there is no folder for it.
[[nodiscard]] std::string secret_path_of(const std::optional<std::string>& given, Use use);
[[nodiscard]] std::string public_path_of(const std::optional<std::string>& given, Use use);

/// "girih.pub", and "girih.key in ~/.girih" with what else to know about it, for the help.
[[nodiscard]] std::string default_public_name(Use use);
[[nodiscard]] std::string default_secret_name(Use use);

/// Makes the folder of default private keys, for its owner alone, if there is none.
void make_folder_of_keys();

}  // namespace girih::cli
