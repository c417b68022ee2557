/// The rows of the prime field, which no engine changes: canonical residues in plain C++.
#pragma once

namespace girih::lab {

void add_field_rows();

}  // namespace girih::lab
