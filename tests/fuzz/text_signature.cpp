/// Text signatures: a file that is read is written and read again the same, whatever ended its
/// lines, and the header, which is signed, has only what was read.
#include <algorithm>
#include <string>
#include <string_view>

#include "cli/signatures/text_signature.hpp"
#include "core/text_file.hpp"
#include "fuzz/fuzz.hpp"

namespace girih::fuzz {
namespace {

using cli::TextSignature;

bool is_same(const TextSignature& a, const TextSignature& b)
{
    return a.algorithm == b.algorithm && a.fingerprint == b.fingerprint && a.comment == b.comment &&
           a.bytes == b.bytes;
}

ByteString bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

std::string with_crlf(std::string_view text)
{
    std::string out;
    for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
    return out;
}

void check_parts(const TextSignature& signature)
{
    require(signature.fingerprint.size() == 64 &&
                signature.fingerprint.find_first_not_of("0123456789abcdef") == std::string::npos,
            "a fingerprint has 64 digits");
    require(signature.comment.size() <= cli::longest_comment &&
                std::ranges::none_of(signature.comment,
                                     [](char c) { return static_cast<Byte>(c) < 0x20 || c == 0x7F; }),
            "a comment is a line without control characters");
    require(signature.algorithm.find('\n') == std::string::npos, "an algorithm is a line");
    require(!signature.bytes.empty(), "there is a signature");
}

/// The lines in order, without their ends: the file as it would be written, unless an empty field
/// has a space after its name.
bool is_written_alike(std::string_view file, std::string_view written)
{
    std::string lines;
    for (std::size_t i = 0; i < file.size(); ++i)
        if (!(file[i] == '\r' && (i + 1 == file.size() || file[i + 1] == '\n'))) lines += file[i];
    if (!lines.ends_with('\n')) lines += '\n';
    for (const std::string_view spaced : {"\nalgorithm: \n", "\ncomment: \n"}) {
        const std::size_t place = lines.find(spaced);
        if (place != std::string::npos) lines.erase(place + spaced.size() - 2, 1);
    }
    return lines == written;
}

}  // namespace

void check_input(Input input)
{
    const ByteString file = input.rest();
    TextSignature signature;
    try {
        signature = cli::parse_text_signature(file);
    } catch (const cli::MalformedSignature& malformed) {
        require(std::string_view(malformed.what()).starts_with("line "), "an error names the line");
        return;
    }
    require(cli::is_meant_as_text(file), "what is read begins with the mark");
    check_parts(signature);
    const std::string written = cli::write_text_signature(signature);
    require(written.starts_with(cli::header_of(signature)), "the header is the beginning of the file");
    const std::string_view text = as_text(file);
    require(is_written_alike(without_byte_order_mark(text), written), "a signature has one text");
    // A file that ends without a line's end, and has the most bytes, is written one byte longer.
    if (written.size() > cli::max_text_signature_bytes) return;
    require(is_same(cli::parse_text_signature(bytes_of(written)), signature), "what is written is read");
    const std::string crlf = with_crlf(written);
    if (crlf.size() > cli::max_text_signature_bytes) return;
    require(is_same(cli::parse_text_signature(bytes_of(crlf)), signature),
            "ends of lines make no difference");
}

}  // namespace girih::fuzz
