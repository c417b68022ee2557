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
	return signatures[sign.PrivateKey, sign.PublicKey]{
		keygen: func(seed []byte, outputs [][]byte) bool {
			public, secret := level.scheme.DeriveKey(seed)
			var publicErr, secretErr error
			outputs[0], publicErr = public.MarshalBinary()
			outputs[1], secretErr = secret.MarshalBinary()
			return publicErr == nil && secretErr == nil
		},
		loadSecret: func(secret, _ []byte) (sign.PrivateKey, error) { return level.scheme.UnmarshalBinaryPrivateKey(secret) },
		loadPublic: level.scheme.UnmarshalBinaryPublicKey,
		sign: func(key sign.PrivateKey, message []byte) ([]byte, error) {
			signature := make([]byte, level.scheme.SignatureSize())
			return signature, level.sign(key, message, signature)
		},
		verify: func(key sign.PublicKey, message, signature []byte) bool {
			return level.scheme.Verify(key, message, signature, nil)
		},
	}.job(operation, inputs)
}
