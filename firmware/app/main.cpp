/// An image: a shell on a board's serial port, with the commands of a role.
#include "app/application.hpp"
#include "boards/board.hpp"
#include "link/shell.hpp"

namespace girih::firmware {
namespace {

using ThisApplication = Application<GIRIH_FIRMWARE_ROLE>;

const Wire serial_port{[](void*, char character) { board::put(character); }, nullptr};
ThisApplication application;
Shell shell{serial_port, ThisApplication::run, &application};

[[noreturn]] void run()
{
    board::start();
    Answer greeting{serial_port};
    if (!board::warning().empty()) greeting.text_line(board::warning());
    greeting.text_line("READY");
    for (;;) shell.take(board::get());
}

}  // namespace
}  // namespace girih::firmware

int main() { girih::firmware::run(); }
