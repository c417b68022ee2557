/// Whole columns: rows are read in windows with the interpreter's lock, and worked on without it.
#include <girih/batch.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "key_table.hpp"
#include "options.hpp"

namespace girih::python {
namespace {

/// Rows between two calls of `progress`: enough for lanes and threads, and few beside memory.
constexpr std::size_t window_rows = 16384;
constexpr unsigned most_threads = 1024;

/// Something to point at where a column has no bytes.
constexpr std::uint8_t nothing[1] = {};

/// Bytes that Python owns and a batch writes; secret ones are wiped if they are not handed over.
class Output {
  public:
    Output(std::size_t rows, std::size_t width, bool secret = false)
        : width_(width),
          bytes_(rows * width),
          secret_(secret),
          object_(nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(rows * width))))
    {
        if (!object_.is_valid()) throw nb::python_error();
        data_ = reinterpret_cast<std::uint8_t*>(PyByteArray_AsString(object_.ptr()));
        std::memset(data_, 0, bytes_);
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output()
    {
        if (secret_ && !handed_over_) key_files::erase(data_, bytes_);
    }
    [[nodiscard]] std::span<std::uint8_t> row(std::size_t index) const noexcept
    {
        return {data_ + index * width_, width_};
    }
    [[nodiscard]] const nb::object& object() const noexcept { return object_; }
    /// What the batch returns has the object.
    void hand_over() noexcept { handed_over_ = true; }

  private:
    std::size_t width_;
    std::size_t bytes_;
    bool secret_;
    bool handed_over_ = false;
    nb::object object_;
    std::uint8_t* data_;
};

struct Job {
    const girih_alg* alg;
    std::size_t rows;
    unsigned threads;
    nb::handle progress;
};

/// The columns of a batch, which have to be of one length.
class Columns {
  public:
    void add(std::unique_ptr<Column>& column, nb::handle object, const char* name, bool single)
    {
        column = column_of(object, name, single);
        const auto rows = column->rows();
        if (!rows) return;
        if (first_ == nullptr) {
            first_ = name;
            rows_ = *rows;
        } else if (*rows != rows_) {
            fail(GIRIH_ERROR_LENGTH, name,
                 std::to_string(*rows) + " rows, " + first_ + " has " + std::to_string(rows_));
        }
    }
    [[nodiscard]] bool counted() const noexcept { return first_ != nullptr; }
    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }

  private:
    const char* first_ = nullptr;
    std::size_t rows_ = 0;
};

unsigned demand_threads(long long threads)
{
    if (threads < 1 || threads > most_threads)
        fail(GIRIH_ERROR_ARGUMENT, "threads",
             std::to_string(threads) + ", 1 to " + std::to_string(most_threads));
    return static_cast<unsigned>(threads);
}

/// Goes through the rows: window(first, count) has the interpreter's lock. Ctrl-C and what
/// `progress` raises end the batch between two windows.
template <class Window>
void each_window(const Job& job, const Window& window)
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

/// A window of a batch whose rows are of the C interface's type: those that have what they need.
template <class Row>
struct Rows {
    std::vector<Row> rows;
    std::vector<std::size_t> places;  ///< of each, in the batch

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

/// Whether a row is to be worked on; else its code is written.
bool wanted(const Output& codes, std::size_t row, std::initializer_list<Cell> cells)
{
    int code = GIRIH_OK;
    for (const Cell& cell : cells)
        if (cell.code == null_row || (cell.code != GIRIH_OK && code == GIRIH_OK)) code = cell.code;
    code_at(codes, row) = static_cast<std::int8_t>(code);
    return code == GIRIH_OK;
}

const std::uint8_t* data_of(const Cell& cell) noexcept { return cell.data != nullptr ? cell.data : nothing; }

/// The key of a row: one that Python prepared, if it is of this algorithm and kind.
template <class PythonKey>
const PythonKey* given(const girih_alg* alg, Cell& cell)
{
    if (cell.prepared == nullptr) return nullptr;
    const auto* key =
        *cell.type == typeid(PythonKey) ? static_cast<const PythonKey*>(cell.prepared) : nullptr;
    if (key == nullptr || key->alg != alg) {
        cell.code = GIRIH_ERROR_ARGUMENT;
        return nullptr;
    }
    return key;
}

/// The keys of a window, with those that are worth it prepared.
template <class Prepared>
class Keys {
  public:
    using CKey = std::remove_pointer_t<decltype(std::declval<const Prepared&>().c_key())>;

