package main

import (
	"github.com/cloudflare/circl/kem"
	"github.com/cloudflare/circl/kem/mlkem/mlkem1024"
	"github.com/cloudflare/circl/kem/mlkem/mlkem512"
	"github.com/cloudflare/circl/kem/mlkem/mlkem768"
)

var circlKems = map[string]kem.Scheme{
	"ML-KEM-512": mlkem512.Scheme(), "ML-KEM-768": mlkem768.Scheme(), "ML-KEM-1024": mlkem1024.Scheme(),
}

// d and z of a key pair (FIPS 203, Algorithm 16), from a seed of the race.
func mlkemSeed(seed []byte) []byte {
	longer := append([]byte{}, seed...)
	for i := range seed {
		longer = append(longer, seed[len(seed)-1-i])
	}
	return longer
}

func circlKemJob(algorithm, operation string, inputs [][]byte) *job {
	scheme, ok := circlKems[algorithm]
	if !ok {
		return nil
	}
	encapsulate := func(key kem.PublicKey, seed []byte, outputs [][]byte) bool {
		var err error
		outputs[0], outputs[1], err = scheme.EncapsulateDeterministically(key, seed)
		return err == nil
	}
	decapsulate := func(key kem.PrivateKey, ciphertext []byte, outputs [][]byte) bool {
		var err error
		outputs[0], err = scheme.Decapsulate(key, ciphertext)
		return err == nil
	}

	switch operation {
	case "keygen":
		var seeds [][]byte
		for _, seed := range inputs {
			seeds = append(seeds, mlkemSeed(seed))
		}
		return newJob(len(seeds), 2, func(index int, outputs [][]byte) bool {
			public, secret := scheme.DeriveKeyPair(seeds[index])
			var publicErr, secretErr error
			outputs[0], publicErr = public.MarshalBinary()
			outputs[1], secretErr = secret.MarshalBinary()
			return publicErr == nil && secretErr == nil
		})
	case "encapsulate":
		return newJob(len(inputs)/2, 2, func(index int, outputs [][]byte) bool {
			key, err := scheme.UnmarshalBinaryPublicKey(inputs[2*index])
			return err == nil && encapsulate(key, inputs[2*index+1], outputs)
		})
	case "encapsulate prepared":
		if keys, ok := loaded(inputs, 2, scheme.UnmarshalBinaryPublicKey); ok {
			return newJob(len(keys), 2, func(index int, outputs [][]byte) bool {
				return encapsulate(keys[index], inputs[2*index+1], outputs)
			})
		}
	case "decapsulate":
		return newJob(len(inputs)/2, 1, func(index int, outputs [][]byte) bool {
			key, err := scheme.UnmarshalBinaryPrivateKey(inputs[2*index])
			return err == nil && decapsulate(key, inputs[2*index+1], outputs)
		})
	case "decapsulate prepared":
		if keys, ok := loaded(inputs, 2, scheme.UnmarshalBinaryPrivateKey); ok {
			return newJob(len(keys), 1, func(index int, outputs [][]byte) bool {
				return decapsulate(keys[index], inputs[2*index+1], outputs)
			})
		}
	}
	return nil
}
