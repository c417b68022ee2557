/// Files of keys that girih does not read: foreign.tsv has a sample of each kind, and the words of
/// the error that name the kind and the remedy.
#include <girih/girih_key_files.h>

#include <sstream>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

/// A line of foreign.tsv.
struct Foreign {
    std::string name, form, content, is, remedy;

    /// Text, bytes in hexadecimal, or a block of a label, perhaps with the headers of RFC 1421.
    [[nodiscard]] Bytes file() const
    {
        if (form == "hex") return test::from_hex(content);
        if (form == "text") return bytes_of(content);
        const std::string headers =
            form == "headers" ? "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n" : "";
        return bytes_of("-----BEGIN " + content + "-----\n" + headers + "MAA=\n-----END " + content +
                        "-----\n");
    }
};

std::vector<Foreign> foreign()
{
    std::ifstream table(GIRIH_KEY_FILES "/../foreign.tsv");
    std::vector<Foreign> rows;
    for (std::string line; std::getline(table, line);) {
        Foreign& row = rows.emplace_back();
        std::istringstream fields(line);
        for (std::string* field : {&row.name, &row.form, &row.content, &row.is, &row.remedy})
            EXPECT_TRUE(std::getline(fields, *field, '\t')) << line;
    }
    EXPECT_GT(rows.size(), 40u);
    return rows;
}

void expect_named(const Foreign& row, const std::string& message)
{
    EXPECT_NE(message.find(row.is), std::string::npos) << row.name << ": " << message;
    EXPECT_NE(message.find(row.remedy), std::string::npos) << row.name << ": " << message;
}

TEST(ForeignFiles, AreNamedWithARemedyByEveryReader)
{
    for (const Foreign& row : foreign()) {
        const Bytes file = row.file();
        for (const girih_alg* const alg :
             {static_cast<const girih_alg*>(nullptr), girih_algorithm("ML-DSA-65")}) {
            expect_named(row, read(file, alg).error().message);
            expect_named(row, read(file, alg, words()).error().message);
            expect_named(row, read_private_key(file, alg).error().message);
            expect_named(row, read_public(file, alg).error().message);
            expect_named(row, read_public_key(file, alg).error().message);
        }
    }
}

TEST(ForeignFiles, AreNamedWithARemedyInC)
{
    for (const Foreign& row : foreign()) {
        const Bytes file = row.file();
        girih_key_error error{};
        girih_key* key = nullptr;
        EXPECT_NE(girih_key_read(file.data(), file.size(), nullptr, {}, &key, &error), GIRIH_KEY_OK);
        expect_named(row, error.message);
        std::uint8_t* converted = nullptr;
        std::size_t bytes = 0;
        const girih_key_encoding pem{};
        EXPECT_NE(girih_key_convert(file.data(), file.size(), nullptr, {}, &pem, &converted, &bytes, &error),
                  GIRIH_KEY_OK);
        expect_named(row, error.message);
    }
}

}  // namespace
}  // namespace girih::key_files
