#include "cli/manifest/manifest.hpp"

#include <girih/batch.hpp>
#include <girih/detail/keys.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/manifest/rows.hpp"
#include "cli/manifest/verdict.hpp"
#include "cli/output/json.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/terminal.hpp"
#include "cli/signatures/message.hpp"
#include "cli/signatures/signature_file.hpp"
#include "cli/system/failure.hpp"

namespace girih::cli {
namespace {

/// A line of the manifest, and its result.
struct Row {
    ManifestRow names;
    Verdict verdict = Verdict::error;
    std::string reason;
    bool is_by_certificate = false;
};

/// Longer messages are read one by one, in pieces.
constexpr std::size_t max_batched_bytes = std::size_t{1} << 20;

/// The limits of a batch for each thread: rows, and bytes of their messages, signatures and
/// prepared keys (plus one message).
constexpr std::size_t rows_of_a_thread = 128;
constexpr std::size_t bytes_of_a_thread = std::size_t{2} << 20;

/// The number of prepared public keys in the cache; the largest key takes 66 KB.
constexpr std::size_t max_kept_keys = 64;

constexpr std::size_t piece_bytes = std::size_t{64} << 10;

/// Reads the rows of a manifest's file.
class Reader {
  public:
    explicit Reader(const std::string& path) : path_(path), file_(path), piece_(piece_bytes) {}

    /// Parses the whole manifest, if it can be read twice, so that errors are found at once.
    /// Returns the number of rows.
    [[nodiscard]] std::optional<std::size_t> count()
    {
        if (!file_.rewind()) return {};
        std::size_t rows = 0;
        while (next()) ++rows;
        if (!file_.rewind()) throw Failure(exit_file, input_name(path_) + ": cannot be read twice");
        rows_ = {};
        return rows;
    }

    [[nodiscard]] std::optional<ManifestRow> next()
    {
        try {
            for (;;) {
                if (auto row = rows_.next()) return row;
                const std::size_t got = file_.read(piece_);
                if (got == 0) {
                    rows_.end();
                    return rows_.next();
                }
                rows_.append({reinterpret_cast<const char*>(piece_.data()), got});
            }
        } catch (const MalformedManifest& malformed) {
            throw Failure(exit_file, input_name(path_) + ": " + malformed.what());
        }
    }

  private:
    std::string path_;
    Input file_;
    std::vector<std::uint8_t> piece_;
    ManifestRows rows_;
};

/// The report on standard output, printed while rows are checked.
class Report {
  public:
    explicit Report(bool is_json) : is_json_(is_json) {}

    void add(const std::vector<Row>& rows)
    {
        std::string text;
        for (const Row& row : rows) {
            tally_.add(row.verdict, row.names.message, row.reason);
            if (row.is_by_certificate) ++by_certificates_;
            text += is_json_ ? json_row(row) : line_of(row.verdict, row.names.message, row.reason);
            is_empty_ = false;
        }
        print(text);
    }

    /// Ends the report, with the failure, if any.
    void end(const Failure* failure)
    {
        if (!is_json_) {
            if (failure == nullptr || was_completed_) print(tally_.summary() + "\n");
            return;
        }
        Json last{{"summary", tally_.summary()}, {"ok", failure == nullptr}};
        if (failure != nullptr) {
            last["error"] = failure->what();
            last["exit_code"] = static_cast<int>(failure->code());
        }
        // Appends the members of `last` to the object after the list.
        print((is_empty_ ? "{\n  \"rows\": [],\n" : "\n  ],\n") + text_of(last).substr(2) + "\n");
    }

    /// Marks that all rows were reported.
    void complete() { was_completed_ = true; }

    [[nodiscard]] const Tally& tally() const { return tally_; }
    [[nodiscard]] std::size_t by_certificates() const { return by_certificates_; }

  private:
    [[nodiscard]] std::string json_row(const Row& row) const
    {
        Json object{{"line", row.names.line},           {"public", row.names.key},
                    {"signature", row.names.signature}, {"message", row.names.message},
                    {"result", name_of(row.verdict)},   {"reason", row.reason}};
        if (row.is_by_certificate) object["certificate_checked"] = false;
        std::string text = "    ";
        for (const char c : text_of(object)) {
            text += c;
            if (c == '\n') text += "    ";
        }
        return (is_empty_ ? "{\n  \"rows\": [\n" : ",\n") + text;
    }

