#include "cli/manifest.hpp"

#include <girih/batch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cli/failure.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/keys.hpp"
#include "cli/message.hpp"
#include "cli/progress.hpp"

namespace girih::cli {
namespace {

/// A line of the manifest, and what became of it.
struct Row {
    enum class Result { unknown, good, bad, error };

    std::size_t line;
    std::string key;
    std::string signature;
    std::string message;
    Result result = Result::unknown;
    std::string reason;
};

constexpr std::size_t most_manifest_bytes = std::size_t{1} << 30;
/// Longer messages are read piece by piece, each by itself.
constexpr std::size_t most_batched_bytes = std::size_t{1} << 20;
/// Signatures that are checked in one call.
constexpr std::size_t rows_of_a_batch = 512;

std::vector<std::string> fields_of(const std::string& line)
{
    const char* const separators = line.find('\t') != std::string::npos ? "\t" : " ";
    std::vector<std::string> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
        if (end > begin || separators[0] == '\t') fields.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return fields;
}

std::vector<Row> read_manifest(const std::string& path)
{
    const auto bytes = read_small(path, most_manifest_bytes);
    const std::string text(bytes.begin(), bytes.end());
    std::vector<Row> rows;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        if (line.ends_with('\r')) line.pop_back();
        if (line.empty() || line.starts_with('#')) continue;
        const auto fields = fields_of(line);
        const auto is_no_file = [](const std::string& field) { return field.empty() || field == "-"; };
        if (fields.size() != 3 || std::any_of(fields.begin(), fields.end(), is_no_file))
            throw Failure(exit_file, input_name(path) + ": line " + std::to_string(number) +
                                         ": not the names of a public key, a signature and a message");
        rows.push_back({number, fields[0], fields[1], fields[2], Row::Result::unknown, ""});
    }
    return rows;
}

/// A public key, prepared once for all lines that name its file.
class Key {
  public:
    Key(const std::string& path, const girih_alg* alg)
        : key_(load_public_key(path, alg, Use::signatures)), memory_(girih_verifying_key_size(key_.alg))
    {
        expect_ok(girih_prepare_verifying_key(key_.alg, key_.bytes.data(), key_.bytes.size(), memory_.data(),
                                              memory_.size(), &prepared_));
    }
    [[nodiscard]] const key_files::PublicKey& key() const { return key_; }
    [[nodiscard]] const girih_verifying_key* prepared() const { return prepared_; }

  private:
    key_files::PublicKey key_;
    detail::PreparedMemory memory_;
    girih_verifying_key* prepared_ = nullptr;
};

/// The lines of a manifest on their way to their results.
class Checking {
  public:
    Checking(const Message& message, const girih_alg* alg, unsigned threads, std::size_t rows)
        : message_(message), alg_(alg), threads_(threads), progress_(rows, Progress::Unit::signatures)
    {
    }

    /// Checks a row, or keeps it for a batch.
    void add(Row& row)
    {
        try {
            take(row);
        } catch (const Failure& failure) {
            finish(row, Row::Result::error, failure.what());
        }
    }

    /// Checks the rows that were kept.
    void flush()
    {
        for (auto& [alg, batch] : batches_) check(alg, batch);
    }

  private:
    struct Kept {
        Row* row;
        const Key* key;
        key_files::SecretBytes signature;
        key_files::SecretBytes message;
    };

    const Key& key_of(const std::string& path)
    {
        std::unique_ptr<Key>& key = keys_[path];
        if (!key) key = std::make_unique<Key>(path, alg_);
        return *key;
    }

    void take(Row& row)
    {
        const Key& key = key_of(row.key);
        const girih_alg* const alg = key.key().alg;
        Kept kept{&row, &key, read_small(row.signature, girih_signature_bytes(alg)), {}};
        const auto size = Input(row.message).size();
        if (message_.is_mu() || !size || *size > most_batched_bytes) return check_alone(kept);
        (void)message_.options_for(alg);
        kept.message = read_small(row.message, most_batched_bytes);
        if (kept.message.size() > most_batched_bytes) return check_alone(kept);
        auto& batch = batches_[alg];
        batch.push_back(std::move(kept));
        if (batch.size() == rows_of_a_batch) check(alg, batch);
    }

