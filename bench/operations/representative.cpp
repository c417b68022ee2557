#include "bench/operations/representative.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/operations/operations.hpp"
#include "bench/support/table.hpp"

namespace girih::bench {

namespace {

using Messages = std::vector<std::string>;

/// The folder that GIRIH_VECTORS names, or else shared/vectors beside the folder of the source.
std::filesystem::path vectors()
{
    const char* named = std::getenv("GIRIH_VECTORS");
    return named != nullptr ? named : GIRIH_VECTORS_BESIDE_SOURCE;
}

/// The messages in a file, a JSON array of strings; none if it cannot be read as one.
Messages read_messages(const std::filesystem::path& path)
try {
    std::ifstream file{path};
    return nlohmann::json::parse(file).get<Messages>();
} catch (const nlohmann::json::exception&) {
    return {};
}

/// Signs all messages, deterministically, with the key of an all-zero seed. An iteration is one of
/// them, and the row ends with the last, so that its time is the mean of all.
void sign_all(benchmark::State& state, const girih_alg* algorithm, const Messages& messages)
{
    Signer signer{algorithm, 0};
    signer.set_seed(0);
    if (const int error = signer.keygen()) return fail(state, failure("keygen", error));
    Durations durations{state};
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(messages.size()))) {
        for (const std::string& message : messages) {
            signer.set_message({reinterpret_cast<const Byte*>(message.data()), message.size()});
            if (const int error = durations.time([&] { return signer.sign(); }))
                return fail(state, failure("sign", error));
            if (const int error = signer.verify()) return fail(state, failure("verify", error));
        }
    }
    durations.report(messages.size());
}

}  // namespace

std::string add_representative_rows()
{
    const std::filesystem::path folder = vectors() / "cctv";
    for (const std::string set : {"44", "65", "87"}) {
        const std::filesystem::path path = folder / ("benchmark-ML-DSA-" + set + ".json");
        auto messages = std::make_shared<const Messages>(read_messages(path));
        if (messages->empty())
            return "skipped: no messages in " + path.lexically_normal().string() +
                   " (GIRIH_VECTORS names the folder of vectors)";
        const std::string name = "bench_ml_dsa::sign_representative<" + set + ">";
        const girih_alg* algorithm = girih_algorithm(("ML-DSA-" + set).c_str());
        add_operation_row(name, [=](benchmark::State& state) { sign_all(state, algorithm, *messages); });
    }
    return folder.lexically_normal().string();
}

}  // namespace girih::bench