    bool is_json_;
    bool is_empty_ = true;
    bool was_completed_ = false;
    Tally tally_{"signatures"};
    std::size_t by_certificates_ = 0;
};

/// A prepared public key for all lines that name its file.
class Key {
  public:
    Key(const std::string& path, const girih_alg* alg)
        : file_(load_public_key(path, alg, Use::signatures)), prepared_(prepare(key()))
    {
    }
    [[nodiscard]] const key_files::PublicKey& key() const { return file_.key; }
    [[nodiscard]] bool is_certificate() const { return file_.is_certificate; }
    [[nodiscard]] const girih_verifying_key* prepared() const { return prepared_.c_key(); }

  private:
    [[nodiscard]] static detail::PreparedVerifying prepare(const key_files::PublicKey& key)
    try {
        return {key.alg, key.bytes};
    } catch (const Exception& exception) {
        throw Failure(exit_file, exception.what());
    }

    LoadedPublicKey file_;
    detail::PreparedVerifying prepared_;
};

/// A cache of the keys used last.
class Keys {
  public:
    explicit Keys(const girih_alg* alg) : alg_(alg) {}

    [[nodiscard]] std::shared_ptr<const Key> of(const std::string& path)
    {
        ++now_;
        if (const auto known = keys_.find(path); known != keys_.end()) {
            known->second.last_use = now_;
            return known->second.key;
        }
        auto key = std::make_shared<const Key>(path, alg_);
        if (keys_.size() == max_kept_keys)
            keys_.erase(std::min_element(keys_.begin(), keys_.end(), [](const auto& a, const auto& b) {
                return a.second.last_use < b.second.last_use;
            }));
        keys_[path] = {key, now_};
        return key;
    }

  private:
    struct Kept {
        std::shared_ptr<const Key> key;
        std::size_t last_use = 0;
    };

    const girih_alg* alg_;
    std::map<std::string, Kept> keys_;
    std::size_t now_ = 0;
};

/// Checks the lines of a manifest in batches that keep all threads busy.
class Checking {
  public:
    Checking(const MessageInput& message, const girih_alg* alg, unsigned threads,
             std::optional<std::size_t> rows, Report& report)
        : message_(message),
          threads_(threads),
          keys_(alg),
          report_(report),
          progress_(rows, Progress::Unit::signatures)
    {
        rows_.reserve(rows_of_a_thread * threads_);
    }

    /// Checks a row, or adds it to the batch.
    void add(ManifestRow names)
    {
        rows_.push_back({std::move(names), Verdict::error, "", false});
        try {
            take(rows_.size() - 1);
        } catch (const Failure& failure) {
            finish(rows_.size() - 1, Verdict::error, reason_of(failure, rows_.back().names.message));
        }
        if (rows_.size() == rows_of_a_thread * threads_ || kept_bytes_ >= bytes_of_a_thread * threads_)
            flush();
    }

    /// Checks the rows of the batch, and reports all.
    void flush()
    {
        for (auto& [alg, batch] : batches_) check(alg, batch);
        batches_.clear();
        keys_of_batches_.clear();
        kept_bytes_ = 0;
        report_.add(rows_);
        rows_.clear();
    }

  private:
    struct Kept {
        std::size_t row;
        std::shared_ptr<const Key> key;
        std::vector<std::uint8_t> signature;
        key_files::SecretBytes message;
    };

    void take(std::size_t row)
    {
        const ManifestRow& names = rows_[row].names;
        auto key = keys_.of(names.key);
        rows_[row].is_by_certificate = key->is_certificate();
        const girih_alg* const alg = key->key().alg;
        SignatureFile signature = read_signature(names.signature);
        if (signature.text) return check_text(row, *key, signature);
        Kept kept{row, std::move(key), std::move(signature.bytes), {}};
        Input file(names.message);
        const auto size = file.size();
        if (message_.is_mu() || !size || *size > max_batched_bytes) return check_alone(kept);
        (void)message_.options_for(kept.key->key());
        kept.message = read_small(file, max_batched_bytes);
        if (kept.message.size() > max_batched_bytes) return check_alone(kept);
        message_.with_path(names.message).refuse_mark(alg, kept.message);
        kept_bytes_ += kept.message.size() + kept.signature.size();
        if (keys_of_batches_.insert(kept.key.get()).second) kept_bytes_ += girih_verifying_key_size(alg);
        batches_[alg].push_back(std::move(kept));
    }

