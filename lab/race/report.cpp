#include "lab/race/report.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lab/measure/clock.hpp"
#include "lab/measure/machine.hpp"

namespace girih::lab {

using nlohmann::json;

namespace {

/// Into how many parts the times of the messages are cut, in the JSON file.
constexpr int message_quantiles = 50;

double rounded(double number, double parts) { return std::round(parts * number) / parts; }

json interval(const Estimate& ratio)
{
    return {rounded(ratio.low, 1000), rounded(ratio.median, 1000), rounded(ratio.high, 1000)};
}

std::string microseconds(double nanoseconds) { return fixed(nanoseconds / 1000, 2); }

std::string plain(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// The expected number of attempts at a signature of ML-DSA (tests/unit/ml_dsa/rejection_test.cpp).
std::string expected_attempts(const std::string& algorithm)
{
    for (const auto& [name, attempts] :
         {std::pair{"ML-DSA-44", "4.36"}, {"ML-DSA-65", "5.14"}, {"ML-DSA-87", "3.91"}})
        if (algorithm == name) return joined({"; expected attempts at a signature: ", attempts});
    return "";
}

}  // namespace

Report::Report(const std::filesystem::path& environment, int core)
    : environment_(std::make_unique<json>(json::object())), sizes_(std::make_unique<json>(json::object()))
{
    if (!environment.empty()) {
        std::ifstream file{environment};
        *environment_ = json::parse(file);
    }
    const json failures = environment_->value("failures", json::object());
    for (const auto& [name, reason] : failures.items())
        missing_.push_back({name, "did not build: " + plain(reason)});
    (*environment_)["cpu"] = processor();
    (*environment_)["core"] = core;
}

Report::~Report() = default;

void Report::left_out(const std::string& name, const std::string& reason)
{
    std::cerr << "race: without " << name << ": " << reason << '\n';
    missing_.push_back({name, reason});
}

void Report::add_admission(const std::string& algorithm, const Admission& admission)
{
    for (const auto& [name, reason] : admission.excluded) left_out(joined({name, ", ", algorithm}), reason);
    for (const auto& [name, remark] : admission.remarks) {
        std::cerr << "race: " << name << ", " << algorithm << ": " << remark << '\n';
        remarks_.push_back({joined({name, ", ", algorithm}), remark});
    }
}

void Report::add_messages(const std::string& algorithm, std::size_t count, const std::string& source)
{
    message_sets_.push_back(algorithm + ": " + std::to_string(count) + " messages, " + source +
                            expected_attempts(algorithm));
}

void Report::add_sizes(const std::string& algorithm, const Material& material, bool signs)
{
    const Bytes seed(32);
    const auto [public_key, secret_key] = material.key(seed);
    const Bytes made = signs ? material.made("sign", {secret_key, seed, seed}).at(0)
                             : material.made("encapsulate", {public_key, seed}).at(0);
    (*sizes_)[algorithm] = {{"public_key", public_key.size()},
                            {"secret_key", secret_key.size()},
                            {signs ? "signature" : "ciphertext", made.size()}};
}

void Report::add_races(const std::string& algorithm, const Group& group, const std::vector<Lane>& lanes)
{
    for (const Lane& lane : lanes)
        if (!lane.contender->is_girih && std::ranges::find(peers_, lane.contender) == peers_.end())
            peers_.push_back(lane.contender);
    for (const Operation& operation : group) {
        std::vector<const Contender*> there;
        const auto add = [&](const Lane& lane) {
            Row row{algorithm, operation.name, lane.contender, "", lane.count, lane.ticks, {}, {}};
            if (lane.operation->name != operation.name) row.stand_in = lane.operation->name;
            for (const auto& [round, ticks] : lane.ticks) row.sorted_ticks.push_back(ticks);
            for (const auto& message : lane.messages) row.messages.push_back(median(message));
            row.sorted_ticks = sorted(std::move(row.sorted_ticks));
            row.messages = sorted(std::move(row.messages));
            if (row.sorted_ticks.empty()) return;
            there.push_back(lane.contender);
            rows_.push_back(std::move(row));
        };
        for (const Lane& lane : lanes)
            if (lane.operation->name == operation.name) add(lane);
        if (there.empty()) continue;  // nobody runs the operation itself
        for (const std::string& stand_in : operation.stand_ins)
            for (const Lane& lane : lanes)
                if (lane.operation->name == stand_in && !lane.contender->is_girih &&
                    std::ranges::find(there, lane.contender) == there.end())
                    add(lane);
    }
}

double Report::Row::nanoseconds(double q) const { return lab::nanoseconds(quantile(sorted_ticks, q)); }

/// The ratio of a rival's time to a row's: the median over rounds, in each of which both met the
/// same machine.
std::optional<Report::Rival> Report::paired(const Row& row, const Row& rival)
{
    std::vector<double> ratios;
    for (const auto& [round, ticks] : rival.ticks)
        if (const auto mine = row.ticks.find(round); mine != row.ticks.end())
            ratios.push_back(ticks / mine->second);
    const auto ratio = Estimate::of(std::move(ratios));
    return ratio ? std::optional{Rival{&rival, *ratio}} : std::nullopt;
}

/// The peers that raced in the same operation as a row.
std::vector<Report::Rival> Report::rivals(const Row& row, bool portable) const
{
    std::vector<Rival> all;
    for (const Row& rival : rows_) {
        if (rival.contender->is_girih || rival.algorithm != row.algorithm ||
            rival.operation != row.operation || (portable && !rival.contender->is_portable()))
            continue;
        if (const auto ratio = paired(row, rival)) all.push_back(*ratio);
    }
    return all;
}

/// The first build of girih in the same operation and on the same engine, unless it is the row's.
std::optional<Report::Rival> Report::first_build(const Row& row) const
{
    const auto first = std::ranges::find_if(rows_, [&](const Row& other) {
        return other.contender->is_girih && other.algorithm == row.algorithm &&
               other.operation == row.operation && other.contender->engine == row.contender->engine;
    });
    return first == rows_.end() || &*first == &row ? std::nullopt : paired(row, *first);
}

std::optional<Report::Rival> Report::fastest(std::vector<Rival> rivals)
{
    const auto least =
        std::ranges::min_element(rivals, {}, [](const Rival& rival) { return rival.ratio.median; });
    return least == rivals.end() ? std::nullopt : std::optional{*least};
}

json Report::operation(const Row& row) const
{
    json entry{{"algorithm", row.algorithm},
               {"operation", row.operation},
               {"engine", row.contender->engine},
               {"compiler", row.contender->compiler},
               {"girih_ns", rounded(row.nanoseconds(), 10)},
               {"girih_p10_ns", rounded(row.nanoseconds(0.1), 10)},
               {"girih_p90_ns", rounded(row.nanoseconds(0.9), 10)},
               {"girih_count", row.count},
               {"peers", json::object()},
               {"ratios", json::object()},
               {"stand_ins", json::object()}};
    for (const Rival& rival : rivals(row)) {
        const std::string& name = rival.row->contender->name;
        entry["peers"][name] = rounded(rival.row->nanoseconds(), 10);
        entry["ratios"][name] = interval(rival.ratio);
        if (!rival.row->stand_in.empty()) entry["stand_ins"][name] = rival.row->stand_in;
    }
    if (const auto first = first_build(row)) entry["first_build_ratio_interval"] = interval(first->ratio);
    for (const bool portable : {false, true}) {
        const auto best = fastest(rivals(row, portable));
        if (!best) continue;
        const std::string ratio = portable ? "portable_ratio" : "ratio";
        entry[portable ? "fastest_portable_peer" : "fastest_peer"] = best->row->contender->name;
        entry[ratio] = rounded(best->ratio.median, 1000);
        entry[ratio + "_interval"] = interval(best->ratio);
        entry[ratio + "_crosses_1"] = best->ratio.crosses_1();
    }
    return entry;
}

json Report::measurement(const Row& row) const
{
    json entry{{"algorithm", row.algorithm},
               {"operation", row.operation},
               {"name", row.contender->name},
               {"girih", row.contender->is_girih},
               {"portable", row.contender->is_portable()},
               {"runs", row.stand_in.empty() ? row.operation : row.stand_in},
               {"ns", rounded(row.nanoseconds(), 10)},
               {"p10_ns", rounded(row.nanoseconds(0.1), 10)},
               {"p90_ns", rounded(row.nanoseconds(0.9), 10)},
               {"ticks", std::round(quantile(row.sorted_ticks, 0.5))},
               {"rounds", row.sorted_ticks.size()},
               {"count", row.count}};
    if (row.messages.empty()) return entry;
    for (int part = 0; part <= message_quantiles; ++part)
        entry["messages_ns"].push_back(rounded(
            lab::nanoseconds(quantile(row.messages, static_cast<double>(part) / message_quantiles)), 10));
    return entry;
}

/// girih's rows, each against one other row, where `required` only those that have one.
Table Report::against(const std::string& title, const std::string& other, bool required,
                      const std::function<std::optional<Rival>(const Row&)>& choose) const
{
    Table table{title,
                {{"algorithm", true},
                 {"operation", true},
                 {"girih", true},
                 {other, true},
                 {"girih us"},
                 {"other us"},
                 {"ratio"},
                 {"95 %"},
                 {""}}};
    for (const Row& row : rows_) {
        const auto chosen = row.contender->is_girih ? choose(row) : std::nullopt;
        if (!row.contender->is_girih || (required && !chosen)) continue;
        Table::Row cells{row.algorithm, row.operation, row.contender->name, "-",
                         microseconds(row.nanoseconds())};
        if (chosen) {
            const auto& [of, ratio] = *chosen;
            cells[3] = of->contender->name + (of->stand_in.empty() ? "" : " [" + of->stand_in + "]");
            cells.insert(cells.end(),
                         {microseconds(of->nanoseconds()), fixed(ratio.median, 2),
                          fixed(ratio.low, 2) + "-" + fixed(ratio.high, 2), ratio.crosses_1() ? "=" : ""});
        }
        cells.resize(9, "-");  // what no peer has stands alone
        table.add(std::move(cells));
    }
    return table;
}

/// One operation of one algorithm, the fastest first.
Table Report::race_of(std::vector<const Row*> rows) const
{
    std::ranges::sort(rows, {}, [](const Row* row) { return row->nanoseconds(); });
    Table table{rows[0]->algorithm + " " + rows[0]->operation,
                {{"", true}, {"", true}, {"median us"}, {"10 %"}, {"90 %"}, {"ticks"}, {"count"}}};
    for (const Row* row : rows)
        table.add({row->contender->name + (row->stand_in.empty() ? "" : " [" + row->stand_in + "]"),
                   row->contender->is_portable() ? "portable" : "", microseconds(row->nanoseconds()),
                   microseconds(row->nanoseconds(0.1)), microseconds(row->nanoseconds(0.9)),
                   fixed(quantile(row->sorted_ticks, 0.5), 0), std::to_string(row->count)});
    return table;
}

/// All tables, and whether each is shown without being asked for.
std::vector<std::pair<Table, bool>> Report::tables() const
{
    std::vector<std::pair<Table, bool>> all;
    const auto fastest_peer = [this](const Row& row) { return fastest(rivals(row)); };
    const auto portable_peer = [this](const Row& row) {
        return row.contender->is_portable() ? fastest(rivals(row, true)) : std::nullopt;
    };
    for (Table table :
         {against("girih against the fastest peer (microseconds; ratio = peer / girih of the same round, its "
                  "median with\n  an interval that the true one is in by 95 %; `=` where 1 is in it too: "
                  "neither is the faster)",
                  "fastest peer", false, fastest_peer),
          against("girih[portable] against the fastest portable peer", "fastest peer", true, portable_peer),
          against("girih's builds against the first (ratio = first / this one)", "first build", true,
                  [this](const Row& row) { return first_build(row); })})
        if (!table.is_empty()) all.emplace_back(std::move(table), true);
    std::vector<const Row*> rows;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        rows.push_back(&rows_[i]);
        if (i + 1 < rows_.size() && rows_[i + 1].algorithm == rows_[i].algorithm &&
            rows_[i + 1].operation == rows_[i].operation)
            continue;
        all.emplace_back(race_of(rows), false);
        rows.clear();
    }
    Table peers{"Peers", {{"peer", true}, {"package", true}, {"code", true}, {"note", true}}};
    const json versions = environment_->value("versions", json::object());
    for (const Contender* peer : peers_)
        peers.add(
            {peer->name, peer->package + " " + versions.value(peer->package, ""), peer->code, peer->note});
    all.emplace_back(std::move(peers), false);

