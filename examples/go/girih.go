// Package girih signs and encapsulates by the C library girih, and is a recipe to copy: make go.
//
// Only the flat functions of girih.h are called. Their arguments are pointers to bytes, which cgo
// passes as they are: nothing is pinned, and nothing is copied.
package girih

/*
#cgo LDFLAGS: -lgirih
#include <girih/girih.h>
#include <stdlib.h>
*/
import "C"

import (
	"crypto"
	"errors"
	"fmt"
	"io"
	"unsafe"
)

// Algorithm is one of girih's, such as "ML-DSA-65" or "ML-KEM-768".
type Algorithm struct{ alg *C.girih_alg }

// New finds an algorithm by its name.
func New(name string) (Algorithm, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	alg := C.girih_algorithm(text)
	if alg == nil {
		return Algorithm{}, fmt.Errorf("girih: there is no algorithm %q", name)
	}
	return Algorithm{alg}, nil
}

// String is the algorithm's name.
func (a Algorithm) String() string { return C.GoString(C.girih_name(a.alg)) }

// ErrSignature says that a signature does not verify.
var ErrSignature = errors.New("girih: the signature does not verify")

func (a Algorithm) result(code C.int) error {
	switch code {
	case C.GIRIH_OK:
		return nil
	case C.GIRIH_ERROR_SIGNATURE:
		return ErrSignature
	}
	return fmt.Errorf("girih: %v: %s", a, C.GoString(C.girih_error_text(code)))
}

func pointer(bytes []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(bytes)) }
func length(bytes []byte) C.size_t    { return C.size_t(len(bytes)) }

// PublicKey verifies signatures, or encapsulates secrets.
type PublicKey struct {
	Algorithm
	Bytes []byte
}

// Equal is what the documentation of crypto.PublicKey asks for.
func (k *PublicKey) Equal(other crypto.PublicKey) bool {
	o, ok := other.(*PublicKey)
	return ok && o.alg == k.alg && string(o.Bytes) == string(k.Bytes)
}

// PrivateKey signs (it is a crypto.Signer), or decapsulates secrets.
type PrivateKey struct {
	Bytes  []byte
	public PublicKey
}

func (a Algorithm) zeroed() *PrivateKey {
	return &PrivateKey{make([]byte, C.girih_secret_key_bytes(a.alg)),
		PublicKey{a, make([]byte, C.girih_public_key_bytes(a.alg))}}
}

// Generate makes a new key from the operating system's randomness.
func (a Algorithm) Generate() (*PrivateKey, error) {
	k := a.zeroed()
	code := C.girih_keygen(a.alg, nil, pointer(k.public.Bytes), length(k.public.Bytes), pointer(k.Bytes), length(k.Bytes))
	return k, a.result(code)
}

// FromSeed makes the key of a seed.
func (a Algorithm) FromSeed(seed []byte) (*PrivateKey, error) {
	k := a.zeroed()
	code := C.girih_keygen_from_seed(a.alg, pointer(seed), length(seed),
		pointer(k.public.Bytes), length(k.public.Bytes), pointer(k.Bytes), length(k.Bytes))
	return k, a.result(code)
}

// Public is the public key, a *PublicKey.
func (k *PrivateKey) Public() crypto.PublicKey { return &k.public }

// Wipe zeroes the key. Go may have copied it before, if it was on a stack that grew.
func (k *PrivateKey) Wipe() {
	C.girih_wipe(unsafe.Pointer(unsafe.SliceData(k.Bytes)), length(k.Bytes))
}

// Options of a signature: ML-DSA's context, of at most 255 bytes.
type Options struct{ Context []byte }

// HashFunc is 0: the message is signed, and not its hash.
func (*Options) HashFunc() crypto.Hash { return 0 }

func context(opts crypto.SignerOpts) ([]byte, error) {
	if opts == nil {
		return nil, nil
	}
	if opts.HashFunc() != 0 {
		return nil, errors.New("girih: signs messages, not hashes: the options' HashFunc has to be 0")
	}
	if own, ok := opts.(*Options); ok && own != nil {
		return own.Context, nil
	}
	return nil, nil
}

// Sign signs a message. The library draws its own randomness: rand is not read.
func (k *PrivateKey) Sign(_ io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	context, err := context(opts)
	if err != nil {
		return nil, err
	}
	a := k.public.Algorithm
	signature := make([]byte, C.girih_signature_bytes(a.alg))
	var bytes C.size_t
	code := C.girih_sign_with_context(a.alg, pointer(k.Bytes), length(k.Bytes), pointer(context), length(context),
		pointer(message), length(message), pointer(signature), length(signature), &bytes)
	return signature[:bytes], a.result(code)
}

// Verify returns nil if the signature verifies, else ErrSignature or what is wrong with the key.
func (k *PublicKey) Verify(message, signature []byte, opts crypto.SignerOpts) error {
	context, err := context(opts)
	if err != nil {
		return err
	}
	return k.result(C.girih_verify_with_context(k.alg, pointer(k.Bytes), length(k.Bytes), pointer(context),
		length(context), pointer(message), length(message), pointer(signature), length(signature)))
}

// Encapsulate makes a shared secret, and the ciphertext that carries it.
func (k *PublicKey) Encapsulate() (secret, ciphertext []byte, err error) {
	secret = make([]byte, C.girih_shared_secret_bytes(k.alg))
	ciphertext = make([]byte, C.girih_ciphertext_bytes(k.alg))
	code := C.girih_encapsulate(k.alg, nil, pointer(k.Bytes), length(k.Bytes),
		pointer(ciphertext), length(ciphertext), pointer(secret), length(secret))
	return secret, ciphertext, k.result(code)
}

// Decapsulate is the secret of a ciphertext. One that was changed gives another secret.
func (k *PrivateKey) Decapsulate(ciphertext []byte) ([]byte, error) {
	a := k.public.Algorithm
	secret := make([]byte, C.girih_shared_secret_bytes(a.alg))
	code := C.girih_decapsulate(a.alg, pointer(k.Bytes), length(k.Bytes),
		pointer(ciphertext), length(ciphertext), pointer(secret), length(secret))
	return secret, a.result(code)
}
