/// The differences between traces that are let through, each with its reason (declassified.tsv).
#pragma once

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "compare.hpp"

namespace girih::traces {

class Declassified {
  public:
    Declassified() = default;
    explicit Declassified(const char* file);

    /// Cuts the functions out of a trace that are listed for a case.
    void cut_from(Trace& trace, const std::string& name);

    /// The reason why a difference is let through; or null.
    const std::string* reason(const std::string& name, std::uint64_t at, Kind kind, std::uint64_t caller);

    /// Adds the lines of the list that something matched to a file.
    void add_used_to(const char* file) const;

  private:
    struct Entry {
        std::string line, what, place_text, why;
        std::regex name, place;
    };
    std::vector<Entry> entries_;
    std::set<std::string> used_;
};

}  // namespace girih::traces
