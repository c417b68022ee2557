#include "cli/system/windows/native.hpp"

#include <aclapi.h>
#include <sddl.h>

#include <array>
#include <cstddef>
#include <vector>

#include "cli/system/files.hpp"

namespace girih::cli::system {
namespace {

/// Memory that Windows allocated and LocalFree frees.
template <class T>
struct Local {
    T* value = nullptr;
    Local() = default;
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;
    ~Local() { (void)::LocalFree(value); }
};

using Token = std::vector<std::byte>;

/// The user who runs the command, as TOKEN_USER; empty if unknown.
Token user_of_process()
{
    HANDLE opened = INVALID_HANDLE_VALUE;
    if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &opened) == 0) return {};
    const Handle token(opened);
    DWORD bytes = 0;
    (void)::GetTokenInformation(token.get(), TokenUser, nullptr, 0, &bytes);
    Token user(bytes);
    if (::GetTokenInformation(token.get(), TokenUser, user.data(), bytes, &bytes) == 0) return {};
    return user;
}

PSID sid_of(const Token& user) { return reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid; }

/// Administrators and the system can access every file, whatever its list says.
bool may_anyway(PSID who)
{
    return ::IsWellKnownSid(who, WinLocalSystemSid) != 0 ||
           ::IsWellKnownSid(who, WinBuiltinAdministratorsSid) != 0 ||
           ::IsWellKnownSid(who, WinCreatorOwnerRightsSid) != 0;
}

/// An account's name, or its SID as text.
std::string name_of(PSID who)
{
    std::array<wchar_t, 256> name{};
    std::array<wchar_t, 256> domain{};
    auto name_length = static_cast<DWORD>(name.size());
    auto domain_length = static_cast<DWORD>(domain.size());
    SID_NAME_USE use{};
    if (::LookupAccountSidW(nullptr, who, name.data(), &name_length, domain.data(), &domain_length, &use) !=
        0)
        return utf8(name.data());
    Local<wchar_t> text;
    return ::ConvertSidToStringSidW(who, &text.value) != 0 ? utf8(text.value) : "an unknown account";
}

/// The access rights that let an account read or change a key.
constexpr DWORD use_of_bytes = FILE_READ_DATA | FILE_WRITE_DATA | FILE_APPEND_DATA | GENERIC_READ |
                               GENERIC_WRITE | GENERIC_ALL | WRITE_DAC | WRITE_OWNER;

/// The first account other than the owner and the user to which a list gives access; empty if there
/// is none.
std::string other_in(ACL& list, PSID owner, const Token& user)
{
    for (DWORD i = 0; i < list.AceCount; ++i) {
        void* entry = nullptr;
        if (::GetAce(&list, i, &entry) == 0) continue;
        auto* const allowed = static_cast<ACCESS_ALLOWED_ACE*>(entry);
        if (allowed->Header.AceType != ACCESS_ALLOWED_ACE_TYPE || (allowed->Mask & use_of_bytes) == 0)
            continue;
        if ((allowed->Header.AceFlags & INHERIT_ONLY_ACE) != 0) continue;
        PSID who = &allowed->SidStart;
        const bool is_known =
            ::EqualSid(who, owner) != 0 || (!user.empty() && ::EqualSid(who, sid_of(user)) != 0);
        if (!is_known && !may_anyway(who)) return name_of(who);
    }
    return "";
}

}  // namespace

PrivateToUser::PrivateToUser()
{
    const Token user = user_of_process();
    Local<wchar_t> sid;
    if (user.empty() || ::ConvertSidToStringSidW(sid_of(user), &sid.value) == 0) {
        note_error();
        return;
    }
    // The list is protected (P) and gives the user full access (FA) to a file, and to the content
    // of a folder (OI, CI).
    const std::wstring list = L"D:P(A;OICI;FA;;;" + std::wstring(sid.value) + L")";
    attributes_.nLength = sizeof attributes_;
    if (::ConvertStringSecurityDescriptorToSecurityDescriptorW(
            list.c_str(), SDDL_REVISION_1, &attributes_.lpSecurityDescriptor, nullptr) == 0)
        note_error();
}

PrivateToUser::~PrivateToUser() { (void)::LocalFree(attributes_.lpSecurityDescriptor); }

SECURITY_ATTRIBUTES* PrivateToUser::get() const noexcept
{
    return attributes_.lpSecurityDescriptor == nullptr ? nullptr : &attributes_;
}

std::string use_by_others(int number, const std::string& name)
{
    const auto status = status_of(number);
    if (!status || status->kind != Kind::file) return "";
    PSID owner = nullptr;
    ACL* list = nullptr;
    Local<void> descriptor;
    // On a file system without lists, such as FAT, everybody has access.
    if (::GetSecurityInfo(handle_of(number), SE_FILE_OBJECT,
                          OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner, nullptr, &list,
                          nullptr, &descriptor.value) != ERROR_SUCCESS)
        return "";
    const std::string other = list == nullptr ? "Everyone" : other_in(*list, owner, user_of_process());
    if (other.empty()) return "";
    return "(" + other + "); icacls \"" + name + "\" /inheritance:r /grant:r \"%USERNAME%:F\" ends that";
}

}  // namespace girih::cli::system
