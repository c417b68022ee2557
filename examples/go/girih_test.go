package girih

import (
	"bytes"
	"crypto"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var seed = bytes.Repeat([]byte{7}, 32)

func key(t *testing.T, name string) *PrivateKey {
	t.Helper()
	a, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	k, err := a.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSignatures(t *testing.T) {
	for _, name := range []string{"ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Falcon-512"} {
		var signer crypto.Signer = key(t, name)
		public := signer.Public().(*PublicKey)
		for _, message := range [][]byte{nil, []byte("message")} {
			signature, err := signer.Sign(nil, message, crypto.Hash(0))
			if err != nil {
				t.Fatal(name, err)
			}
			if err := public.Verify(message, signature, nil); err != nil {
				t.Error(name, err)
			}
			signature[len(signature)/2] ^= 1
			if err := public.Verify(message, signature, nil); !errors.Is(err, ErrSignature) {
				t.Error(name, "a changed signature:", err)
			}
			if err := public.Verify(message, nil, nil); !errors.Is(err, ErrSignature) {
				t.Error(name, "no signature:", err)
			}
		}
	}
}

func TestContexts(t *testing.T) {
	k := key(t, "ML-DSA-65")
	signature, err := k.Sign(nil, []byte("m"), &Options{Context: []byte("one")})
	if err != nil {
		t.Fatal(err)
	}
	public := k.Public().(*PublicKey)
	if err := public.Verify([]byte("m"), signature, &Options{Context: []byte("one")}); err != nil {
		t.Error(err)
	}
	if err := public.Verify([]byte("m"), signature, &Options{Context: []byte("two")}); !errors.Is(err, ErrSignature) {
		t.Error(err)
	}
}

func TestMisuse(t *testing.T) {
	if _, err := New("RSA"); err == nil {
		t.Error("an unknown algorithm")
	}
	k := key(t, "ML-DSA-44")
	if _, err := k.Sign(nil, seed, crypto.SHA256); err == nil {
		t.Error("a hash")
	}
	if _, err := k.Sign(nil, seed, &Options{Context: make([]byte, 256)}); err == nil || !strings.Contains(err.Error(), "ML-DSA-44") {
		t.Error("a long context:", err)
	}
	if _, err := k.public.FromSeed(seed[:31]); err == nil {
		t.Error("a short seed")
	}
	k.Bytes = k.Bytes[1:]
	if _, err := k.Sign(nil, seed, nil); err == nil {
		t.Error("a short key")
	}
	if _, _, err := k.public.Encapsulate(); err == nil {
		t.Error("a key for signatures")
	}
}

func TestSecrets(t *testing.T) {
	for _, name := range []string{"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "sntrup761"} {
		k := key(t, name)
		secret, ciphertext, err := k.public.Encapsulate()
		if err != nil {
			t.Fatal(name, err)
		}
		if found, err := k.Decapsulate(ciphertext); err != nil || !bytes.Equal(found, secret) {
			t.Error(name, err)
		}
		ciphertext[0] ^= 1
		if found, err := k.Decapsulate(ciphertext); err != nil || bytes.Equal(found, secret) {
			t.Error(name, "a changed ciphertext", err)
		}
	}
}

// The command reads the key's bytes and verifies the signature: GIRIH_COMMAND names it.
func TestCommand(t *testing.T) {
	command := os.Getenv("GIRIH_COMMAND")
	if command == "" {
		t.Skip("GIRIH_COMMAND names no command")
	}
	a, err := New("ML-DSA-65")
	if err != nil {
		t.Fatal(err)
	}
	k, err := a.FromSeed(seed)
	if err != nil {
		t.Fatal(err)
	}
	message := []byte("signed in Go")
	signature, err := k.Sign(nil, message, nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	verify := exec.Command(command, "verify", "--alg", "ML-DSA-65", "--public", file("key", k.public.Bytes),
		"--signature", file("sig", signature), file("message", message))
	if output, err := verify.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

func BenchmarkSign(b *testing.B) {
	a, _ := New("ML-DSA-65")
	k, _ := a.FromSeed(seed)
	for b.Loop() {
		if _, err := k.Sign(nil, seed, nil); err != nil {
			b.Fatal(err)
		}
	}
}
