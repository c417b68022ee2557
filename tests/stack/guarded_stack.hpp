/// A small stack for one call, in a process of its own: below the stack a page that nobody may
/// touch, and directly below that page memory of somebody else.
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
#include <span>
#include <stdexcept>

namespace girih::stack {

/// How a call ended.
enum class End {
    succeeded,         ///< it returned 0
    stopped_at_guard,  ///< a signal, and the address was in the guard page
    failed,            ///< it returned something else
    stopped_elsewhere  ///< a signal, and the address was somewhere else; or the process ended in another way
};

class GuardedStack {
  public:
    explicit GuardedStack(std::size_t size)
        : size_(size), page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)))
    {
        void* const memory = mmap(nullptr, neighbour_size + page_ + size_, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("mmap");
        memory_ = static_cast<std::uint8_t*>(memory);
        if (mprotect(guard(), page_, PROT_NONE) != 0) throw std::runtime_error("mprotect");
        std::ranges::fill(neighbour(), pattern);
    }
    GuardedStack(const GuardedStack&) = delete;
    GuardedStack& operator=(const GuardedStack&) = delete;
    ~GuardedStack() { munmap(memory_, neighbour_size + page_ + size_); }

    /// Calls `function()`, which returns an int, on this stack.
    template <class Function>
    End run(Function function)
    {
        const pid_t child = fork();
        if (child < 0) throw std::runtime_error("fork");
        if (child == 0) call_here(function);
        int status = 0;
        if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid");
        if (!WIFEXITED(status)) return End::stopped_elsewhere;
        switch (WEXITSTATUS(status)) {
            case exit_succeeded:
                return End::succeeded;
            case exit_failed:
                return End::failed;
            case exit_guard:
                return End::stopped_at_guard;
            default:
                return End::stopped_elsewhere;
        }
    }

    /// How many bytes of the neighbour's memory were written since this was last asked.
    [[nodiscard]] std::size_t written_beyond()
    {
        if (std::memcmp(&memory_[0], &memory_[1], neighbour_size - 1) == 0 && memory_[0] == pattern) return 0;
        const auto written =
            std::ranges::count_if(neighbour(), [](std::uint8_t byte) { return byte != pattern; });
        std::ranges::fill(neighbour(), pattern);
        return static_cast<std::size_t>(written);
    }

  private:
    static constexpr std::size_t neighbour_size = std::size_t{1} << 20;
    static constexpr std::uint8_t pattern = 0x5A;
    static constexpr int exit_succeeded = 0;
    static constexpr int exit_failed = 10;
    static constexpr int exit_guard = 11;
    static constexpr int exit_other = 12;

    [[nodiscard]] std::span<std::uint8_t> neighbour() const { return {memory_, neighbour_size}; }
    [[nodiscard]] std::uint8_t* guard() const { return memory_ + neighbour_size; }

    /// Runs in the child, and ends it. Signals are handled on memory of their own, since there will
    /// be no stack left for them.
    template <class Function>
    [[noreturn]] void call_here(Function& function)
    {
        current_ = this;
        enter_ = [](void* f) { _exit((*static_cast<Function*>(f))() == 0 ? exit_succeeded : exit_failed); };
        function_ = &function;
        stack_t signals{};
        signals.ss_sp = signal_stack_.data();
        signals.ss_size = signal_stack_.size();
        struct sigaction action{};
        action.sa_sigaction = stopped;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ucontext_t context;
        if (sigaltstack(&signals, nullptr) != 0 || sigaction(SIGSEGV, &action, nullptr) != 0 ||
            sigaction(SIGBUS, &action, nullptr) != 0 || getcontext(&context) != 0)
            _exit(exit_other);
        context.uc_stack.ss_sp = guard() + page_;
        context.uc_stack.ss_size = size_;
        context.uc_link = nullptr;
        makecontext(&context, [] { enter_(function_); }, 0);
        setcontext(&context);
        _exit(exit_other);
    }

    static void stopped(int, siginfo_t* info, void*)
    {
        const auto* const at = static_cast<const std::uint8_t*>(info->si_addr);
        const bool in_guard = at >= current_->guard() && at < current_->guard() + current_->page_;
        _exit(in_guard ? exit_guard : exit_other);
    }

    // Of the child: neither a signal nor makecontext passes on a pointer.
    inline static GuardedStack* current_ = nullptr;
    inline static void (*enter_)(void*) = nullptr;
    inline static void* function_ = nullptr;
    inline static std::array<std::uint8_t, 65536> signal_stack_{};

    std::uint8_t* memory_ = nullptr;
    std::size_t size_;
    std::size_t page_;
};

}  // namespace girih::stack
