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
	loadPublic := func(bytes []byte) kem.PublicKey {
		key, err := scheme.UnmarshalBinaryPublicKey(bytes)
		if err != nil {
			return nil
		}
		return key
	}
	loadSecret := func(bytes []byte) kem.PrivateKey {
		key, err := scheme.UnmarshalBinaryPrivateKey(bytes)
		if err != nil {
			return nil
		}
		return key
	}
	encapsulate := func(key kem.PublicKey, seed []byte, outputs [][]byte) bool {
		if key == nil {
			return false
		}
		var err error
		outputs[0], outputs[1], err = scheme.EncapsulateDeterministically(key, seed)
		return err == nil
	}
	decapsulate := func(key kem.PrivateKey, ciphertext []byte, outputs [][]byte) bool {
		if key == nil {
			return false
		}
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
			return encapsulate(loadPublic(inputs[2*index]), inputs[2*index+1], outputs)
		})
	case "encapsulate prepared":
		keys := loaded(inputs, loadPublic)
		return newJob(len(keys), 2, func(index int, outputs [][]byte) bool {
			return encapsulate(keys[index], inputs[2*index+1], outputs)
		})
	case "decapsulate":
		return newJob(len(inputs)/2, 1, func(index int, outputs [][]byte) bool {
			return decapsulate(loadSecret(inputs[2*index]), inputs[2*index+1], outputs)
		})
	case "decapsulate prepared":
		keys := loaded(inputs, loadSecret)
		return newJob(len(keys), 1, func(index int, outputs [][]byte) bool {
			return decapsulate(keys[index], inputs[2*index+1], outputs)
		})
	}
	return nil
}

// The key objects of pairs of a key and what is done with it, one for each run of equal keys.
func loaded[Key any](inputs [][]byte, load func([]byte) Key) []Key {
	var keys []Key
	for i := 0; i+1 < len(inputs); i += 2 {
		if i > 0 && string(inputs[i]) == string(inputs[i-2]) {
			keys = append(keys, keys[len(keys)-1])
		} else {
			keys = append(keys, load(inputs[i]))
		}
	}
	return keys
}
