/// The stack that each operation needs, as Markdown tables: girih_stack_peak
#include <array>
#include <cstdio>
#include <span>
#include <string_view>

#include "stacks.hpp"
#include "support/every_operation.hpp"

namespace {

using namespace girih;

/// Enough rows for every lane.
constexpr std::size_t batch_size = 16;

struct Column {
    const char* title;
    const char* operation;
};

constexpr std::array of_signatures{Column{"keygen", "keygen_from_seed"},
                                   Column{"public key of a secret key", "public_key"},
                                   Column{"sign", "sign"},
                                   Column{"verify", "verify"},
                                   Column{"keygen_many", "keygen_many"},
                                   Column{"sign_many", "sign_many"},
                                   Column{"verify_many", "verify_many"}};
constexpr std::array of_kems{Column{"keygen", "keygen_from_seed"},
                             Column{"public key of a secret key", "public_key"},
                             Column{"encapsulate", "encapsulate"}, Column{"decapsulate", "decapsulate"},
                             Column{"keygen_many", "keygen_many"}};

void print_row(const girih_alg* alg, std::span<const Column> columns)
{
    test::EveryOperation operations{alg, batch_size};
    operations.options = {};
    std::printf("| %s |", girih_name(alg));
    for (const Column& column : columns) {
        int result = GIRIH_OK;
        const std::size_t bytes =
            stack::stack_bytes_of([&] { result = operations.named(column.operation).call(); });
        test::expect_good(result);
        std::printf(" %zu |", bytes);
    }
    if (girih_is_kem(alg) == 0)
        std::printf(" %zu | %zu |", girih_signing_key_size(alg), girih_verifying_key_size(alg));
    std::puts("");
}

void print_table(bool of_kem, std::span<const Column> columns, std::string_view more_titles)
{
    std::printf("\n| algorithm |");
    for (const Column& column : columns) std::printf(" %s |", column.title);
    std::printf("%s\n|---|", more_titles.data());
    for (std::size_t i = 0; i < columns.size() + (of_kem ? 0 : 2); ++i) std::printf("---:|");
    std::puts("");
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        if ((girih_is_kem(alg) != 0) == of_kem) print_row(alg, columns);
}

}  // namespace

int main()
{
    std::printf("Peak stack in bytes, engine %s:\n", girih_engine());
    print_table(false, of_signatures, " a prepared signing key itself | a prepared verifying key itself |");
    print_table(true, of_kems, "");
    return 0;
}
