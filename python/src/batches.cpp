/// Batches: rows are read in windows with the interpreter's lock, and processed without it.
#include <girih/batch.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "key_table.hpp"
#include "lock.hpp"
#include "options.hpp"
#include "output.hpp"

namespace girih::python {
namespace {

/// Rows between two calls of `progress`: enough for lanes and threads, and little memory.
constexpr std::size_t window_rows = 16384;
constexpr unsigned max_threads = 1024;

/// A non-null pointer for columns without bytes.
constexpr std::uint8_t nothing[1] = {};

/// A column, and its cells in the current window.
struct Input {
    std::unique_ptr<Column> column;  ///< if null, cells have no bytes
    std::vector<Cell> cells;

    void read(std::size_t first, std::size_t count)
    {
        cells.resize(count);
        if (column != nullptr) column->read(first, cells);
    }
};

/// An integer, clamped to the type's range.
Py_ssize_t integer_of(nb::handle object, const char* name)
{
    if (PyIndex_Check(object.ptr()) == 0)
        throw nb::type_error((std::string{name} + " must be an int, not " + name_of_type(object)).c_str());
    const Py_ssize_t number = PyNumber_AsSsize_t(object.ptr(), nullptr);
    if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return number;
}

/// The columns of a batch, which must have equal lengths.
class Columns {
  public:
    [[nodiscard]] Input add(nb::handle object, const char* name, Use use = Use::data)
    {
        auto column = column_of(object, name, use);
        if (const auto rows = column->rows()) demand_rows(*rows, name);
        return {std::move(column), {}};
    }
    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
    /// The number of rows, or `count` if no column determines it.
    [[nodiscard]] std::size_t rows_or(nb::handle count) const
    {
        const Py_ssize_t asked = integer_of(count, "count");
        if (asked < 0) fail(GIRIH_ERROR_ARGUMENT, "count", std::to_string(asked) + " rows");
        return first_ != nullptr ? rows_ : static_cast<std::size_t>(asked);
    }

  private:
    void demand_rows(std::size_t rows, const char* name)
    {
        if (first_ == nullptr) {
            first_ = name;
            rows_ = rows;
        } else if (rows != rows_) {
            fail(GIRIH_ERROR_LENGTH, name,
                 std::to_string(rows) + " rows, " + first_ + " has " + std::to_string(rows_));
        }
    }

    const char* first_ = nullptr;
    std::size_t rows_ = 0;
};

unsigned demand_threads(nb::handle object)
{
    const Py_ssize_t threads = integer_of(object, "threads");
    if (threads < 1 || threads > max_threads)
        fail(GIRIH_ERROR_ARGUMENT, "threads",
             std::to_string(threads) + ", 1 to " + std::to_string(max_threads));
    return static_cast<unsigned>(threads);
}

struct Job {
    Job(const girih_alg* its_alg, std::size_t its_rows, nb::handle its_threads, nb::handle its_progress)
        : alg(its_alg), rows(its_rows), threads(demand_threads(its_threads)), progress(its_progress)
    {
        if (!progress.is_none() && PyCallable_Check(progress.ptr()) == 0)
            throw nb::type_error("progress must be callable, or None");
    }

    const girih_alg* alg;
    std::size_t rows;
    unsigned threads;
    nb::handle progress;
};

/// Calls window(first, count) for all rows, with the interpreter's lock. Ctrl-C and exceptions of
/// `progress` end the batch between two windows.
template <class Window>
void for_each_window(const Job& job, const Window& window)
{
    for (std::size_t first = 0; first < job.rows;) {
        const std::size_t count = std::min(window_rows, job.rows - first);
        window(first, count);
        first += count;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!job.progress.is_none()) job.progress(first, job.rows);
    }
}

std::int8_t& code_at(const Output& codes, std::size_t row)
{
    return *reinterpret_cast<std::int8_t*>(codes.row(row).data());
}

/// A window of rows of the C interface's type, without incomplete ones.
template <class Row>
struct Rows {
    std::vector<Row> rows;
    std::vector<std::size_t> places;  ///< the index of each row in the batch

