package main

// A signature scheme of one library, from bytes and with its key objects. Nil or false where
// something fails.
type signatures[Secret, Public any] struct {
	keygen     func(seed []byte, outputs [][]byte) bool
	loadSecret func(secret, seed []byte) (Secret, error)
	loadPublic func(public []byte) (Public, error)
	sign       func(key Secret, message []byte) ([]byte, error)
	verify     func(key Public, message, signature []byte) bool
}

func (s signatures[Secret, Public]) job(operation string, inputs [][]byte) *job {
	signWith := func(key Secret, message []byte, outputs [][]byte) bool {
		signature, err := s.sign(key, message)
		outputs[0] = signature
		return err == nil
	}
	switch operation {
	case "keygen":
		return newJob(len(inputs), 2, func(index int, outputs [][]byte) bool {
			return s.keygen(inputs[index], outputs)
		})
	case "sign":
		secret, seed, messages := inputs[0], inputs[1], inputs[2:]
		return newJob(len(messages), 1, func(index int, outputs [][]byte) bool {
			key, err := s.loadSecret(secret, seed)
			return err == nil && signWith(key, messages[index], outputs)
		})
	case "sign prepared":
		messages := inputs[2:]
		key, err := s.loadSecret(inputs[0], inputs[1])
		if err != nil {
			return nil
		}
		return newJob(len(messages), 1, func(index int, outputs [][]byte) bool {
			return signWith(key, messages[index], outputs)
		})
	case "verify":
		return newJob(len(inputs)/3, 0, func(index int, _ [][]byte) bool {
			key, err := s.loadPublic(inputs[3*index])
			return err == nil && s.verify(key, inputs[3*index+1], inputs[3*index+2])
		})
	case "verify prepared":
		keys, ok := loaded(inputs, 3, s.loadPublic)
		if !ok {
			return nil
		}
		return newJob(len(keys), 0, func(index int, _ [][]byte) bool {
			return s.verify(keys[index], inputs[3*index+1], inputs[3*index+2])
		})
	}
	return nil
}

// The key objects of operations with so many inputs each, of which the key is the first: one for
// each run of equal keys. False if one is none.
func loaded[Key any](inputs [][]byte, width int, load func([]byte) (Key, error)) ([]Key, bool) {
	var keys []Key
	for i := 0; i+width <= len(inputs); i += width {
		if i > 0 && string(inputs[i]) == string(inputs[i-width]) {
			keys = append(keys, keys[len(keys)-1])
		} else if key, err := load(inputs[i]); err == nil {
			keys = append(keys, key)
		} else {
			return nil, false
		}
	}
	return keys, true
}
