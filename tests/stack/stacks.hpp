/// Stacks for one call: a stack that is painted before the call, which shows afterwards how deep
/// the call went and what it left there, and a small one that ends at a guard page.
#pragma once

#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <stdexcept>
#include <vector>

namespace girih::stack {

using Bytes = std::span<std::uint8_t>;

/// Fails if a system call did.
inline void need(bool good, const char* what)
{
    if (!good) throw std::runtime_error(what);
}

/// Calls `function()` on this stack, and comes back.
template <class Function>
void call_on(Bytes stack, Function& function)
{
    static Function* current;  // makecontext passes on nothing wider than int
    ucontext_t caller;
    ucontext_t callee;
    need(getcontext(&callee) == 0, "getcontext");
    callee.uc_stack.ss_sp = stack.data();
    callee.uc_stack.ss_size = stack.size();
    callee.uc_link = &caller;
    current = &function;
    makecontext(&callee, [] { (*current)(); }, 0);
    need(swapcontext(&caller, &callee) == 0, "swapcontext");
}

class PaintedStack {
  public:
    /// Calls `function()` on this stack, painted afresh.
    template <class Function>
    void run(Function function)
    {
        std::memset(bytes_.data(), paint, bytes_.size());
        call_on(bytes_, function);
    }

    /// Everything from the deepest byte that the call wrote to the top. Empty before the first
    /// call.
    [[nodiscard]] std::span<const std::uint8_t> used() const
    {
        static const std::vector<std::uint8_t> painted(4096, paint);
        auto from = bytes_.begin();
        while (bytes_.end() - from > std::ssize(painted) &&
               std::memcmp(&*from, painted.data(), painted.size()) == 0)
            from += std::ssize(painted);
        return {std::find_if(from, bytes_.end(), [](std::uint8_t byte) { return byte != paint; }),
                bytes_.end()};
    }

  private:
    static constexpr std::uint8_t paint = 0xA5;

    std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(std::size_t{2} << 20, paint);
};

/// How much of the stack a call takes, in bytes, beyond what calling anything takes.
template <class Function>
[[nodiscard]] std::size_t stack_bytes_of(Function function)
{
    PaintedStack stack;
    stack.run([] {});
    const std::size_t of_nothing = stack.used().size();
    stack.run(function);
    return stack.used().size() - of_nothing;
}

/// How a call ended, as the status of its process.
enum class End {
    succeeded,          ///< it returned 0
    failed = 10,        ///< it returned something else
    stopped_at_guard,   ///< a signal, and the address was in the guard page
    stopped_elsewhere,  ///< a signal, and the address was somewhere else
};

/// For calls in processes of their own: below the stack a page that nobody may touch, and directly
/// below that page memory of somebody else.
class GuardedStack {
  public:
    explicit GuardedStack(std::size_t size)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), size_(neighbour_size + page_ + size)
    {
        void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        need(memory != MAP_FAILED, "mmap");
        memory_ = static_cast<std::uint8_t*>(memory);
        need(mprotect(guard().data(), page_, PROT_NONE) == 0, "mprotect");
        std::ranges::fill(neighbour(), pattern);
    }
    GuardedStack(const GuardedStack&) = delete;
    GuardedStack& operator=(const GuardedStack&) = delete;
    ~GuardedStack() { munmap(memory_, size_); }

    /// Calls `function()`, which returns an int, on this stack.
    template <class Function>
    End run(Function function)
    {
        const pid_t child = fork();
        need(child >= 0, "fork");
        if (child == 0) call_here(function);
        int status = 0;
        need(waitpid(child, &status, 0) == child, "waitpid");
        return WIFEXITED(status) ? End{WEXITSTATUS(status)} : End::stopped_elsewhere;
    }

    /// The number of bytes of the neighbour's memory written since the last call of this.
    [[nodiscard]] std::size_t written_beyond()
    {
        if (std::memcmp(&memory_[0], &memory_[1], neighbour_size - 1) == 0 && memory_[0] == pattern) return 0;
        const auto untouched = std::ranges::count(neighbour(), pattern);
        std::ranges::fill(neighbour(), pattern);
        return neighbour_size - static_cast<std::size_t>(untouched);
    }

  private:
    static constexpr std::size_t neighbour_size = std::size_t{1} << 20;
    static constexpr std::uint8_t pattern = 0x5A;

    [[nodiscard]] Bytes neighbour() const { return {memory_, neighbour_size}; }
    [[nodiscard]] Bytes guard() const { return {memory_ + neighbour_size, page_}; }

    /// Runs in the child, and ends it. Signals are handled on memory of their own, since there will
    /// be no stack left for them.
    template <class Function>
    [[noreturn]] void call_here(Function& function)
    {
        guard_ = guard();
        stack_t signals{};
        signals.ss_sp = signal_stack_.data();
        signals.ss_size = signal_stack_.size();
        struct sigaction action{};
        action.sa_sigaction = stopped;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        if (sigaltstack(&signals, nullptr) != 0 || sigaction(SIGSEGV, &action, nullptr) != 0 ||
            sigaction(SIGBUS, &action, nullptr) != 0)
            end(End::stopped_elsewhere);
        auto run_and_end = [&] { end(function() == 0 ? End::succeeded : End::failed); };
        call_on({guard().data() + page_, size_ - neighbour_size - page_}, run_and_end);
        end(End::stopped_elsewhere);
    }

    [[noreturn]] static void end(End how) { _exit(static_cast<int>(how)); }

    static void stopped(int, siginfo_t* info, void*)
    {
        const auto* const at = static_cast<const std::uint8_t*>(info->si_addr);
        const bool in_guard = at >= guard_.data() && at < guard_.data() + guard_.size();
        end(in_guard ? End::stopped_at_guard : End::stopped_elsewhere);
    }

    // The child's: a signal passes on no pointer.
    inline static Bytes guard_;
    inline static std::array<std::uint8_t, 65536> signal_stack_{};

    std::uint8_t* memory_ = nullptr;
    std::size_t page_;
    std::size_t size_;
};

}  // namespace girih::stack
