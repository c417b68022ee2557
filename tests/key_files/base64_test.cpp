#include "key_files/base64.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace girih::key_files::base64 {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

using Text = std::vector<Byte>;

Text text_of(std::string_view text) { return {text.begin(), text.end()}; }

std::string encoded(std::string_view bytes)
{
    Text characters(encoded_size(bytes.size()));
    encode(text_of(bytes), characters);
    return {characters.begin(), characters.end()};
}

Flaw flaw_of(std::string_view characters)
{
    Text bytes(characters.size());
    return decode(text_of(characters), bytes).flaw;
}

TEST(Base64, HasTheAlphabetForEverySextetAndByte)
{
    for (unsigned c = 0; c < 256; ++c) {
        const auto place = alphabet.find(static_cast<char>(c));
        const Sextet s = sextet(static_cast<Byte>(c));
        EXPECT_EQ(s.valid, place == std::string_view::npos ? 0 : ~0u) << c;
        EXPECT_EQ(s.value, place == std::string_view::npos ? 0 : place) << c;
    }
    for (std::uint32_t value = 0; value < alphabet.size(); ++value)
        EXPECT_EQ(character(value), static_cast<Byte>(alphabet[value])) << value;
}

TEST(Base64, EncodesTheExamplesOfRfc4648)
{
    constexpr std::string_view examples[]{"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (std::size_t bytes = 0; bytes < std::size(examples); ++bytes)
        EXPECT_EQ(encoded(std::string_view("foobar").substr(0, bytes)), examples[bytes]);
}

TEST(Base64, DecodesWhatItEncodesForEveryLengthAndByte)
{
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        const Text characters = text_of(encoded(bytes));
        Text back(characters.size() / 4 * 3);
        const Decoded decoded = decode(characters, back);
        ASSERT_EQ(decoded.flaw, Flaw::none) << i;
        back.resize(decoded.bytes);
        EXPECT_EQ(back, text_of(bytes)) << i;
        bytes.push_back(static_cast<char>(i));
    }
}

TEST(Base64, RefusesCharactersLengthsAndBitsThatItDoesNotHave)
{
    for (const std::string_view text : {"-m9vYmFy", "Z-9vYmFy", "Zm-vYmFy", "Zm9-YmFy", "Zm9v-mFy",
                                        "Zm9vY-Fy", "Zm9vYm-y", "Zm9vYmF-", "Zm=vYmFy"})
        EXPECT_EQ(flaw_of(text), Flaw::character) << text;
    for (const std::string_view text : {"Z", "Zg", "Zg=", "Zm9vY", "Zm9vYm", "Zm9vYmF", "Z===", "===="})
        EXPECT_EQ(flaw_of(text), Flaw::padding) << text;
    for (const std::string_view text : {"Zh==", "Zv==", "Zn==", "Zm9=", "Zm+="})
        EXPECT_EQ(flaw_of(text), Flaw::unused_bits) << text;
}

}  // namespace
}  // namespace girih::key_files::base64
