/// Runs operations of the shared library on variants of their inputs that differ in nothing public,
/// and compares the traces of the runs, instruction by instruction:
///
///     GIRIH_ISA=avx2 girih_traces [--only REGEX] [--declassified FILE [--used FILE]] [--check]
///
/// A difference that FILE does not let through is a leak: it is printed with its instruction, its
/// line and its function. --used adds the lines of FILE that let something through to another file.
/// --check compares the translation with the processor's own single steps instead.
#include <girih/girih.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "cases.hpp"
#include "declassified.hpp"
#include "support/every_operation.hpp"

namespace girih::traces {
namespace {

constexpr int skipped = 77;

using Runner = void (*)(const Operation&, Log&);

/// In a child process, so that every variant finds the same stack and heap.
bool run_variant(const Case& one, std::size_t variant, Runner run, Log& log)
{
    const pid_t child = fork();
    if (child == 0) {
        one.prepare(variant);
        run(one.operation, log);
        log.buffers = one.buffers();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char* name_of(Kind kind)
{
    switch (kind) {
        case Kind::path: return "path";
        case Kind::address: return "address";
        case Kind::mask: return "mask";
        case Kind::operand: return "operand";
    }
    return "";
}

void print(std::uint64_t at, Kind kind, const Difference& difference)
{
    std::printf("  %s, %zu times: %s\n", name_of(kind), difference.count, place_of(at).brief().c_str());
    if (kind == Kind::path)
        for (const std::uint64_t next : {difference.first, difference.second})
            std::printf("    goes on at %s\n", next == 0 ? "its end" : place_of(next).brief().c_str());
    if (!place_of(at).is_of_girih()) std::printf("    called at %s\n", place_of(difference.caller).brief().c_str());
}

void look_up_all(const Differences& differences)
{
    std::vector<std::uint64_t> addresses;
    for (const auto& [key, difference] : differences) {
        addresses.insert(addresses.end(), {key.first, difference.caller});
        if (key.second == Kind::path) addresses.insert(addresses.end(), {difference.first, difference.second});
    }
    look_up(addresses);
}

/// The runs of a case and what they differ in.
class Comparison {
  public:
    Comparison(const Case& one, Declassified& declassified) : case_(one), declassified_(declassified)
    {
        std::vector<SharedLog> logs;
        for (std::size_t i = 0; i < one.variants; ++i) logs.push_back(new_log());
        one.prepare(0);
        run_translated(one.operation, *logs[0]);  // copies the code for all
        for (std::size_t i = 0; i < one.variants; ++i)
            if (!run_variant(one, i, run_translated, *logs[i])) fail("variant " + std::to_string(i) + " died");
        if (!failure_.empty()) return;
        check_runs(logs);
        compare_all(logs);
        judge();
    }

    [[nodiscard]] bool is_good() const { return failure_.empty() && leaks_.empty(); }

    void report(double seconds) const
    {
        std::string verdict = !failure_.empty()  ? "FAILED: " + failure_
                              : !leaks_.empty()  ? "LEAKS"
                              : reasons_.empty() ? "equal"
                                                 : "equal but for what is declassified";
        std::printf("%-46s %zu x %9zu steps %6.2f s  %s", case_.name.c_str(), case_.variants, steps_, seconds,
                    verdict.c_str());
        if (compared_ != steps_) std::printf(" (%.0f %% compared)", 100.0 * static_cast<double>(compared_) / static_cast<double>(steps_));
        std::printf("\n");
        for (const auto& [reason, count] : reasons_) std::printf("  %zu places: %s\n", count, reason.c_str());
        for (const auto& [key, difference] : leaks_) print(key.first, key.second, difference);
    }

  private:
    void fail(const std::string& why) { failure_ += (failure_.empty() ? "" : ", ") + why; }

    void check_runs(const std::vector<SharedLog>& logs)
    {
        std::set<std::uint64_t> buffers;
        for (const SharedLog& log : logs) {
            buffers.insert(log->buffers);
            if (!log->is_whole) fail("the log is full");
            if (log->result != GIRIH_OK) fail("the operation failed");
        }
        if (buffers.size() != logs.size()) fail("variants have the same inputs and outputs");
    }

    void compare_all(const std::vector<SharedLog>& logs)
    {
        Trace first = expand(*logs[0]);
        steps_ = compared_ = first.size();
        const auto is_first = [&](const SharedLog& log) { return is_equal(*log, *logs[0]); };
        if (std::ranges::all_of(logs, is_first)) return;
        declassified_.cut_from(first, case_.name);
        compared_ = first.size();
        for (const SharedLog& log : logs) {
            if (is_first(log)) continue;
            Trace other = expand(*log);
            declassified_.cut_from(other, case_.name);
            if (!compare(first, other, differences_)) fail("the traces never meet again");
        }
    }

    void judge()
    {
        look_up_all(differences_);
        for (const auto& [key, difference] : differences_) {
            const auto* reason = declassified_.reason(case_.name, key.first, key.second, difference.caller);
            if (reason != nullptr)
                ++reasons_[*reason];
            else
                leaks_[key] = difference;
        }
        if (compared_ != steps_) ++reasons_["cut out"];
    }

    const Case& case_;
    Declassified& declassified_;
    std::string failure_;
    std::size_t steps_ = 0, compared_ = 0;
    Differences differences_, leaks_;
    std::map<std::string, std::size_t> reasons_;
};

/// Whether single steps log what the translation does.
bool check_translation(const Case& one)
{
    const SharedLog stepped = new_log(), translated = new_log();
    const bool ran = run_variant(one, 0, run_stepped, *stepped) && run_variant(one, 0, run_translated, *translated);
    const Trace a = ran ? expand(*stepped) : Trace{}, b = ran ? expand(*translated) : Trace{};
    const auto [x, y] = std::ranges::mismatch(a, b);
    const bool is_same = ran && x == a.end() && y == b.end();
    std::printf("%-46s %zu steps %s\n", one.name.c_str(), a.size(), is_same ? "agree" : "DISAGREE");
    if (ran && !is_same && x != a.end())
        std::printf("  step %td: %s\n", x - a.begin(), place_of(x->at).brief().c_str());
    return is_same;
}

struct Options {
    std::regex only{""};
    Declassified declassified;
    const char* used = nullptr;
    bool checks = false;
};

Options parse(int count, char** arguments)
{
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string option = arguments[i];
        const bool has_value = i + 1 < count;
        if (option == "--check") {
            options.checks = true;
        } else if (option == "--only" && has_value) {
            options.only = std::regex{arguments[++i]};
        } else if (option == "--declassified" && has_value) {
            options.declassified = Declassified{arguments[++i]};
        } else if (option == "--used" && has_value) {
            options.used = arguments[++i];
        } else {
            std::fprintf(stderr, "unknown option: %s\n", option.c_str());
            std::exit(2);
        }
    }
    return options;
}

/// Addresses are the same in every run, and the loader binds nothing later.
void fix_addresses(char** arguments)
{
    constexpr unsigned long question = 0xFFFFFFFF;
    const int persona = personality(question);
    if ((persona & ADDR_NO_RANDOMIZE) != 0 && std::getenv("LD_BIND_NOW") != nullptr) return;
    setenv("LD_BIND_NOW", "1", 1);
    if (personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) >= 0) execv("/proc/self/exe", arguments);
    std::perror("personality");
    std::exit(2);
}

int run_all(Options options)
{
    if (girih_engine() == nullptr) {
        std::printf("skipped: %s\n", girih_engine_reason());
        return skipped;
    }
    prepare_runs();
    std::size_t good = 0, bad = 0;
    const auto run = [&](const Case& one) {
        const auto begin = std::chrono::steady_clock::now();
        bool is_good = false;
        if (options.checks) {
            is_good = check_translation(one);
        } else {
            const Comparison comparison{one, options.declassified};
            is_good = comparison.is_good();
            comparison.report(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
        ++(is_good ? good : bad);
    };
    for (const char* name : test::all_names()) {
        for (const Case& one : cases_of(name, options.only)) run(one);
        for (const Case& one : key_file_cases_of(name, options.only)) run(one);
    }
    if (options.used != nullptr) options.declassified.add_used_to(options.used);
    std::printf("%s: %zu passed, %zu failed\n", girih_engine(), good, bad);
    return bad == 0 && good != 0 ? 0 : 1;
}

}  // namespace
}  // namespace girih::traces

/// The program is in a library beside those it traces, because copied code reaches two gigabytes.
extern "C" [[gnu::visibility("default")]] int girih_traces_main(int count, char** arguments)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    girih::traces::fix_addresses(arguments);
    return girih::traces::run_all(girih::traces::parse(count, arguments));
}
