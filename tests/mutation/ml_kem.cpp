/// The portable engine with the mutants of ML-KEM.
#include "ml_kem/operations.hpp"

#include "isa/portable/engine.hpp"

namespace girih::ml_kem {

using isa::portable::Isa;

template <>
constinit const Operations OperationsOn<Isa, ml_kem_512>::table = OperationsOf<ml_kem_512, Isa>::table;
template <>
constinit const Operations OperationsOn<Isa, ml_kem_768>::table = OperationsOf<ml_kem_768, Isa>::table;
template <>
constinit const Operations OperationsOn<Isa, ml_kem_1024>::table = OperationsOf<ml_kem_1024, Isa>::table;

}  // namespace girih::ml_kem