    void check_alone(const Kept& kept)
    {
        const Message message = message_.of(kept.row->message);
        if (girih_has_mu(kept.key->key().alg) == 0)
            return judge(*kept.row, message.verify(kept.key->key(), kept.signature));
        const Mu mu = message.representative(kept.key->key());
        judge(*kept.row, girih_verify_mu_prepared(kept.key->prepared(), mu.data(), mu.size(),
                                                  kept.signature.data(), kept.signature.size()));
    }

    void check(const girih_alg* alg, std::vector<Kept>& batch)
    {
        const girih_options options = message_.options_for(alg);
        std::vector<VerifyRow> rows;
        for (const Kept& kept : batch)
            rows.push_back(verify_row(kept, kept.message, kept.signature, &options));
        (void)verify_many(alg, rows, threads_);
        for (std::size_t i = 0; i < batch.size(); ++i) judge(*batch[i].row, rows[i].result);
        batch.clear();
    }

    static VerifyRow verify_row(const Kept& kept, std::span<const std::uint8_t> message,
                                std::span<const std::uint8_t> signature, const girih_options* options)
    {
        return {kept.key->prepared(), nullptr,          0,
                message.data(),       message.size(),   options,
                signature.data(),     signature.size(), GIRIH_ERROR_ARGUMENT};
    }

    void judge(Row& row, int code)
    {
        if (code == GIRIH_OK) return finish(row, Row::Result::good, "");
        finish(row, code == GIRIH_ERROR_SIGNATURE ? Row::Result::bad : Row::Result::error,
               girih_error_text(code));
    }

    void finish(Row& row, Row::Result result, const std::string& reason)
    {
        row.result = result;
        row.reason = reason;
        progress_.add(1);
    }

    const Message& message_;
    const girih_alg* alg_;
    unsigned threads_;
    Progress progress_;
    std::map<std::string, std::unique_ptr<Key>> keys_;
    std::map<const girih_alg*, std::vector<Kept>> batches_;
};

std::string_view name_of(Row::Result result)
{
    constexpr std::array<std::string_view, 4> names{"unknown", "good", "bad", "error"};
    return names[static_cast<std::size_t>(result)];
}

/// "12 signatures: 9 good, 2 bad, 1 error"
std::string summary(const std::vector<Row>& rows)
{
    std::string text = std::to_string(rows.size()) + " signatures:";
    for (const auto result : {Row::Result::good, Row::Result::bad, Row::Result::error}) {
        const auto count = std::count_if(rows.begin(), rows.end(),
                                         [result](const Row& row) { return row.result == result; });
        text += (result == Row::Result::good ? " " : ", ") + std::to_string(count) + " " +
                std::string(name_of(result));
    }
    return text;
}

void print_rows(const std::vector<Row>& rows, bool json)
{
    if (json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const Row& row : rows)
            list.push_back({{"line", row.line},
                            {"public", row.key},
                            {"signature", row.signature},
                            {"message", row.message},
                            {"result", name_of(row.result)},
                            {"reason", row.reason}});
        print_json({{"summary", summary(rows)}, {"rows", list}});
        return;
    }
    std::string text;
    for (const Row& row : rows) {
        std::string result{name_of(row.result)};
        result.resize(6, ' ');
        text += result + row.message + (row.reason.empty() ? "" : ": " + row.reason) + "\n";
    }
    print(text + summary(rows) + "\n");
}

}  // namespace

int verify_manifest(const std::string& path, const Message& message, const girih_alg* alg, unsigned threads,
                    bool json)
{
    std::vector<Row> rows = read_manifest(path);
    {
        Checking checking{message, alg, threads, rows.size()};
        for (Row& row : rows) checking.add(row);
        checking.flush();
    }
    print_rows(rows, json);
    const auto has = [&rows](Row::Result result) {
        return std::any_of(rows.begin(), rows.end(),
                           [result](const Row& row) { return row.result == result; });
    };
    if (has(Row::Result::error)) throw Failure(exit_file, input_name(path) + ": " + summary(rows));
    if (has(Row::Result::bad)) throw Failure(exit_unverified, input_name(path) + ": " + summary(rows));
    return exit_good;
}

}  // namespace girih::cli
