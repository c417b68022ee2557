/// Access control lists of files.
#pragma once

#include "cli/system/windows/native.hpp"

namespace girih::cli::system {

/// Attributes of a new file or folder for the current user only: its own list, which inherits
/// nothing from its folder.
class PrivateToUser {
  public:
    PrivateToUser();
    PrivateToUser(const PrivateToUser&) = delete;
    PrivateToUser& operator=(const PrivateToUser&) = delete;
    ~PrivateToUser();
    /// Null, with the error noted, if the user is unknown.
    [[nodiscard]] SECURITY_ATTRIBUTES* get() const noexcept;

  private:
    mutable SECURITY_ATTRIBUTES attributes_{};
};

}  // namespace girih::cli::system
