#include "cross_isa/operations.hpp"

#include <memory>

#include "support/kems.hpp"

namespace girih::test {
namespace {

/// A batch of keys of one algorithm, and what is encapsulated with each; every other row uses the
/// first key, prepared where there are prepared keys.
class KemBatch {
  public:
    KemBatch(const girih_alg* alg, std::size_t count, Numbers& numbers)
        : alg_(alg), made_(count, room_for_encapsulation(alg))
    {
        for (std::size_t i = 0; i < count; ++i) {
            seeds_.push_back(numbers.bytes(girih_seed_bytes(alg)));
            sources_.emplace_back(numbers.bytes(32));
        }
        keys_ = keys_in_a_batch(alg, seeds_);
        if (!has_prepared_keys()) return;
        encapsulation_key_ = std::make_unique<PreparedEncapsulationKey>(alg, keys_[0].public_key);
        decapsulation_key_ = std::make_unique<PreparedDecapsulationKey>(alg, keys_[0].secret_key);
    }

    void run(Numbers& numbers, Outputs& out)
    {
        run_key_operations(alg_, seeds_[0], keys_[0]);
        encapsulate();
        for (std::size_t i = 2; i < made_.size(); i += 3) damage(made_[i].ciphertext, numbers);
        const std::vector<ByteString> secrets = decapsulate();
        for (std::size_t i = 0; i < made_.size(); ++i) {
            EXPECT_EQ(secrets[i] == made_[i].shared_secret, i % 3 != 2) << "row " << i;
            EXPECT_EQ(test::decapsulate(alg_, keys_of(i).secret_key, made_[i].ciphertext), secrets[i]);
            EXPECT_EQ(key_pair(alg_, seeds_[i]).secret_key, keys_[i].secret_key) << "row " << i;
            out.add("girih_keygen_many", keys_[i]);
            out.add("girih_encapsulate_many", made_[i].ciphertext);
            out.add("girih_encapsulate_many", made_[i].shared_secret);
            out.add("girih_decapsulate_many", secrets[i]);
        }
        run_on_anything(numbers, out);
    }

  private:
    [[nodiscard]] bool has_prepared_keys() const { return girih_encapsulation_key_size(alg_) != 0; }
    [[nodiscard]] const KeyPair& keys_of(std::size_t row) const { return keys_[row % 2 == 0 ? 0 : row]; }
    [[nodiscard]] bool is_prepared(std::size_t row) const { return has_prepared_keys() && row % 2 == 0; }

    /// In a batch, and each by itself: the same.
    void encapsulate()
    {
        std::vector<girih_random> randoms;
        for (Replay& source : sources_) randoms.push_back(source.rewound());
        std::vector<girih_encapsulate_row> rows;
        for (std::size_t i = 0; i < made_.size(); ++i)
            rows.push_back(row_of<girih_encapsulate_row>(is_prepared(i) ? encapsulation_key_->get() : nullptr,
                                                         keys_of(i).public_key, &randoms[i],
                                                         made_[i].ciphertext, made_[i].shared_secret));
        EXPECT_EQ(call(girih_encapsulate_many, alg_, rows), GIRIH_OK);
        for (std::size_t i = 0; i < made_.size(); ++i) {
            girih_random random = sources_[i].rewound();
            EXPECT_EQ(test::encapsulate(alg_, keys_of(i).public_key, &random), made_[i]) << "row " << i;
            if (!is_prepared(i)) continue;
            random = sources_[i].rewound();
            EXPECT_EQ(encapsulation_key_->encapsulate(&random), made_[i]) << "row " << i;
        }
    }

    [[nodiscard]] std::vector<ByteString> decapsulate() const
    {
        std::vector<ByteString> secrets(made_.size(), ByteString(32));
        std::vector<girih_decapsulate_row> rows;
        for (std::size_t i = 0; i < made_.size(); ++i)
            rows.push_back(row_of<girih_decapsulate_row>(is_prepared(i) ? decapsulation_key_->get() : nullptr,
                                                         keys_of(i).secret_key, made_[i].ciphertext,
                                                         secrets[i]));
        EXPECT_EQ(call(girih_decapsulate_many, alg_, rows), GIRIH_OK);
        for (std::size_t i = 0; i < made_.size(); ++i)
            if (is_prepared(i)) {
                EXPECT_EQ(decapsulation_key_->decapsulate(made_[i].ciphertext), secrets[i]);
            }
        return secrets;
    }

    /// Any bytes are a ciphertext, and a public key of NTRU Prime, which draws in pieces if asked.
    void run_on_anything(Numbers& numbers, Outputs& out)
    {
        const ByteString ciphertext = numbers.bytes(made_[0].ciphertext.size());
        out.add("girih_decapsulate", test::decapsulate(alg_, keys_[0].secret_key, ciphertext));
        const ByteString public_key = numbers.bytes(keys_[0].public_key.size());
        girih_random random = sources_[0].rewound();
        Encapsulation made = made_[0];
        out.add("girih_encapsulate",
                call(girih_encapsulate, alg_, &random, public_key, made.ciphertext, made.shared_secret));
        out.add("girih_encapsulate", made.ciphertext);
        out.add("girih_encapsulate", made.shared_secret);
        if (has_prepared_keys()) return;
        Replay pieces{numbers.bytes(1 << 16), 1};
        random = pieces.rewound();
        out.add("girih_keygen", random_key_pair(alg_, random));
        random = pieces.rewound();
        out.add("girih_encapsulate", test::encapsulate(alg_, keys_[0].public_key, &random).ciphertext);
    }

    const girih_alg* alg_;
    std::vector<ByteString> seeds_;
    std::vector<Replay> sources_;
    std::vector<KeyPair> keys_;
    std::vector<Encapsulation> made_;
    std::unique_ptr<PreparedEncapsulationKey> encapsulation_key_;
    std::unique_ptr<PreparedDecapsulationKey> decapsulation_key_;
};

}  // namespace

void run_kem_operations(const girih_alg* alg, std::size_t rounds, Numbers& numbers, Outputs& out)
{
    for (std::size_t round = 0; round < rounds; ++round)
        KemBatch{alg, round % 10 + 1, numbers}.run(numbers, out);
}

}  // namespace girih::test
