/// The results of the race: a row for each contender and operation, girih's ratios to its peers,
/// and the contenders that did not race.
#pragma once

#include <array>
#include <deque>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/measure/statistics.hpp"
#include "lab/measure/table.hpp"
#include "lab/race/admission.hpp"
#include "lab/race/rounds.hpp"

namespace girih::lab {

/// The report. The caller supplies the machine, compilers, package versions and failed builds.
class Report {
  public:
    Report(const std::filesystem::path& environment, int core);
    ~Report();

    void left_out(const std::string& name, const std::string& reason);
    void add_admission(const std::string& algorithm, const Admission& admission);
    void add_messages(const std::string& algorithm, std::size_t count, const std::string& source);
    void add_sizes(const std::string& algorithm, const Material& material, bool signs);
    void add_races(const std::string& algorithm, const Group& group, const std::vector<Lane>& lanes);

    /// Writes compare.json, compare.txt and compare.md, and prints the summary.
    void finish(const std::filesystem::path& folder);

  private:
    struct Row {
        std::string algorithm, operation;
        const Contender* contender;
        std::string stand_in;  ///< the operation that runs in this one's place, if any
        std::size_t count;
        std::map<std::size_t, double> ticks;  ///< by round
        std::vector<double> sorted_ticks;
        std::vector<double> messages;  ///< the median of each message, sorted

        [[nodiscard]] double nanoseconds(double q = 0.5) const;
    };
    struct Rival {
        const Row* row;
        Estimate ratio;
    };

    [[nodiscard]] static std::optional<Rival> paired(const Row& row, const Row& rival);
    [[nodiscard]] std::vector<Rival> rivals(const Row& row, bool portable = false) const;
    [[nodiscard]] static std::optional<Rival> fastest(std::vector<Rival> rivals);
    [[nodiscard]] nlohmann::json operation(const Row& row) const;
    [[nodiscard]] nlohmann::json measurement(const Row& row) const;
    [[nodiscard]] Table against(const std::string& title, const std::string& other, bool required,
                                const std::function<std::optional<Rival>(const Row&)>& choose) const;
    [[nodiscard]] std::optional<Rival> first_build(const Row& row) const;
    [[nodiscard]] Table race_of(std::vector<const Row*> rows) const;
    [[nodiscard]] std::vector<std::pair<Table, bool>> tables() const;

    std::unique_ptr<nlohmann::json> environment_, sizes_;
    std::deque<Row> rows_;
    std::vector<const Contender*> peers_;
    std::vector<std::array<std::string, 2>> missing_, remarks_;
    std::vector<std::string> message_sets_;
};

}  // namespace girih::lab
