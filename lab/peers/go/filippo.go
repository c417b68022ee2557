package main

import "filippo.io/mldsa"

func filippoJob(algorithm, operation string, inputs [][]byte) *job {
	parameters, ok := map[string]mldsa.Parameters{
		"ML-DSA-44": mldsa.MLDSA44(), "ML-DSA-65": mldsa.MLDSA65(), "ML-DSA-87": mldsa.MLDSA87(),
	}[algorithm]
	if !ok {
		return nil
	}
	return signatures[*mldsa.PrivateKey, *mldsa.PublicKey]{
		keygen: func(seed []byte, outputs [][]byte) bool {
			key, err := mldsa.NewPrivateKey(parameters, seed)
			if err == nil {
				outputs[0] = key.PublicKey().Bytes()
			}
			return err == nil
		},
		loadSecret: func(_, seed []byte) (*mldsa.PrivateKey, error) { return mldsa.NewPrivateKey(parameters, seed) },
		loadPublic: func(public []byte) (*mldsa.PublicKey, error) { return mldsa.NewPublicKey(parameters, public) },
		sign: func(key *mldsa.PrivateKey, message []byte) ([]byte, error) {
			return key.SignDeterministic(message, nil)
		},
		verify: func(key *mldsa.PublicKey, message, signature []byte) bool {
			return mldsa.Verify(key, message, signature, nil) == nil
		},
	}.job(operation, inputs)
}
