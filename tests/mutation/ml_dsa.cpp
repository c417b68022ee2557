/// The portable engine with the mutants of ML-DSA.
#include "ml_dsa/operations.hpp"

#include "isa/portable/engine.hpp"

namespace girih::ml_dsa {

using isa::portable::Isa;

template <>
constinit const Operations OperationsOn<Isa, ml_dsa_44>::table = OperationsOf<ml_dsa_44, Isa>::table;
template <>
constinit const Operations OperationsOn<Isa, ml_dsa_65>::table = OperationsOf<ml_dsa_65, Isa>::table;
template <>
constinit const Operations OperationsOn<Isa, ml_dsa_87>::table = OperationsOf<ml_dsa_87, Isa>::table;
template <>
constinit const Operations OperationsOn<Isa, dilithium2>::table = OperationsOf<dilithium2, Isa>::table;
template <>
constinit const Operations OperationsOn<Isa, dilithium3>::table = OperationsOf<dilithium3, Isa>::table;
template <>
constinit const Operations OperationsOn<Isa, dilithium5>::table = OperationsOf<dilithium5, Isa>::table;

}  // namespace girih::ml_dsa