    void clear()
    {
        rows.clear();
        places.clear();
    }
    void add(Row row, std::size_t place)
    {
        rows.push_back(row);
        places.push_back(place);
    }
    void codes_to(const Output& codes) const
    {
        for (std::size_t i = 0; i < rows.size(); ++i)
            code_at(codes, places[i]) = static_cast<std::int8_t>(rows[i].result);
    }
};

/// Whether to process a row; if not, writes its code.
bool wanted(const Output& codes, std::size_t row, std::initializer_list<Cell> cells)
{
    int code = GIRIH_OK;
    for (const Cell& cell : cells)
        if (cell.code == null_row || (cell.code != GIRIH_OK && code == GIRIH_OK)) code = cell.code;
    code_at(codes, row) = static_cast<std::int8_t>(code);
    return code == GIRIH_OK;
}

const std::uint8_t* data_of(const Cell& cell) noexcept { return cell.data != nullptr ? cell.data : nothing; }

/// The keys of a window; keys with several rows are prepared, and secret keys that came as bytes
/// checked.
template <class Prepared>
class Keys {
  public:
    using CKey = std::remove_pointer_t<decltype(std::declval<const Prepared&>().c_key())>;

    /// Throws a Failure, which names the argument, if one key serves all rows and is malformed.
    Keys(Input input, const Job& job, std::size_t prepared_bytes, bool is_public)
        : input_(std::move(input)),
          alg_(job.alg),
          key_bytes_(is_public ? girih_public_key_bytes(alg_) : girih_secret_key_bytes(alg_)),
          table_(job.alg, prepared_bytes, is_public, job.threads)
    {
        if (!is_public) checks_.emplace(alg_, job.threads);
        if (input_.column->rows()) return;
        const char* name = is_public ? "public_keys" : "keys";
        read(0, 1);
        const Cell& only = cell(0);
        if (only.prepared == nullptr) demand_size(only.size, name, alg_, key_bytes_);
        const Unlocked unlocked;
        if (checks_) checks_->check(input_.cells);
        succeed(only.code, name);
        if (only.prepared != nullptr || prepared_bytes == 0) return;
        try {
            one_ = std::make_unique<const Prepared>(alg_, BytesIn{only.data, only.size});
        } catch (const Exception& error) {
            fail(static_cast<int>(error.error()), name);
        }
    }
    void read(std::size_t first, std::size_t count)
    {
        input_.read(first, count);
        c_keys_.assign(count, nullptr);
        for (std::size_t i = 0; i < count; ++i)
            if (const auto* key = given<PreparedOf<Prepared>>(alg_, input_.cells[i]))
                c_keys_[i] = key->key.c_key();
            else if (one_ != nullptr)
                c_keys_[i] = one_->c_key();
    }
    void prepare()
    {
        if (one_ != nullptr) return;
        if (checks_) checks_->check(input_.cells);
        found_.resize(c_keys_.size());
        table_.find(input_.cells, key_bytes_, found_);
        for (std::size_t i = 0; i < c_keys_.size(); ++i)
            if (found_[i] != nullptr) c_keys_[i] = found_[i]->c_key();
    }
    /// The prepared key of row i of the window, or null.
    [[nodiscard]] CKey* prepared(std::size_t i) const noexcept { return c_keys_[i]; }
    [[nodiscard]] const std::uint8_t* data(std::size_t i) const noexcept
    {
        return c_keys_[i] != nullptr ? nullptr : data_of(cell(i));
    }
    [[nodiscard]] std::size_t size(std::size_t i) const noexcept
    {
        return c_keys_[i] != nullptr ? 0 : cell(i).size;
    }
    [[nodiscard]] const Cell& cell(std::size_t i) const noexcept { return input_.cells[i]; }

