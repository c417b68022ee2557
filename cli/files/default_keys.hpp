/// The default names of key files.
///
/// A public key is girih.pub in the current folder, or girih-kem.pub if it encapsulates. A private
/// key is girih.key or girih-kem.key in the folder that the environment variable GIRIH_KEYS names,
/// or in ~/.girih if that is unset or empty.
#pragma once

#include <optional>
#include <string>

#include "cli/files/keys.hpp"

namespace girih::cli {

/// Adds --secret or --public for a key that is read, with its default name in the help.
void add_secret_option(const Command& subcommand, std::optional<std::string>& path, Use use);
void add_public_option(const Command& subcommand, std::optional<std::string>& path, Use use,
                       const std::string& what);

/// The given file of a key, or its default. Fails if there is no folder for the default.
[[nodiscard]] std::string secret_path_of(const std::optional<std::string>& given, Use use);
[[nodiscard]] std::string public_path_of(const std::optional<std::string>& given, Use use);

/// The default names for the help: "girih.pub", and "girih.key in ~/.girih" with an explanation.
[[nodiscard]] std::string default_public_name(Use use);
[[nodiscard]] std::string default_secret_name(Use use);

/// Makes the folder of default private keys if there is none, for its owner only.
void make_folder_of_keys();

}  // namespace girih::cli
