/// girih_race: girih and its peers, operation by operation, in turn, in one process on one core.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "lab/measure/clock.hpp"
#include "lab/race/contenders.hpp"
#include "lab/race/counted.hpp"
#include "lab/race/report.hpp"

namespace {

using namespace girih::lab;

struct Arguments {
    std::vector<std::string> girih, contenders, algorithms, operations;
    std::vector<std::string> engines{"avx512", "avx2", "portable"};
    std::string vectors, only, environment, out = ".";
    std::size_t count = 2000, rounds = 6;
    double seconds = 540;
    std::optional<int> core;
    std::uint64_t seed = 1;
    bool marked = false;
};

Arguments read_arguments(CLI::App& app, int count, char** words)
{
    Arguments all;
    app.add_option(
           "--girih", all.girih,
           "a build of libgirih.so, with a label for its compiler; may be given again: later builds are "
           "compared with the first")
        ->type_name("LABEL=PATH");
    app.add_option("--engines", all.engines, "the engines of girih that race")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--contender", all.contenders,
                   "any library with the functions of lab/peers/contender/contender.h, with a label that is "
                   "added to its rows; may be given again")
        ->type_name("[LABEL=]PATH");
    app.add_option("--vectors", all.vectors, "the folder of the vectors, for the representative messages")
        ->envname("GIRIH_VECTORS");
    app.add_option("--only", all.only, "only one family of algorithms")
        ->check(CLI::IsMember({"signatures", "falcon", "kem"}));
    app.add_option("--algorithms", all.algorithms,
                   "only these; those that do not race otherwise are ntrulpr653, 857, 953, 1013 and 1277")
        ->delimiter(',');
    app.add_option("--operations", all.operations,
                   "only these (keygen, sign, verify, encapsulate, decapsulate), with their variants")
        ->delimiter(',');
    app.add_option("--count", all.count, "how often everybody does every operation, if the time suffices")
        ->capture_default_str();
    app.add_option("--seconds", all.seconds,
                   "how long it all may take, about; signing gets three times as much of it as the others")
        ->capture_default_str();
    app.add_option("--rounds", all.rounds, "in how many rounds, at least, whatever the time")
        ->capture_default_str();
    app.add_option("--core", all.core, "the core to run on; the last one if not given");
    app.add_option("--seed", all.seed, "where all keys, messages and orders come from")
        ->capture_default_str();
    app.add_option(
        "--environment", all.environment,
        "a JSON file with `versions` of packages, `compilers`, and `failures` of peers that did not build");
    app.add_flag("--marked", all.marked,
                 "no race: each operation once, between marks for an emulator that counts (lab/emulated)");
    app.add_option("--out", all.out, "where compare.json, compare.md and compare.txt go")
        ->capture_default_str();
    app.parse(count, words);
    return all;
}

/// A label, which may be empty, and a path.
std::pair<std::string, std::string> labelled(const std::string& argument)
{
    const std::size_t at = argument.find('=');
    if (at == std::string::npos) return {"", argument};
    return {argument.substr(0, at), argument.substr(at + 1)};
}

/// All contenders that load; the report is told of the others. girih's copies come first: no other
/// thread runs yet when the environment is set for them.
std::vector<Contender> load(const Arguments& arguments, Report& report)
{
    std::vector<Contender> all;
    const auto copies = std::filesystem::path{arguments.out} / "compare/copies";
    const auto unless_it_fails = [&](const std::string& name, auto load) {
        try {
            load();
        } catch (const std::exception& failure) {
            report.left_out(name, failure.what());
        }
    };
    for (const std::string& argument : arguments.girih) {
        const auto build = labelled(argument);
        for (const std::string& engine : arguments.engines)
            unless_it_fails(joined({"girih[", engine, "] ", build.first}),
                            [&] { all.push_back(load_girih(build.first, build.second, engine, copies)); });
    }
    for (const std::string& argument : arguments.contenders) {
        const auto library = labelled(argument);
        unless_it_fails(library.second, [&] {
            std::ranges::move(load_contenders(library.first, library.second), std::back_inserter(all));
        });
    }
    return all;
}

/// Whether a name is in a list of wanted names; an empty list means all.
bool is_chosen(const std::vector<std::string>& list, const std::string& name)
{
    return list.empty() || std::ranges::find(list, name) != list.end();
}

/// A part of the race: an algorithm, and the groups of its operations.
struct Event {
    const Family* family;
    std::string algorithm;
    std::vector<Group> groups;
};