  private:
    Input input_;
    const girih_alg* alg_;
    std::size_t key_bytes_;
    std::optional<KeyChecks> checks_;  ///< of secret keys
    KeyTable<Prepared> table_;
    std::unique_ptr<const Prepared> one_;  ///< of all rows
    std::vector<const Prepared*> found_;
    std::vector<CKey*> c_keys_;
};

/// Contexts: one for all rows, or a column.
class Contexts {
  public:
    Contexts(const girih_alg* alg, nb::handle contexts, Columns& columns, girih_options base)
        : input_(contexts.is_none() ? Input{} : columns.add(contexts, "contexts", Use::keys)),
          alg_(alg),
          base_(base)
    {
        if (input_.column == nullptr || input_.column->rows()) return;
        input_.read(0, 1);
        demand_context(alg, cell(0).size, "contexts");
    }
    void read(std::size_t first, std::size_t count)
    {
        input_.read(first, count);
        options_.assign(count, base_);
        for (std::size_t i = 0; i < count; ++i) {
            Cell& cell = input_.cells[i];
            if (cell.code == GIRIH_OK && check_context(alg_, cell.size) != GIRIH_OK)
                cell.code = GIRIH_ERROR_CONTEXT;
            options_[i].context = cell.data;
            options_[i].context_bytes = cell.size;
        }
    }
    [[nodiscard]] const girih_options* row(std::size_t i) const noexcept { return &options_[i]; }
    [[nodiscard]] const Cell& cell(std::size_t i) const noexcept { return input_.cells[i]; }

  private:
    Input input_;
    const girih_alg* alg_;
    girih_options base_;
    std::vector<girih_options> options_;
};

/// The first exception of a source of randomness, or None.
nb::object cause_of(const RandomSource& source)
{
    return source.cause().is_valid() ? source.cause() : nb::none();
}

/// Returns a bytearray with a code for each row.
nb::object verify_many(const Algorithm& algorithm, nb::handle public_keys, nb::handle messages,
                       nb::handle signatures, nb::handle contexts, nb::handle pre_hash, nb::handle threads,
                       nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    Columns columns;
    Input message_rows = columns.add(messages, "messages");
    Input signature_rows = columns.add(signatures, "signatures");
    Input key_rows = columns.add(public_keys, "public_keys", Use::keys);
    Contexts context_rows{
        alg, contexts, columns, {nullptr, 0, pre_hash_of(alg, pre_hash), 0, nullptr, 0, {}}};
    const Job job{alg, columns.rows(), threads, progress};
    const Output codes{job.rows, 1};

    Keys<detail::PreparedVerifying> keys{std::move(key_rows), job, girih_verifying_key_size(alg), true};
    Rows<VerifyRow> work;
    for_each_window(job, [&](std::size_t first, std::size_t count) {
        keys.read(first, count);
        message_rows.read(first, count);
        signature_rows.read(first, count);
        context_rows.read(first, count);
        const Unlocked unlocked;
        keys.prepare();
        work.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const Cell& message = message_rows.cells[i];
            const Cell& signature = signature_rows.cells[i];
            if (wanted(codes, first + i, {keys.cell(i), message, signature, context_rows.cell(i)}))
                work.add({keys.prepared(i), keys.data(i), keys.size(i), data_of(message), message.size,
                          context_rows.row(i), data_of(signature), signature.size, detail::not_run},
                         first + i);
        }
        static_cast<void>(girih::verify_many(alg, work.rows, job.threads));
        work.codes_to(codes);
    });
    return codes.object();
}