    Table circumstances{"Circumstances", {{"what", true}, {"", true}}};
    for (const char* key : {"cpu", "core", "ticks_per_second", "interruptions"})
        if (environment_->contains(key)) circumstances.add({key, plain((*environment_)[key])});
    const json compilers = environment_->value("compilers", json::object());
    for (const auto& [name, version] : compilers.items()) circumstances.add({name, plain(version)});
    for (const std::string& set : message_sets_) circumstances.add({"messages", set});
    all.emplace_back(std::move(circumstances), false);

    for (const auto& [title, list] : {std::pair{"Remarks", &remarks_}, {"Not in the race", &missing_}}) {
        Table table{title, {{"who", true}, {"why", true}}};
        for (const auto& [who, why] : *list) table.add({who, why});
        if (!table.is_empty()) all.emplace_back(std::move(table), true);
    }
    return all;
}

void Report::finish(const std::filesystem::path& folder)
{
    (*environment_)["ticks_per_second"] = static_cast<std::uint64_t>(std::round(ticks_per_second()));
    (*environment_)["interruptions"] = interruptions();
    (*environment_)["messages"] = message_sets_;
    json result{{"environment", *environment_},
                {"operations", json::array()},
                {"measurements", json::array()},
                {"peers", json::array()},
                {"sizes", *sizes_},
                {"missing", json::array()},
                {"remarks", json::array()}};
    for (const Row& row : rows_) {
        if (row.contender->is_girih) result["operations"].push_back(operation(row));
        result["measurements"].push_back(measurement(row));
    }
    for (const Contender* peer : peers_)
        result["peers"].push_back(
            {{"name", peer->name}, {"package", peer->package}, {"code", peer->code}, {"note", peer->note}});
    for (const auto& [name, reason] : missing_)
        result["missing"].push_back({{"name", name}, {"reason", reason}});
    for (const auto& [name, remark] : remarks_)
        result["remarks"].push_back({{"name", name}, {"remark", remark}});
    std::filesystem::create_directories(folder);
    std::ofstream{folder / "compare.json"} << result.dump(2) << '\n';

    const bool is_with_girih =
        std::ranges::any_of(rows_, [](const Row& row) { return row.contender->is_girih; });
    std::ofstream text{folder / "compare.txt"}, markdown{folder / "compare.md"};
    const char* between = "";
    for (const auto& [table, is_summary] : tables()) {
        text << between << table.text();
        markdown << between << table.markdown();
        if (is_summary || !is_with_girih) std::cout << table.text() << '\n';
        between = "\n";
    }
    std::cout << "All rows: " << (folder / "compare.txt").string() << ", compare.md, compare.json\n";
}

}  // namespace girih::lab
