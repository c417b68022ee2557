#include "algorithms.hpp"
#include "buffers.hpp"
#include "keys.hpp"
#include "options.hpp"

NB_MODULE(_girih, module)
{
    using namespace girih::python;
    nb::set_leak_warnings(false);  // objects that live until the interpreter ends are no mistake
    module.attr("version") = GIRIH_VERSION;
    define_errors(module);
    define_algorithms(module);
    define_buffers(module);
    define_keys(module);
    define_signatures(module);
    define_kems(module);
    define_messages(module);
    define_key_files(module);
    define_batches(module);
}