/// (codes, signatures, their lengths as uint16)
nb::tuple sign_many(const Algorithm& algorithm, nb::handle key_objects, nb::handle messages,
                    nb::handle contexts, nb::handle pre_hash, nb::handle deterministic,
                    nb::handle verify_after_sign, nb::handle random, nb::handle threads, nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    const Options options{alg,
                          nb::none(),
                          pre_hash,
                          flag_of(deterministic, "deterministic"),
                          flag_of(verify_after_sign, "verify_after_sign"),
                          random};
    Columns columns;
    Input message_rows = columns.add(messages, "messages");
    Input key_rows = columns.add(key_objects, "keys", Use::keys);
    Contexts context_rows{alg, contexts, columns, *options.get()};
    const Job job{alg, columns.rows(), threads, progress};
    const Output codes{job.rows, 1};
    const Output signatures{job.rows, girih_signature_bytes(alg)};
    const Output lengths{job.rows, sizeof(std::uint16_t)};

    Keys<detail::PreparedSigning> keys{std::move(key_rows), job, girih_signing_key_size(alg), false};
    Rows<SignRow> work;
    for_each_window(job, [&](std::size_t first, std::size_t count) {
        keys.read(first, count);
        message_rows.read(first, count);
        context_rows.read(first, count);
        const Unlocked unlocked;
        keys.prepare();
        work.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const Cell& message = message_rows.cells[i];
            const auto out = signatures.row(first + i);
            if (wanted(codes, first + i, {keys.cell(i), message, context_rows.cell(i)}))
                work.add({keys.prepared(i), keys.data(i), keys.size(i), data_of(message), message.size,
                          context_rows.row(i), out.data(), out.size(), 0, detail::not_run},
                         first + i);
        }
        static_cast<void>(girih::sign_many(alg, work.rows, job.threads));
        work.codes_to(codes);
        for (std::size_t i = 0; i < work.rows.size(); ++i) {
            const auto length = static_cast<std::uint16_t>(work.rows[i].signature_bytes);
            std::memcpy(lengths.row(work.places[i]).data(), &length, sizeof length);
        }
    });
    return nb::make_tuple(codes.object(), signatures.object(), lengths.object(), cause_of(options.random()));
}

/// (codes, public keys, secret keys)
nb::tuple keygen_many(const Algorithm& algorithm, nb::handle seeds, nb::handle count, nb::handle random,
                      nb::handle threads, nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    const RandomSource source{random};
    Columns columns;
    Input seed_rows = seeds.is_none() ? Input{} : columns.add(seeds, "seeds");
    const Job job{alg, columns.rows_or(count), threads, progress};
    const Output codes{job.rows, 1};
    const Output public_keys{job.rows, girih_public_key_bytes(alg)};
    Output secret_keys{job.rows, girih_secret_key_bytes(alg), true};

    Rows<KeygenRow> work;
    for_each_window(job, [&](std::size_t first, std::size_t window) {
        seed_rows.read(first, window);
        const Unlocked unlocked;
        work.clear();
        for (std::size_t i = 0; i < window; ++i) {
            const auto pk = public_keys.row(first + i);
            const auto sk = secret_keys.row(first + i);
            const Cell& cell = seed_rows.cells[i];
            const std::uint8_t* seed = seed_rows.column != nullptr ? data_of(cell) : nullptr;
            if (wanted(codes, first + i, {cell}))
                work.add({seed, cell.size, source.c_random(), pk.data(), pk.size(), sk.data(), sk.size(),
                          detail::not_run},
                         first + i);
        }
        static_cast<void>(girih::keygen_many(alg, work.rows, job.threads));
        work.codes_to(codes);
    });
    nb::tuple made =
        nb::make_tuple(codes.object(), public_keys.object(), secret_keys.object(), cause_of(source));
    secret_keys.hand_over();
    return made;
}

