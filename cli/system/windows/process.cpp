#include "cli/system/process.hpp"

#include "cli/system/windows/native.hpp"

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

#include <cstdlib>
#include <mutex>
#include <set>

namespace girih::cli::system {
namespace {

/// The cleanup when the user ends the command: by Ctrl-C, by closing its window, by logging off.
struct Undone {
    std::recursive_mutex mutex;  ///< held by uninterrupted work and while files are made
    std::set<std::wstring> files;
    HANDLE console = INVALID_HANDLE_VALUE;
    DWORD mode = 0;
};

Undone& undone()
{
    // Never destroyed: Windows calls on_end in a separate thread, perhaps while main returns.
    static Undone& all = *new Undone;
    return all;
}

UINT code_page_before = 0;

void restore_code_page()
{
    if (code_page_before != 0) (void)::SetConsoleOutputCP(code_page_before);
}

BOOL WINAPI on_end(DWORD)
{
    // Threads that make a file wait here until the process has ended.
    undone().mutex.lock();
    for (const std::wstring& file : undone().files) (void)::DeleteFileW(file.c_str());
    if (undone().console != INVALID_HANDLE_VALUE) (void)::SetConsoleMode(undone().console, undone().mode);
    restore_code_page();
    return FALSE;  // Windows then ends the process
}

void ignore(const wchar_t*, const wchar_t*, const wchar_t*, unsigned, std::uintptr_t) {}

}  // namespace

const char* const home_variable = "USERPROFILE";

void prepare()
{
    // Makes a closed descriptor an ordinary error, instead of the end of the process.
    (void)::_set_invalid_parameter_handler(ignore);
    for (const int number : {standard_input, standard_output, standard_error})
        (void)::_setmode(number, _O_BINARY);
    (void)::SetConsoleCtrlHandler(on_end, TRUE);
    // Enables escapes (ECMA-48) and UTF-8 on consoles.
    bool has_console = false;
    for (const DWORD stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
        const HANDLE console = ::GetStdHandle(stream);
        DWORD mode = 0;
        if (::GetConsoleMode(console, &mode) == 0) continue;
        has_console = true;
        (void)::SetConsoleMode(console, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
    const UINT code_page = has_console ? ::GetConsoleOutputCP() : CP_UTF8;
    if (code_page == CP_UTF8 || ::SetConsoleOutputCP(CP_UTF8) == 0) return;
    code_page_before = code_page;
    (void)std::atexit(restore_code_page);
}

void keep_memory_private() noexcept
{
    // Disables Windows Error Reporting, which writes the dumps.
    (void)::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
}

std::string why_no_randomness() { return "BCryptGenRandom"; }

/// main's own arguments lack characters outside the process's code page.
std::vector<std::string> arguments(int, char**)
{
    std::vector<std::string> all;
    int count = 0;
    wchar_t** const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
    for (int i = 1; i < count; ++i) all.push_back(utf8(words[i]));
    (void)::LocalFree(static_cast<void*>(words));
    return all;
}

/// girih-board, the only such program, is not made for Windows.
std::string path_beside(const std::string&) { return ""; }
void become(const std::string&, const std::vector<std::string>&) {}

std::string variable(const char* name)
{
    const wchar_t* value = ::_wgetenv(wide(name).value_or(std::wstring()).c_str());
    return value == nullptr ? "" : utf8(value);
}

void uninterrupted(const std::function<void()>& work)
{
    const std::lock_guard lock(undone().mutex);
    work();
}

void remove_on_end(const std::wstring& path)
{
    const std::lock_guard lock(undone().mutex);
    undone().files.insert(path);
}

void keep(const std::wstring& path) noexcept
{
    const std::lock_guard lock(undone().mutex);
    undone().files.erase(path);
}

void restore_on_end(HANDLE console, DWORD mode) noexcept
{
    const std::lock_guard lock(undone().mutex);
    undone().console = console;
    undone().mode = mode;
}

void restored() noexcept { restore_on_end(INVALID_HANDLE_VALUE, 0); }

}  // namespace girih::cli::system