std::vector<Event> plan(const Arguments& arguments)
{
    std::vector<Event> events;
    for (const Family& family : families()) {
        if (!arguments.only.empty() && arguments.only != family.name) continue;
        const auto add = [&](const std::string& algorithm) {
            std::vector<Group> groups = operations_of(algorithm);
            std::erase_if(
                groups, [&](const Group& group) { return !is_chosen(arguments.operations, group[0].name); });
            events.push_back({&family, algorithm, std::move(groups)});
        };
        for (const std::string& algorithm : family.algorithms)
            if (is_chosen(arguments.algorithms, algorithm)) add(algorithm);
        for (const std::string& algorithm : family.on_request)
            if (!arguments.algorithms.empty() && is_chosen(arguments.algorithms, algorithm)) add(algorithm);
    }
    return events;
}

/// Divides the time among the races, and reports their progress.
class Timetable {
  public:
    Timetable(const std::vector<Event>& events, double seconds) : end_(CoreTime::now().elapsed + seconds)
    {
        for (const Event& event : events) {
            for (const Group& group : event.groups) {
                left_ += weight(group);
                ++races_;
            }
        }
        std::cerr << "race: " << races_ << " races, " << seconds << " seconds at most, about\n";
    }

    /// The time at which the next race should end.
    double begin(const std::string& algorithm, const Group& group)
    {
        const double now = CoreTime::now().elapsed;
        const double left = std::max(0.0, end_ - now);
        const double share = left * weight(group) / left_;
        left_ -= weight(group);
        std::cerr << "race: " << ++begun_ << " of " << races_ << ", " << algorithm << " " << group[0].name
                  << ": up to " << fixed(share, 0) << " seconds, " << fixed(left, 0) << " left in all\n";
        return now + share;
    }

  private:
    /// A round of signatures signs the whole set of messages.
    static double weight(const Group& group) { return group[0].signs_the_set() ? 3 : 1; }

    double end_, left_ = 0;
    int races_ = 0, begun_ = 0;
};

/// Races one algorithm among the contenders that compute it right.
void race_algorithm(const Arguments& arguments, const Event& event, const std::vector<Contender>& contenders,
                    Random& random, Timetable& timetable, Report& report)
{
    const Contender* const maker = trusted(event.algorithm, contenders);
    if (maker == nullptr) throw std::runtime_error("nobody to race in " + event.algorithm);
    Material material{event.algorithm, *maker};
    if (event.family->signs) {
        material.messages = representative_messages(event.algorithm, arguments.vectors);
        const bool is_representative = !material.messages.empty();
        Random of_messages{arguments.seed};
        constexpr int stand_ins = 256;
        for (int i = 0; !is_representative && i < stand_ins; ++i)
            material.messages.push_back(of_messages.bytes(32));
        report.add_messages(event.algorithm, material.messages.size(),
                            is_representative ? "benchmark-" + event.algorithm + ".json"
                                              : "pseudo-random messages (no vectors)");
    }
    report.add_sizes(event.algorithm, material, event.family->signs);
    const Admission admission = admit(material, contenders, random);
    report.add_admission(event.algorithm, admission);
    std::vector<const Contender*> admitted;
    for (const Contender& contender : contenders)
        if (!admission.excluded.contains(contender.name)) admitted.push_back(&contender);
    for (const Group& group : event.groups) {
        if (arguments.marked) {
            run_marked(material, group, admitted, random);
            continue;
        }
        const double until = timetable.begin(event.algorithm, group);
        report.add_races(event.algorithm, group,
                         race(material, group, admitted, random, {arguments.count, until, arguments.rounds}));
    }
}

}  // namespace

int main(int count, char** words)
{
    CLI::App app{"Races girih and its peers, operation by operation, in turn, in one process on one core."};
    try {
        const Arguments arguments = read_arguments(app, count, words);
        const auto core = stay_on_core(arguments.core ? arguments.core : last_core());
        if (!core) throw std::runtime_error("cannot stay on that core");
        Report report{arguments.environment, *core};
        const std::vector<Contender> contenders = load(arguments, report);
        Random random{arguments.seed};
        const std::vector<Event> events = plan(arguments);
        Timetable timetable{events, arguments.seconds};
        for (const Event& event : events)
            race_algorithm(arguments, event, contenders, random, timetable, report);
        if (!arguments.marked) report.finish(arguments.out);
        return 0;
    } catch (const CLI::Error& told) {
        return app.exit(told);
    } catch (const std::exception& failure) {
        std::cerr << "race: " << failure.what() << '\n';
        return 1;
    }
}
