/// A program that runs with more rights than its user ignores GIRIH_ISA: girih_elevated
///
/// Makes a copy of itself that changes its group (set-group-ID) and starts that with GIRIH_ISA set.
/// The copy prints AT_SECURE, which the kernel sets, and the engine that runs. Skipped (code 77) if
/// there is no such group, or the file system does not allow it.
#include <girih/girih.h>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int not_elevated = 76;
constexpr int skipped = 77;
constexpr const char* variable = "GIRIH_ISA";

/// Run by the copy: 0 if the engine is the expected one.
int report(std::string_view expected)
{
    if (getauxval(AT_SECURE) == 0) return not_elevated;
    const char* engine = girih_engine();
    std::printf("elevated: GIRIH_ISA=%s, engine %s (%s)\n", std::getenv(variable),
                engine == nullptr ? "none" : engine, girih_engine_reason());
    return engine != nullptr && engine == expected ? 0 : 1;
}

/// A group that this process may give to a file, but does not run in.
std::optional<gid_t> other_group()
{
    if (geteuid() == 0) return getegid() == 65534 ? 65533 : 65534;
    std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, getgroups(0, nullptr))));
    if (getgroups(static_cast<int>(groups.size()), groups.data()) < 0) return {};
    const auto other =
        std::ranges::find_if(groups, [](gid_t group) { return group != getegid() && group != getgid(); });
    return other == groups.end() ? std::nullopt : std::optional{*other};
}

/// Runs the program with GIRIH_ISA, and returns its exit status.
int status_of(const std::string& program, const char* name, const char* expected)
{
    const pid_t child = fork();
    if (child == 0) {
        setenv(variable, name, 1);
        execl(program.c_str(), program.c_str(), "report", expected, nullptr);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 126;
    return WEXITSTATUS(status);
}

int run()
{
    unsetenv(variable);
    const std::string best = girih_engine();  // chosen here without a name
    std::string folder = (std::filesystem::temp_directory_path() / "girih-elevated-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return 1;
    const std::string copy = folder + "/elevated";
    std::filesystem::copy_file("/proc/self/exe", copy);
    int result = skipped;
    const auto group = other_group();
    if (group && chown(copy.c_str(), static_cast<uid_t>(-1), *group) == 0 &&
        chmod(copy.c_str(), 02755) == 0 && chmod(folder.c_str(), 0755) == 0) {
        // An engine that every processor has and that is not the best, and one that none has.
        result = status_of(copy, "reference", best.c_str());
        if (result == 0) result = status_of(copy, "no such engine", best.c_str());
        if (result == not_elevated) result = skipped;
    }
    std::filesystem::remove_all(folder);
    if (result == skipped) std::puts("skipped: no set-group-ID program can be run here");
    return result;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc == 3 && std::string_view{argv[1]} == "report") return report(argv[2]);
    return run();
}