    Keys(const Job& job, std::size_t prepared_bytes, std::size_t key_bytes, bool is_public)
        : alg_(job.alg), key_bytes_(key_bytes), table_(job.alg, prepared_bytes, is_public, job.threads)
    {
    }
    void read(Column& column, std::size_t first, std::size_t count)
    {
        cells.resize(count);
        column.read(first, cells);
        c_keys_.assign(count, nullptr);
        for (std::size_t i = 0; i < count; ++i)
            if (const auto* key = given<PreparedOf<Prepared>>(alg_, cells[i])) c_keys_[i] = key->key.c_key();
    }
    void prepare()
    {
        found_.resize(cells.size());
        table_.find(cells, key_bytes_, found_);
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (found_[i] != nullptr) c_keys_[i] = found_[i]->c_key();
    }
    /// Null if row i of the window has bytes alone.
    [[nodiscard]] CKey* prepared(std::size_t i) const noexcept { return c_keys_[i]; }
    [[nodiscard]] const std::uint8_t* data(std::size_t i) const noexcept
    {
        return c_keys_[i] != nullptr ? nullptr : data_of(cells[i]);
    }
    [[nodiscard]] std::size_t size(std::size_t i) const noexcept
    {
        return c_keys_[i] != nullptr ? 0 : cells[i].size;
    }

    std::vector<Cell> cells;

  private:
    const girih_alg* alg_;
    std::size_t key_bytes_;
    KeyTable<Prepared> table_;
    std::vector<const Prepared*> found_;
    std::vector<CKey*> c_keys_;
};

/// Contexts: one for all rows, or a column.
class Contexts {
  public:
    Contexts(const girih_alg* alg, nb::handle contexts, Columns& columns, girih_options base)
        : alg_(alg), base_(base)
    {
        if (!contexts.is_none()) columns.add(column_, contexts, "contexts", true);
    }
    void read(std::size_t first, std::size_t count)
    {
        cells.assign(count, Cell{});
        if (column_ != nullptr) column_->read(first, cells);
        options_.assign(count, base_);
        for (std::size_t i = 0; i < count; ++i) {
            if (cells[i].code == GIRIH_OK && check_context(alg_, cells[i].size) != GIRIH_OK)
                cells[i].code = GIRIH_ERROR_CONTEXT;
            options_[i].context = cells[i].data;
            options_[i].context_bytes = cells[i].size;
        }
    }
    [[nodiscard]] const girih_options* row(std::size_t i) const noexcept { return &options_[i]; }

    std::vector<Cell> cells;

