/// Before a race: does everybody compute the same, and refuse what is to be refused?
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/operations/operations.hpp"

namespace girih::lab {

/// By name: why contenders do not race, and what is to be said of those who do.
struct Admission {
    std::map<std::string, std::string> excluded, remarks;
};

/// Compares every operation of every contender with what most make of the same inputs, shows every
/// signature and ciphertext to every girih, and girih's to everybody. Then everybody has to refuse
/// the invalid signatures of the table, to answer a changed ciphertext with the secret that the
/// others do and that is another one, and to refuse an encapsulation key with a coefficient of q,
/// where its functions check keys: of a peer whose functions do not, that is remarked.
[[nodiscard]] Admission admit(const Material& material, const std::vector<Contender>& contenders,
                              Random& random);

/// The first whose keys, and signatures if there are any, are those of most: it makes what the
/// others are shown. Null if nobody makes keys.
[[nodiscard]] const Contender* trusted(const std::string& algorithm,
                                       const std::vector<Contender>& contenders);

}  // namespace girih::lab
