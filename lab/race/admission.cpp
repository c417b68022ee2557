#include "lab/race/admission.hpp"

#include <algorithm>
#include <functional>

#include "lab/race/invalid.hpp"

namespace girih::lab {

namespace {

/// How many operations of each kind are compared.
constexpr std::size_t count = 4;

/// Whether two have the same outputs; those that a library does not give are empty, and ignored.
bool agree(const Strings& left, const Strings& right)
{
    return std::ranges::equal(
        left, right, [](const Bytes& a, const Bytes& b) { return a.empty() || b.empty() || a == b; });
}

/// The most frequent outputs, the first if several are. Null if nobody has all outputs.
const Strings* majority(const std::vector<const Strings*>& all)
{
    const Strings* best = nullptr;
    std::ptrdiff_t most = 0;
    for (const Strings* candidate : all) {
        if (std::ranges::any_of(*candidate, &Bytes::empty)) continue;
        const auto votes =
            std::ranges::count_if(all, [&](const Strings* o) { return agree(*o, *candidate); });
        if (votes > most) {
            most = votes;
            best = candidate;
        }
    }
    return best;
}

class Examination {
  public:
    Examination(const Material& material, const std::vector<Contender>& contenders, Random& random)
        : material_(material), contenders_(contenders), random_(random)
    {
    }

    Admission all()
    {
        bool signs = false;
        for (const Group& group : operations_of(material_.algorithm)) {
            for (const Operation& operation : group) {
                const Strings inputs = operation.inputs(material_, random_, count);
                const Outputs made = compare(operation, inputs);
                if (operation.decapsulates()) change_ciphertexts(operation, inputs, made);
                signs |= operation.verifies();
            }
        }
        if (signs)
            refuse_signatures();
        else if (material_.algorithm.starts_with("ML-KEM"))
            refuse_keys();
        return admission_;
    }

  private:
    /// The outputs of those that do not fail, by name.
    using Outputs = std::map<std::string, Strings>;

    void exclude(const Contender& who, const std::string& why) { admission_.excluded.emplace(who.name, why); }

    /// Compares the contenders' outputs for the same inputs, and excludes those that are wrong.
    Outputs compare(const Operation& operation, const Strings& inputs)
    {
        Outputs outputs;
        std::vector<const Strings*> made;
        for (const Contender& who : contenders_) {
            const auto job = who.job(material_.algorithm, operation.name, inputs);
            if (job == nullptr) continue;
            if (!job->run())
                exclude(who, operation.name + ": it fails on inputs that others made");
            else
                made.push_back(&(outputs[who.name] = job->outputs()));
        }
        const Strings* const of_most = majority(made);
        for (const Contender& who : contenders_) {
            const auto found = outputs.find(who.name);
            if (found == outputs.end()) continue;
            if (operation.is_same && of_most != nullptr && !agree(found->second, *of_most))
                exclude(who, operation.name + ": its output is not that of the others");
            else if (const std::string why = refused_by_girih(operation, inputs, found->second); !why.empty())
                exclude(who, operation.name + ": " + why);
        }
        return outputs;
    }

    /// Has every girih verify or decapsulate outputs, where it can. Returns what is wrong.
    std::string refused_by_girih(const Operation& operation, const Strings& inputs, const Strings& outputs)
    try {
        if (operation.shown == nullptr) return {};
        const Proof proof = operation.shown(material_, inputs, outputs);
        for (const Contender& girih : contenders_)
            if (girih.is_girih &&
                girih.outputs(material_.algorithm, proof.operation, proof.inputs) != proof.outputs)
                return girih.name + " " + proof.failure;
        return {};
    } catch (const std::exception& failure) {
        return std::string{"its outputs cannot be shown to girih: "} + failure.what();
    }

    /// Changes a bit of each ciphertext. Nothing encrypts to it then, so the answer has to be a
    /// secret that only the owner of the key can compute (implicit rejection).
    void change_ciphertexts(const Operation& operation, const Strings& inputs, const Outputs& before)
    {
        for (const auto& [what, place] : changes_of_ciphertexts(material_.algorithm, inputs[1].size())) {
            Strings changed = inputs;
            for (std::size_t i = 1; i < changed.size(); i += 2) changed[i].at(place) ^= 1;
            const Outputs after = compare(operation, changed);
            for (const Contender& who : contenders_) {
                const auto old = before.find(who.name);
                const auto now = after.find(who.name);
                if (old == before.end() || now == after.end()) continue;
                if (!std::ranges::equal(old->second, now->second, std::not_equal_to<>{}))
                    exclude(who, operation.name + ": it gives the same secret for a flipped bit in " + what);
            }
        }
    }

    void refuse_signatures()
    {
        for (const Verdict& row : verdicts_of(material_)) {
            for (const Contender& who : contenders_) {
                for (const char* operation :
                     {"verify", "verify prepared", "verify_many", "verify_many prepared"}) {
                    if (!offers(who, operation)) continue;
                    const bool accepts = who.outputs(material_.algorithm, operation, row.inputs).has_value();
                    if (accepts != row.is_valid)
                        exclude(who, operation + std::string{accepts ? ": it accepts " : ": it refuses "} +
                                         row.what);
                }
            }
        }
    }

    void refuse_keys()
    {
        const Bytes seed = random_.bytes(32);
        const Bytes bad = with_coefficient_q(material_.key(seed).public_key);
        for (const Contender& who : contenders_) {
            for (const char* operation :
                 {"encapsulate", "encapsulate prepared", "encapsulate_many", "encapsulate_many prepared"}) {
                if (!offers(who, operation) || !who.outputs(material_.algorithm, operation, {bad, seed}))
                    continue;
                const std::string what = operation + std::string{": it takes a key with a coefficient of q"};
                if (who.is_girih)
                    exclude(who, what);
                else
                    admission_.remarks.emplace(who.name, what + ": its function does not check keys");
            }
        }
    }

    /// Whether a contender offers an operation: tries to make a job of valid inputs.
    bool offers(const Contender& who, const std::string& name)
    {
        auto& inputs = valid_[name];
        if (inputs.empty()) inputs = operation_of(material_.algorithm, name).inputs(material_, random_, 1);
        return who.job(material_.algorithm, name, inputs) != nullptr;
    }

    const Material& material_;
    const std::vector<Contender>& contenders_;
    Random& random_;
    Admission admission_;
    std::map<std::string, Strings> valid_;
};

}  // namespace

Admission admit(const Material& material, const std::vector<Contender>& contenders, Random& random)
{
    return Examination{material, contenders, random}.all();
}

const Contender* trusted(const std::string& algorithm, const std::vector<Contender>& contenders)
{
    const Bytes seed(32);
    std::vector<Strings> made(contenders.size());
    std::vector<const Strings*> all;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
        auto keys = contenders[i].outputs(algorithm, "keygen", {seed});
        if (!keys || keys->size() < 2) continue;
        const auto signatures = contenders[i].outputs(algorithm, "sign", {(*keys)[1], seed, Bytes(7)});
        if (signatures) keys->push_back(signatures->at(0));
        made[i] = *std::move(keys);
        all.push_back(&made[i]);
    }
    const Strings* const of_most = majority(all);
    if (of_most == nullptr) return nullptr;
    return &contenders[static_cast<std::size_t>(std::ranges::find(made, *of_most) - made.begin())];
}

}  // namespace girih::lab
