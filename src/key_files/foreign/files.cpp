#include "key_files/foreign/files.hpp"

#include <algorithm>
#include <array>

#include "core/secret.hpp"
#include "key_files/encoding/der.hpp"
#include "key_files/identifier.hpp"

namespace girih::key_files {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view request = "\"openssl req -noout -pubkey -in FILE\" writes its public key";
constexpr std::string_view cms = "\"openssl pkcs7 -print_certs -in FILE\" writes its certificates";
constexpr std::string_view pkcs12 = "\"openssl pkcs12 -in FILE\" writes its keys and certificates in PEM";
constexpr std::string_view keystore =
    "\"keytool -importkeystore -deststoretype PKCS12\" makes a PKCS #12 file of it, and \"openssl pkcs12\" "
    "writes that in PEM";
constexpr std::string_view openssh = "girih-ssh and girih.ssh in Python read OpenSSH's keys";
constexpr std::string_view other_key = "girih list names the algorithms whose keys girih reads";

struct Named {
    std::string_view name;
    std::string_view remedy;
};

/// By their labels in PEM.
constexpr std::array<Named, 10> blocks{{
    {"CERTIFICATE REQUEST", request},
    {"NEW CERTIFICATE REQUEST", request},  // RFC 7468, Section 7
    {"PKCS7", cms},
    {"CMS", cms},
    {"OPENSSH PRIVATE KEY", openssh},
    {"SSH2 PUBLIC KEY", openssh},
    {"TRUSTED CERTIFICATE", "\"openssl x509 -in FILE\" writes a certificate without OpenSSL's trust"},
    {"RSA PRIVATE KEY", other_key},
    {"EC PRIVATE KEY", other_key},
    {"DSA PRIVATE KEY", other_key},
}};

struct Start {
    std::string_view bytes;
    Named kind;
};

/// By their first bytes. The keystores begin with a mark, or with a version and a salt's length.
constexpr std::array<Start, 9> starts{{
    {"\xFE\xED\xFE\xED"sv, {"a Java keystore (JKS)", keystore}},
    {"\xCE\xCE\xCE\xCE"sv, {"a Java keystore (JCEKS)", keystore}},
    {"\0\0\0\1\0\0\0\x14"sv, {"a Bouncy Castle keystore (BKS)", keystore}},
    {"\0\0\0\2\0\0\0\x14"sv, {"a Bouncy Castle keystore (BKS)", keystore}},
    {"ssh-"sv, {"an OpenSSH public key", openssh}},
    {"ecdsa-sha2-"sv, {"an OpenSSH public key", openssh}},
    {"sk-ssh-"sv, {"an OpenSSH public key", openssh}},
    {"\xFF\xFE"sv, {"text in UTF-16", "girih reads UTF-8"}},
    {"\xFE\xFF"sv, {"text in UTF-16", "girih reads UTF-8"}},
}};

/// In BER with indefinite lengths, as some programs write them.
constexpr std::array<Start, 2> indefinite{{
    {"\x30\x80\x02\x01\x03"sv, {"a PKCS #12 file", pkcs12}},
    {"\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07"sv, {"a CMS (PKCS #7) file", cms}},
}};

/// 1.2.840.113549.1.7, the arc of CMS's content types.
constexpr EncodedIdentifier content_types = encode_identifier({1, 2, 840, 113549, 1, 7});

bool begins(BytesIn<> file, std::string_view mark)
{
    if (file.size() < mark.size()) return false;
    Secret<std::uint32_t> difference;
    for (std::size_t i = 0; i < mark.size(); ++i)
        difference |= Secret<std::uint32_t>(file[i] ^ static_cast<Byte>(mark[i]));
    return declassify(difference, "whether a file is of another kind is not secret") == 0;
}

std::string sentence(const Named& kind) { return std::string(kind.name) + "; " + std::string(kind.remedy); }

std::optional<std::string> by_start(BytesIn<> file, std::span<const Start> known)
{
    for (const Start& start : known)
        if (begins(file, start.bytes)) return sentence(start.kind);
    return {};
}

bool is_content_type(BytesIn<> identifier)
{
    const BytesIn<> arc = content_types.view();
    return identifier.size() > arc.size() && std::ranges::equal(identifier.first(arc.size()), arc);
}

}  // namespace

std::string_view remedy_of(std::string_view label) noexcept
{
    const auto* const known = std::ranges::find(blocks, label, &Named::name);
    return known == blocks.end() ? std::string_view() : known->remedy;
}

std::optional<std::string> foreign_file(BytesIn<> file) { return by_start(file, starts); }

/// By their first elements:
///   PFX                       { INTEGER 3, { OBJECT IDENTIFIER of CMS ...
///   ContentInfo               { OBJECT IDENTIFIER of CMS ...
///   CertificationRequest      { { INTEGER, { } or { SET ...
///   Certificate               { { INTEGER, { OBJECT IDENTIFIER ...
std::optional<std::string> foreign_sequence(BytesIn<> file)
{
    if (auto found = by_start(file, indefinite)) return found;
    std::optional<Error> error;
    der::Reader top(file, "the file", error);
    der::Reader outer = top.inside(der::sequence, "the file");
    if (outer.next_is(der::object_identifier))
        return is_content_type(outer.element(der::object_identifier, "contentType"))
                   ? std::optional(sentence({"a CMS (PKCS #7) file", cms}))
                   : std::nullopt;
    const bool is_pfx = outer.next_is(der::integer);
    der::Reader inner = is_pfx ? outer : outer.inside(der::sequence, "the first field");
    if (!inner.next_is(der::integer)) return {};
    const std::uint64_t version = inner.number("version");
    const der::Reader next = inner.inside(der::sequence, "the second field");
    if (error) return {};
    if (is_pfx && version == 3) return sentence({"a PKCS #12 file", pkcs12});
    if (!is_pfx && (next.at_end() || next.next_is(der::set)))
        return sentence({"a certificate request", request});
    return {};
}

}  // namespace girih::key_files
