// Many messages under one key, on two threads, with a result for each.
#include <girih/batch.hpp>
#include <girih/ml_dsa.hpp>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

int main()
{
    const auto key = girih::ml_dsa_65::SigningKey::generate();
    const auto public_key = key.verifying_key();
    std::vector<std::pair<std::string, girih::ml_dsa_65::Signature>> all;
    for (int i = 0; i < 20; ++i) {
        const std::string message = "message " + std::to_string(i);
        all.emplace_back(message, key.sign(message));
    }
    all[7].first += ", changed";

    girih::ml_dsa_65::PreparedVerifyingKey prepared{public_key};
    std::vector<girih::VerifyRow> rows;
    for (const auto& [message, signature] : all)
        rows.push_back(girih::verify_row(prepared, message, signature));
    girih::Error first = girih::verify_many<girih::ml_dsa_65>(rows, 2);  // on two threads; rows[i].result

    int bad = 0;
    for (const girih::VerifyRow& row : rows)
        if (row.result != GIRIH_OK) ++bad;
    std::printf("%d of %zu signatures do not verify\n", bad, rows.size());
    return bad == 1 && first == girih::Error::signature ? 0 : 1;
}
