package main

import (
	"github.com/cloudflare/circl/sign"
	"github.com/cloudflare/circl/sign/mldsa/mldsa44"
	"github.com/cloudflare/circl/sign/mldsa/mldsa65"
	"github.com/cloudflare/circl/sign/mldsa/mldsa87"
)

// CIRCL's Scheme draws randomness when it signs; the deterministic form is a function of
// each level's package.
type circlLevel struct {
	scheme sign.Scheme
	sign   func(key sign.PrivateKey, message, out []byte) error
}

var circlLevels = map[string]circlLevel{
	"ML-DSA-44": {mldsa44.Scheme(), func(key sign.PrivateKey, message, out []byte) error {
		return mldsa44.SignTo(key.(*mldsa44.PrivateKey), message, nil, false, out)
	}},
	"ML-DSA-65": {mldsa65.Scheme(), func(key sign.PrivateKey, message, out []byte) error {
		return mldsa65.SignTo(key.(*mldsa65.PrivateKey), message, nil, false, out)
	}},
	"ML-DSA-87": {mldsa87.Scheme(), func(key sign.PrivateKey, message, out []byte) error {
		return mldsa87.SignTo(key.(*mldsa87.PrivateKey), message, nil, false, out)
	}},
}

func circlJob(algorithm, operation string, inputs [][]byte) *job {
	level, ok := circlLevels[algorithm]
	if !ok {
		return nil
	}
	load := func(public []byte) sign.PublicKey {
		key, err := level.scheme.UnmarshalBinaryPublicKey(public)
		if err != nil {
			return nil
		}
		return key
	}
	signWith := func(key sign.PrivateKey, message []byte, outputs [][]byte) bool {
		outputs[0] = make([]byte, level.scheme.SignatureSize())
		return level.sign(key, message, outputs[0]) == nil
	}

	switch operation {
	case "keygen":
		return newJob(len(inputs), 2, func(index int, outputs [][]byte) bool {
			public, secret := level.scheme.DeriveKey(inputs[index])
			var publicErr, secretErr error
			outputs[0], publicErr = public.MarshalBinary()
			outputs[1], secretErr = secret.MarshalBinary()
			return publicErr == nil && secretErr == nil
		})
	case "sign":
		secret, messages := inputs[0], inputs[2:]
		return newJob(len(messages), 1, func(index int, outputs [][]byte) bool {
			key, err := level.scheme.UnmarshalBinaryPrivateKey(secret)
			return err == nil && signWith(key, messages[index], outputs)
		})
	case "sign prepared":
		messages := inputs[2:]
		key, err := level.scheme.UnmarshalBinaryPrivateKey(inputs[0])
		if err != nil {
			return nil
		}
		return newJob(len(messages), 1, func(index int, outputs [][]byte) bool {
			return signWith(key, messages[index], outputs)
		})
	case "verify":
		return newJob(len(inputs)/3, 0, func(index int, _ [][]byte) bool {
			key := load(inputs[3*index])
			return key != nil && level.scheme.Verify(key, inputs[3*index+1], inputs[3*index+2], nil)
		})
	case "verify prepared":
		cases := verifications(inputs, load)
		return newJob(len(cases), 0, func(index int, _ [][]byte) bool {
			c := cases[index]
			return c.key != nil && level.scheme.Verify(c.key, c.message, c.signature, nil)
		})
	}
	return nil
}