/// (codes, ciphertexts, shared secrets)
nb::tuple encapsulate_many(const Algorithm& algorithm, nb::handle public_keys, nb::handle count,
                           nb::handle random, nb::handle threads, nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    const RandomSource source{random};
    Columns columns;
    Input key_rows = columns.add(public_keys, "public_keys", Use::keys);
    const Job job{alg, columns.rows_or(count), threads, progress};
    const Output codes{job.rows, 1};
    const Output ciphertexts{job.rows, girih_ciphertext_bytes(alg)};
    Output secrets{job.rows, girih_shared_secret_bytes(alg), true};

    Keys<detail::PreparedEncapsulation> keys{std::move(key_rows), job, girih_encapsulation_key_size(alg),
                                             true};
    Rows<EncapsulateRow> work;
    for_each_window(job, [&](std::size_t first, std::size_t window) {
        keys.read(first, window);
        const Unlocked unlocked;
        keys.prepare();
        work.clear();
        for (std::size_t i = 0; i < window; ++i) {
            const auto ciphertext = ciphertexts.row(first + i);
            const auto secret = secrets.row(first + i);
            if (wanted(codes, first + i, {keys.cell(i)}))
                work.add({keys.prepared(i), keys.data(i), keys.size(i), source.c_random(), ciphertext.data(),
                          ciphertext.size(), secret.data(), secret.size(), detail::not_run},
                         first + i);
        }
        static_cast<void>(girih::encapsulate_many(alg, work.rows, job.threads));
        work.codes_to(codes);
    });
    nb::tuple made = nb::make_tuple(codes.object(), ciphertexts.object(), secrets.object(), cause_of(source));
    secrets.hand_over();
    return made;
}

/// (codes, shared secrets)
nb::tuple decapsulate_many(const Algorithm& algorithm, nb::handle key_objects, nb::handle ciphertexts,
                           nb::handle threads, nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    Columns columns;
    Input ciphertext_rows = columns.add(ciphertexts, "ciphertexts");
    Input key_rows = columns.add(key_objects, "keys", Use::keys);
    const Job job{alg, columns.rows(), threads, progress};
    const Output codes{job.rows, 1};
    Output secrets{job.rows, girih_shared_secret_bytes(alg), true};

    Keys<detail::PreparedDecapsulation> keys{std::move(key_rows), job, girih_decapsulation_key_size(alg),
                                             false};
    Rows<DecapsulateRow> work;
    for_each_window(job, [&](std::size_t first, std::size_t window) {
        keys.read(first, window);
        ciphertext_rows.read(first, window);
        const Unlocked unlocked;
        keys.prepare();
        work.clear();
        for (std::size_t i = 0; i < window; ++i) {
            const Cell& ciphertext = ciphertext_rows.cells[i];
            const auto secret = secrets.row(first + i);
            if (wanted(codes, first + i, {keys.cell(i), ciphertext}))
                work.add({keys.prepared(i), keys.data(i), keys.size(i), data_of(ciphertext), ciphertext.size,
                          secret.data(), secret.size(), detail::not_run},
                         first + i);
        }
        static_cast<void>(girih::decapsulate_many(alg, work.rows, job.threads));
        work.codes_to(codes);
    });
    nb::tuple made = nb::make_tuple(codes.object(), secrets.object());
    secrets.hand_over();
    return made;
}

}  // namespace

void define_batches(nb::module_& module)
{
    module.def("verify_many", verify_many, nb::arg("algorithm"), nb::arg("public_keys").none(),
               nb::arg("messages").none(), nb::arg("signatures").none(), nb::arg("contexts").none(),
               nb::arg("pre_hash").none(), nb::arg("threads").none(), nb::arg("progress").none());
    module.def("sign_many", sign_many, nb::arg("algorithm"), nb::arg("keys").none(),
               nb::arg("messages").none(), nb::arg("contexts").none(), nb::arg("pre_hash").none(),
               nb::arg("deterministic").none(), nb::arg("verify_after_sign").none(), nb::arg("random").none(),
               nb::arg("threads").none(), nb::arg("progress").none());
    module.def("keygen_many", keygen_many, nb::arg("algorithm"), nb::arg("seeds").none(),
               nb::arg("count").none(), nb::arg("random").none(), nb::arg("threads").none(),
               nb::arg("progress").none());
    module.def("encapsulate_many", encapsulate_many, nb::arg("algorithm"), nb::arg("public_keys").none(),
               nb::arg("count").none(), nb::arg("random").none(), nb::arg("threads").none(),
               nb::arg("progress").none());
    module.def("decapsulate_many", decapsulate_many, nb::arg("algorithm"), nb::arg("keys").none(),
               nb::arg("ciphertexts").none(), nb::arg("threads").none(), nb::arg("progress").none());
}

}  // namespace girih::python