    void check_text(std::size_t row, const Key& key, const SignatureFile& signature)
    {
        if (!key_of(*signature.text, key.key()))
            return finish(row, Verdict::bad, "is by the key " + signature.text->fingerprint);
        judge(row, verify(signature, message_.with_path(rows_[row].names.message), {&key.key(), 1}).front());
    }

    void check_alone(const Kept& kept)
    {
        const MessageInput message = message_.with_path(rows_[kept.row].names.message);
        if (girih_has_mu(kept.key->key().alg) == 0)
            return judge(kept.row, message.verify(kept.key->key(), kept.signature));
        const Mu mu = message.representative(kept.key->key());
        judge(kept.row, girih_verify_mu_prepared(kept.key->prepared(), mu.data(), mu.size(),
                                                 kept.signature.data(), kept.signature.size()));
    }

    void check(const girih_alg* alg, const std::vector<Kept>& batch)
    {
        std::vector<girih_options> options;  // a key's file may name a pre-hash
        for (const Kept& kept : batch) options.push_back(message_.options_for(kept.key->key()));
        std::vector<VerifyRow> rows;
        for (std::size_t i = 0; i < batch.size(); ++i)
            rows.push_back({batch[i].key->prepared(), nullptr, 0, batch[i].message.data(),
                            batch[i].message.size(), &options[i], batch[i].signature.data(),
                            batch[i].signature.size(), GIRIH_ERROR_ARGUMENT});
        (void)verify_many(alg, rows, threads_);
        for (std::size_t i = 0; i < batch.size(); ++i) judge(batch[i].row, rows[i].result);
    }

    void judge(std::size_t row, int code)
    {
        if (code == GIRIH_OK) return finish(row, Verdict::good, "");
        finish(row, code == GIRIH_ERROR_SIGNATURE ? Verdict::bad : Verdict::error, girih_error_text(code));
    }

    void finish(std::size_t row, Verdict verdict, const std::string& reason)
    {
        rows_[row].verdict = verdict;
        rows_[row].reason = reason;
        progress_.add(1);
    }

    const MessageInput& message_;
    unsigned threads_;
    Keys keys_;
    Report& report_;
    Progress progress_;
    std::vector<Row> rows_;
    std::map<const girih_alg*, std::vector<Kept>> batches_;
    std::set<const Key*> keys_of_batches_;
    std::size_t kept_bytes_ = 0;
};

/// Checks all rows that `next` gives, and reports each. `list` is their list's name for errors.
void verify_rows(const std::function<std::optional<ManifestRow>()>& next, std::optional<std::size_t> total,
                 const std::string& list, const MessageInput& message, const girih_alg* alg, unsigned threads,
                 bool json)
{
    Report report(json);
    try {
        {
            Checking checking(message, alg, threads, total, report);
            while (auto row = next()) checking.add(std::move(*row));
            checking.flush();
        }
        report.complete();
        if (const auto failure = report.tally().failure(list)) throw Failure(*failure);
    } catch (...) {
        const Failure failure = current_failure();
        report.end(&failure);
        throw failure.reported();
    }
    report.end(nullptr);
    if (report.by_certificates() != 0)
        warn(std::to_string(report.by_certificates()) +
             " signatures are by keys in certificates, whose own signatures and dates are not checked");
}

}  // namespace

void verify_manifest(const std::string& path, const MessageInput& message, const girih_alg* alg,
                     unsigned threads, bool json)
{
    require_standard_output();
    Reader reader(path);
    const auto total = reader.count();
    verify_rows([&] { return reader.next(); }, total, input_name(path), message, alg, threads, json);
}

void verify_files(const std::string& key, const std::vector<std::string>& messages,
                  const MessageInput& message, const girih_alg* alg, unsigned threads, bool json)
{
    require_standard_output();
    std::size_t taken = 0;
    const auto next = [&]() -> std::optional<ManifestRow> {
        if (taken == messages.size()) return {};
        const std::string& path = messages[taken++];
        return ManifestRow{taken, key, path + signature_suffix, path};
    };
    verify_rows(next, messages.size(), input_name(key), message, alg, threads, json);
}

}  // namespace girih::cli