  private:
    const girih_alg* alg_;
    girih_options base_;
    std::unique_ptr<Column> column_;
    std::vector<girih_options> options_;
};

/// What a source of randomness raised first, or None.
nb::object cause_of(const RandomSource& source)
{
    return source.cause().is_valid() ? source.cause() : nb::none();
}

/// A bytearray with a code for each row.
nb::object verify_many(const Algorithm& algorithm, nb::handle public_keys, nb::handle messages,
                       nb::handle signatures, nb::handle contexts, nb::handle pre_hash, long long threads,
                       nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    Columns columns;
    std::unique_ptr<Column> key_column;
    std::unique_ptr<Column> message_column;
    std::unique_ptr<Column> signature_column;
    columns.add(message_column, messages, "messages", false);
    columns.add(signature_column, signatures, "signatures", false);
    columns.add(key_column, public_keys, "public_keys", true);
    Contexts context_rows{alg, contexts, columns, {nullptr, 0, pre_hash_of(alg, pre_hash), 0, nullptr, 0}};
    const Job job{alg, columns.rows(), demand_threads(threads), progress};
    const Output codes{job.rows, 1};

    Keys<detail::PreparedVerifying> keys{job, girih_verifying_key_size(alg), girih_public_key_bytes(alg),
                                         true};
    std::vector<Cell> message_cells;
    std::vector<Cell> signature_cells;
    Rows<VerifyRow> work;
    each_window(job, [&](std::size_t first, std::size_t count) {
        keys.read(*key_column, first, count);
        message_cells.resize(count);
        message_column->read(first, message_cells);
        signature_cells.resize(count);
        signature_column->read(first, signature_cells);
        context_rows.read(first, count);
        const nb::gil_scoped_release unlocked;
        keys.prepare();
        work.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const Cell& message = message_cells[i];
            const Cell& signature = signature_cells[i];
            if (wanted(codes, first + i, {keys.cells[i], message, signature, context_rows.cells[i]}))
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
                    nb::handle contexts, nb::handle pre_hash, bool deterministic, bool verify_after_sign,
                    nb::handle random, long long threads, nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    const Options options{alg, nb::none(), pre_hash, deterministic, verify_after_sign, random};
    Columns columns;
    std::unique_ptr<Column> key_column;
    std::unique_ptr<Column> message_column;
    columns.add(message_column, messages, "messages", false);
    columns.add(key_column, key_objects, "keys", true);
    Contexts context_rows{alg, contexts, columns, *options.get()};
    const Job job{alg, columns.rows(), demand_threads(threads), progress};
    const Output codes{job.rows, 1};
    const Output signatures{job.rows, girih_signature_bytes(alg)};
    const Output lengths{job.rows, sizeof(std::uint16_t)};

    Keys<detail::PreparedSigning> keys{job, girih_signing_key_size(alg), girih_secret_key_bytes(alg), false};
    std::vector<Cell> message_cells;
    Rows<SignRow> work;
    each_window(job, [&](std::size_t first, std::size_t count) {
        keys.read(*key_column, first, count);
        message_cells.resize(count);
        message_column->read(first, message_cells);
        context_rows.read(first, count);
        const nb::gil_scoped_release unlocked;
        keys.prepare();
        work.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const auto out = signatures.row(first + i);
            if (wanted(codes, first + i, {keys.cells[i], message_cells[i], context_rows.cells[i]}))
                work.add(
                    {keys.prepared(i), keys.data(i), keys.size(i), data_of(message_cells[i]),
                     message_cells[i].size, context_rows.row(i), out.data(), out.size(), 0, detail::not_run},
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
nb::tuple keygen_many(const Algorithm& algorithm, nb::handle seeds, long long count, nb::handle random,
                      long long threads, nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    const RandomSource source{random};
    Columns columns;
    std::unique_ptr<Column> seed_column;
    if (!seeds.is_none()) columns.add(seed_column, seeds, "seeds", false);
    if (count < 0) fail(GIRIH_ERROR_ARGUMENT, "count", std::to_string(count) + " rows");
    const Job job{alg, seed_column ? columns.rows() : static_cast<std::size_t>(count),
                  demand_threads(threads), progress};
    const Output codes{job.rows, 1};
    const Output public_keys{job.rows, girih_public_key_bytes(alg)};
    Output secret_keys{job.rows, girih_secret_key_bytes(alg), true};

    std::vector<Cell> cells;
    Rows<KeygenRow> work;
    each_window(job, [&](std::size_t first, std::size_t window) {
        cells.assign(window, Cell{});
        if (seed_column) seed_column->read(first, cells);
        const nb::gil_scoped_release unlocked;
        work.clear();
        for (std::size_t i = 0; i < window; ++i) {
            const auto pk = public_keys.row(first + i);
            const auto sk = secret_keys.row(first + i);
            const std::uint8_t* seed = seed_column ? data_of(cells[i]) : nullptr;
            if (wanted(codes, first + i, {cells[i]}))
                work.add({seed, cells[i].size, source.c_random(), pk.data(), pk.size(), sk.data(), sk.size(),
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
nb::tuple encapsulate_many(const Algorithm& algorithm, nb::handle public_keys, long long count,
                           nb::handle random, long long threads, nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    const RandomSource source{random};
    Columns columns;
    std::unique_ptr<Column> key_column;
    columns.add(key_column, public_keys, "public_keys", true);
    if (count < 0) fail(GIRIH_ERROR_ARGUMENT, "count", std::to_string(count) + " rows");
    const Job job{alg, columns.counted() ? columns.rows() : static_cast<std::size_t>(count),
                  demand_threads(threads), progress};
    const Output codes{job.rows, 1};
    const Output ciphertexts{job.rows, girih_ciphertext_bytes(alg)};
    Output secrets{job.rows, girih_shared_secret_bytes(alg), true};

    Keys<detail::PreparedEncapsulation> keys{job, girih_encapsulation_key_size(alg),
                                             girih_public_key_bytes(alg), true};
    Rows<EncapsulateRow> work;
    each_window(job, [&](std::size_t first, std::size_t window) {
        keys.read(*key_column, first, window);
        const nb::gil_scoped_release unlocked;
        keys.prepare();
        work.clear();
        for (std::size_t i = 0; i < window; ++i) {
            const auto ciphertext = ciphertexts.row(first + i);
            const auto secret = secrets.row(first + i);
            if (wanted(codes, first + i, {keys.cells[i]}))
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
                           long long threads, nb::handle progress)
{
    const girih_alg* alg = algorithm.alg;
    Columns columns;
    std::unique_ptr<Column> key_column;
    std::unique_ptr<Column> ciphertext_column;
    columns.add(ciphertext_column, ciphertexts, "ciphertexts", false);
    columns.add(key_column, key_objects, "keys", true);
    const Job job{alg, columns.rows(), demand_threads(threads), progress};
    const Output codes{job.rows, 1};
    Output secrets{job.rows, girih_shared_secret_bytes(alg), true};

    Keys<detail::PreparedDecapsulation> keys{job, girih_decapsulation_key_size(alg),
                                             girih_secret_key_bytes(alg), false};
    std::vector<Cell> cells;
    Rows<DecapsulateRow> work;
    each_window(job, [&](std::size_t first, std::size_t window) {
        keys.read(*key_column, first, window);
        cells.resize(window);
        ciphertext_column->read(first, cells);
        const nb::gil_scoped_release unlocked;
        keys.prepare();
        work.clear();
        for (std::size_t i = 0; i < window; ++i) {
            const auto secret = secrets.row(first + i);
            if (wanted(codes, first + i, {keys.cells[i], cells[i]}))
                work.add({keys.prepared(i), keys.data(i), keys.size(i), data_of(cells[i]), cells[i].size,
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
    module.def("verify_many", verify_many, nb::arg("algorithm"), nb::arg("public_keys"), nb::arg("messages"),
               nb::arg("signatures"), nb::arg("contexts").none(), nb::arg("pre_hash").none(),
               nb::arg("threads"), nb::arg("progress").none());
    module.def("sign_many", sign_many, nb::arg("algorithm"), nb::arg("keys"), nb::arg("messages"),
               nb::arg("contexts").none(), nb::arg("pre_hash").none(), nb::arg("deterministic"),
               nb::arg("verify_after_sign"), nb::arg("random").none(), nb::arg("threads"),
               nb::arg("progress").none());
    module.def("keygen_many", keygen_many, nb::arg("algorithm"), nb::arg("seeds").none(), nb::arg("count"),
               nb::arg("random").none(), nb::arg("threads"), nb::arg("progress").none());
    module.def("encapsulate_many", encapsulate_many, nb::arg("algorithm"), nb::arg("public_keys"),
               nb::arg("count"), nb::arg("random").none(), nb::arg("threads"), nb::arg("progress").none());
    module.def("decapsulate_many", decapsulate_many, nb::arg("algorithm"), nb::arg("keys"),
               nb::arg("ciphertexts"), nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace girih::python
