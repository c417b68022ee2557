#include "lab/race/contenders.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "lab/peers/contender/contender.h"

namespace girih::lab {

Contender load_girih(const std::string& compiler, const std::filesystem::path& library,
                     const std::string& engine, const std::filesystem::path& copies)
{
    std::string label = compiler;
    std::ranges::replace(label, '/', '-');
    const auto copy = copies / ("libgirih-" + label + "-" + engine + ".so");
    std::filesystem::create_directories(copies);
    std::filesystem::copy_file(library, copy, std::filesystem::copy_options::overwrite_existing);
    setenv("GIRIH_ISA", engine.c_str(), 1);
    const Functions functions = Functions::of(copy.string());
    const char* running = functions.engine();
    if (running == nullptr)
        throw std::runtime_error(std::string{"does not run here: "} + functions.engine_reason());
    if (running != engine)
        throw std::runtime_error(std::string{"this copy runs "} + running +
                                 ": the copies of the library share state (a unique symbol?)");
    Contender girih = girih_contender("girih[" + engine + "] " + compiler, functions);
    girih.engine = engine;
    girih.compiler = compiler;
    return girih;
}

namespace {

struct PeerFunctions {
    decltype(&contender_list) list;
    decltype(&contender_job) job;
    decltype(&contender_run) run;
    decltype(&contender_output) output;
    decltype(&contender_drop) drop;
    decltype(&contender_rest) rest;
};

class PeerJob final : public Job {
  public:
    PeerJob(const PeerFunctions& functions, std::uintptr_t job) : functions_(functions), job_(job) {}
    ~PeerJob() override { functions_.drop(job_); }

    bool run(std::size_t first, std::size_t end) override { return functions_.run(job_, first, end) == 0; }

    [[nodiscard]] Strings outputs() const override
    {
        Strings all;
        for (;;) {
            const std::size_t bytes = functions_.output(job_, all.size(), nullptr, 0);
            if (bytes == SIZE_MAX) return all;
            Bytes output(bytes);
            functions_.output(job_, all.size(), output.data(), bytes);
            all.push_back(std::move(output));
        }
    }

  private:
    const PeerFunctions functions_;
    std::uintptr_t job_;
};

}  // namespace

std::vector<Contender> load_contenders(const std::string& label, const std::filesystem::path& path)
{
    // Never unloaded: a Go runtime cannot be.
    void* const library = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    const auto find = [library](auto*& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (function == nullptr) throw std::runtime_error(dlerror());
    };
    PeerFunctions peer{};
    find(peer.list, "contender_list");
    find(peer.job, "contender_job");
    find(peer.run, "contender_run");
    find(peer.output, "contender_output");
    find(peer.drop, "contender_drop");
    find(peer.rest, "contender_rest");

    std::vector<Contender> all;
    std::istringstream list{peer.list()};
    for (std::string line; std::getline(list, line);) {
        Contender contender{};
        std::istringstream fields{line};
        for (std::string* field : {&contender.name, &contender.package, &contender.code, &contender.note})
            std::getline(fields, *field, '\t');
        if (!label.empty()) contender.name += " (" + label + ")";
        contender.rest = peer.rest;
        contender.job = [peer, index = all.size()](const std::string& algorithm, const std::string& operation,
                                                   const Strings& inputs) -> std::unique_ptr<Job> {
            std::vector<contender_bytes> pointers;
            for (const Bytes& input : inputs) pointers.push_back({input.data(), input.size()});
            const auto job =
                peer.job(index, algorithm.c_str(), operation.c_str(), pointers.data(), pointers.size());
            if (job == 0) return nullptr;
            return std::make_unique<PeerJob>(peer, job);
        };
        all.push_back(std::move(contender));
    }
    return all;
}

}  // namespace girih::lab
