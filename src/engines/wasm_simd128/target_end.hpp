// Nothing to close: see target_begin.hpp.
