#include "cli/system/terminal.hpp"

#include <algorithm>

#include "cli/system/failure.hpp"
#include "cli/system/windows/native.hpp"

namespace girih::cli::system {
namespace {

/// Hides typing on a console until destruction.
class HiddenTyping {
  public:
    explicit HiddenTyping(HANDLE console) : console_(console)
    {
        if (::GetConsoleMode(console_, &mode_) == 0) return;
        restore_on_end(console_, mode_);
        const DWORD hidden =
            (mode_ & ~static_cast<DWORD>(ENABLE_ECHO_INPUT)) | ENABLE_LINE_INPUT | ENABLE_PROCESSED_INPUT;
        is_hidden_ = ::SetConsoleMode(console_, hidden) != 0;
    }
    HiddenTyping(const HiddenTyping&) = delete;
    HiddenTyping& operator=(const HiddenTyping&) = delete;
    ~HiddenTyping()
    {
        if (is_hidden_) (void)::SetConsoleMode(console_, mode_);
        restored();
    }
    [[nodiscard]] bool is_hidden() const noexcept { return is_hidden_; }

  private:
    HANDLE console_;
    DWORD mode_ = 0;
    bool is_hidden_ = false;
};

Handle open_console(const wchar_t* name)
{
    return Handle(::CreateFileW(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                nullptr, OPEN_EXISTING, 0, nullptr));
}

bool show(const Handle& screen, const std::wstring& text)
{
    DWORD written = 0;
    return ::WriteConsoleW(screen.get(), text.data(), static_cast<DWORD>(text.size()), &written, nullptr) !=
           0;
}

}  // namespace

bool is_terminal(int number) noexcept
{
    DWORD mode = 0;
    return ::GetConsoleMode(handle_of(number), &mode) != 0;
}

bool obeys_escapes(int number) noexcept
{
    DWORD mode = 0;
    return ::GetConsoleMode(handle_of(number), &mode) != 0 &&
           (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

std::optional<key_files::SecretBytes> ask_hidden(const std::string& question, std::size_t max_bytes)
{
    const Handle keyboard = open_console(L"CONIN$");
    const Handle screen = open_console(L"CONOUT$");
    if (!keyboard || !screen) return {};
    const HiddenTyping typing(keyboard.get());
    if (!typing.is_hidden() || !show(screen, wide(question).value_or(L"passphrase: "))) return {};

    constexpr DWORD longest = 2048;
    key_files::SecretBytes typed(longest * sizeof(wchar_t));
    auto* const characters = reinterpret_cast<wchar_t*>(typed.data());
    DWORD count = 0;
    ::SetLastError(ERROR_SUCCESS);
    const bool is_read = ::ReadConsoleW(keyboard.get(), characters, longest, &count, nullptr) != 0;
    note_error();
    if (::GetLastError() == ERROR_OPERATION_ABORTED) ::Sleep(1000);  // Ctrl-C ends the process
    if (!is_read) throw Failure(exit_file, "the terminal: " + reason());
    (void)show(screen, L"\n");
    while (count > 0 && (characters[count - 1] == L'\n' || characters[count - 1] == L'\r')) --count;
    // A UTF-16 code unit takes up to three bytes in UTF-8.
    key_files::SecretBytes line(std::size_t{3} * count);
    const int bytes = count == 0 ? 0
                                 : ::WideCharToMultiByte(CP_UTF8, 0, characters, static_cast<int>(count),
                                                         reinterpret_cast<char*>(line.data()),
                                                         static_cast<int>(line.size()), nullptr, nullptr);
    line.resize(std::min(static_cast<std::size_t>(bytes), max_bytes));
    return line;
}

}  // namespace girih::cli::system
