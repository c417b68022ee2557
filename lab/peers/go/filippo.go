package main

import "filippo.io/mldsa"

func filippoJob(algorithm, operation string, inputs [][]byte) *job {
	parameters, ok := map[string]mldsa.Parameters{
		"ML-DSA-44": mldsa.MLDSA44(), "ML-DSA-65": mldsa.MLDSA65(), "ML-DSA-87": mldsa.MLDSA87(),
	}[algorithm]
	if !ok {
		return nil
	}
	load := func(public []byte) *mldsa.PublicKey {
		key, err := mldsa.NewPublicKey(parameters, public)
		if err != nil {
			return nil
		}
		return key
	}
	sign := func(key *mldsa.PrivateKey, message []byte, outputs [][]byte) bool {
		signature, err := key.SignDeterministic(message, nil)
		outputs[0] = signature
		return err == nil
	}

	switch operation {
	case "keygen":
		return newJob(len(inputs), 2, func(index int, outputs [][]byte) bool {
			key, err := mldsa.NewPrivateKey(parameters, inputs[index])
			if err != nil {
				return false
			}
			outputs[0] = key.PublicKey().Bytes()
			return true
		})
	case "sign":
		seed, messages := inputs[1], inputs[2:]
		return newJob(len(messages), 1, func(index int, outputs [][]byte) bool {
			key, err := mldsa.NewPrivateKey(parameters, seed)
			return err == nil && sign(key, messages[index], outputs)
		})
	case "sign prepared":
		messages := inputs[2:]
		key, err := mldsa.NewPrivateKey(parameters, inputs[1])
		if err != nil {
			return nil
		}
		return newJob(len(messages), 1, func(index int, outputs [][]byte) bool {
			return sign(key, messages[index], outputs)
		})
	case "verify":
		return newJob(len(inputs)/3, 0, func(index int, _ [][]byte) bool {
			key := load(inputs[3*index])
			return key != nil && mldsa.Verify(key, inputs[3*index+1], inputs[3*index+2], nil) == nil
		})
	case "verify prepared":
		cases := verifications(inputs, load)
		return newJob(len(cases), 0, func(index int, _ [][]byte) bool {
			c := cases[index]
			return c.key != nil && mldsa.Verify(c.key, c.message, c.signature, nil) == nil
		})
	}
	return nil
}
