#include "cli/manifest/verdict.hpp"

#include "cli/files/files.hpp"
#include "cli/output/terminal.hpp"

namespace girih::cli {
namespace {

constexpr std::array<std::string_view, 3> names{"good", "bad", "error"};

}  // namespace

std::string_view name_of(Verdict verdict) { return names[static_cast<std::size_t>(verdict)]; }

std::string line_of(Verdict verdict, const std::string& file, const std::string& reason)
{
    const std::string_view name = name_of(verdict);
    return coloured(verdict == Verdict::good ? Colour::good : Colour::bad, name) +
           std::string(6 - name.size(), ' ') + printable(file) +
           (reason.empty() ? "" : ": " + printable(reason)) + "\n";
}

std::string reason_of(const Failure& failure, const std::string& file)
{
    const std::string text = failure.what(), name = input_name(file) + ": ";
    return text.starts_with(name) ? text.substr(name.size()) : text;
}

void Tally::add(Verdict verdict, const std::string& file, const std::string& reason)
{
    ++counts_[static_cast<std::size_t>(verdict)];
    if (verdict != Verdict::good && first_.empty()) first_ = file + ": " + reason;
}

std::string Tally::summary() const
{
    std::string text = std::to_string(total()) + " " + what_ + ":";
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? " " : ", ") + std::to_string(counts_[i]) + " " + std::string(names[i]);
    return text;
}

std::optional<Failure> Tally::failure(const std::string& list) const
{
    const auto [good, bad, error] = counts_;
    if (total() == 0) return Failure(exit_file, list + ": names no " + what_);
    if (bad + error == 0) return {};
    return Failure(error != 0 ? exit_file : exit_unverified, list + ": " + summary() + "; first " + first_);
}

}  // namespace girih::cli
