/// Who may use a file, by its list of access.
#pragma once

#include "cli/system/windows/native.hpp"

namespace girih::cli::system {

/// For a new file or folder that only the user may use who runs the command: a list of its own,
/// which takes nothing from the folder that it is in.
class PrivateToUser {
  public:
    PrivateToUser();
    PrivateToUser(const PrivateToUser&) = delete;
    PrivateToUser& operator=(const PrivateToUser&) = delete;
    ~PrivateToUser();
    /// Null, and the error noted, if the user cannot be found out.
    [[nodiscard]] SECURITY_ATTRIBUTES* get() const noexcept;

  private:
    mutable SECURITY_ATTRIBUTES attributes_{};
};

}  // namespace girih::cli::system
