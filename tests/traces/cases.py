"""The traced operations: each with variants of its inputs that differ in nothing public."""

import ctypes
import mmap
import random
import re
import struct

ROWS = 9  # of batches: more than an engine has lanes


class Library:
    """libgirih, runs of its functions, and memory for them at addresses that no child changes."""

    def __init__(self, path):
        self.functions = ctypes.CDLL(path)
        self.memory = mmap.mmap(-1, 1 << 26, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.used = 0
        self.operation = self.take(104)
        self("girih_traces_prepare")
        self.logs = [Log(self("girih_traces_log_bytes")) for _ in range(10)]

    def run(self, function, arguments, log, is_stepped=False):
        address = ctypes.cast(self[function], ctypes.c_void_p).value
        self.operation.put(struct.pack("13Q", address, *(flat(arguments) + [0] * 12)[:12]))
        self("girih_traces_run", self.operation.address, log.address, is_stepped)

    def __call__(self, name, *arguments):
        return self[name](*map(ctypes.c_uint64, flat(arguments)))

    def __getitem__(self, name):
        function = getattr(self.functions, name)
        function.restype = ctypes.c_uint64
        return function

    def names(self):
        index = 0
        while alg := self("girih_algorithm_at", index):
            yield ctypes.string_at(self("girih_name", alg)).decode()
            index += 1

    def take(self, size):
        place = Buffer(self, self.used, size)
        self.used += (size + 127) // 64 * 64
        return place

    def text(self, text):
        place = self.take(len(text) + 1)
        place.put(text.encode())
        return place.address


class Buffer:
    def __init__(self, library, offset, size):
        self.library, self.offset, self.size = library, offset, size
        self.address = library.base + offset

    def put(self, data):
        self.library.memory[self.offset : self.offset + len(data)] = data

    def get(self):
        return self.library.memory[self.offset : self.offset + self.size]

    def word(self):
        return struct.unpack("Q", self.get()[:8])[0]


class Log:
    """Memory that the parent shares with the child that runs a variant (trace.hpp)."""

    def __init__(self, size):
        no_reserve = 0x4000
        self.memory = mmap.mmap(-1, size, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | no_reserve)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))

    def count(self):
        return struct.unpack_from("Q", self.memory)[0]

    def is_good(self):
        """Whether it has the whole run, and the operation succeeded."""
        return struct.unpack_from("QQQi", self.memory)[2:] == (1, 0)

    def words(self):
        return memoryview(self.memory)[32 : 32 + 8 * self.count()]


def flat(arguments):
    """The words that C takes: a buffer is its address and its length, a pointer an address."""
    words = []
    for argument in arguments:
        words += [argument.address, argument.size] if isinstance(argument, Buffer) else [argument]
    return [int(word) for word in words]


def data(size, number):
    return random.Random(number).randbytes(size)


def flipped(text, place):
    return text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :]


class Subject:
    """An algorithm with its keys, buffers and operations."""

    def __init__(self, library, name):
        self.library, self.name, self.alg = (
            library,
            name,
            library("girih_algorithm", library.text(name)),
        )
        size = {
            key: library(f"girih_{key}", self.alg)
            for key in (
                "seed_bytes",
                "public_key_bytes",
                "secret_key_bytes",
                "ciphertext_bytes",
                "shared_secret_bytes",
                "signature_bytes",
                "signing_key_size",
                "encapsulation_key_size",
                "decapsulation_key_size",
            )
        }
        take = library.take
        self.seed, self.pk = take(size["seed_bytes"]), take(size["public_key_bytes"])
        self.sk = take(size["secret_key_bytes"])
        self.made_pk, self.made_sk = take(self.pk.size), take(self.sk.size)
        self.random, self.laid = take(4096), take(24)
        fill = ctypes.cast(library["girih_traces_fill"], ctypes.c_void_p).value
        self.source = take(24)
        self.source.put(struct.pack("QQQ", fill, self.laid.address, 0))
        self.key = take(8)
        self.operations = {
            "keygen_from_seed": (self.alg, self.seed, self.made_pk, self.made_sk),
            "keygen_many": (
                self.alg,
                self.rows(
                    lambda i: (0, 0, self.source.address, take(self.pk.size), take(self.sk.size), 0)
                ),
                ROWS,
            ),
            "public_key": (self.alg, self.sk, self.made_pk),
        }
        signs = size["signature_bytes"] != 0
        self.add_signing(take, size) if signs else self.add_encapsulation(take, size)

    def rows(self, row):
        words = [word for i in range(ROWS) for word in flat(row(i))]
        place = self.library.take(8 * len(words))
        place.put(struct.pack(f"{len(words)}Q", *words))
        return place.address

    def add_signing(self, take, size):
        message, options, written = take(100), take(64), take(8)
        options.put(struct.pack("8Q", 0, 0, 0, 0, self.source.address, 0, 0, 0))
        signature, prepared = take(size["signature_bytes"]), take(size["signing_key_size"])
        rest = (options.address, signature, written.address)
        self.prepare = (self.alg, self.sk, prepared, self.key.address)
        rows = self.rows(
            lambda i: (prepared.address, 0, 0, message, options.address, take(signature.size), 0, 0)
        )
        self.operations |= {
            "prepare_signing_key": self.prepare,
            "sign": (self.alg, self.sk, message, *rest),
            "sign_prepared": (prepared.address, message, *rest),
            "sign_many": (self.alg, rows, ROWS),
        }
        if self.library("girih_has_mu", self.alg):
            self.operations["sign_mu"] = (self.alg, self.sk, take(64), *rest)

    def add_encapsulation(self, take, size):
        self.ct, secret = take(size["ciphertext_bytes"]), take(size["shared_secret_bytes"])
        self.made = made = take(self.ct.size)
        self.cts = [take(self.ct.size) for _ in range(ROWS)]
        prepared, sending = (
            take(size["decapsulation_key_size"]),
            take(size["encapsulation_key_size"]),
        )
        self.prepare = (self.alg, self.sk, prepared, self.key.address) if prepared.size else None

        def key(place, i):
            return place.address if place.size and i % 2 else 0

        self.operations |= {
            "encapsulate": (self.alg, self.source.address, self.pk, made, secret),
            "decapsulate": (self.alg, self.sk, self.ct, secret),
            "encapsulate_many": (
                self.alg,
                self.rows(
                    lambda i: (
                        key(sending, i),
                        self.pk,
                        self.source.address,
                        take(made.size),
                        take(secret.size),
                        0,
                    )
                ),
                ROWS,
            ),
            "decapsulate_many": (
                self.alg,
                self.rows(lambda i: (key(prepared, i), self.sk, self.cts[i], take(secret.size), 0)),
                ROWS,
            ),
        }
        if prepared.size:
            self.put({"pk": self.keys(1)[0]})
            self.call("prepare_encapsulation_key", self.alg, self.pk, sending, self.key.address)
            self.operations |= {
                "prepare_decapsulation_key": self.prepare,
                "encapsulate_prepared": (sending.address, self.source.address, made, secret),
                "decapsulate_prepared": (prepared.address, self.ct, secret),
            }

    def call(self, name, *arguments):
        if result := ctypes.c_int(self.library(f"girih_{name}", *arguments)).value:
            raise RuntimeError(f"{self.name} {name}: {result}")

    def put(self, inputs):
        """Puts a variant's inputs where the operations read them, and prepares its key."""
        for name, text in inputs.items():
            if name == "cts":
                self.ct.put(text[0])
                for i, place in enumerate(self.cts):
                    place.put(text[i % len(text)])
            elif name == "random":
                self.random.put((text * 4096)[:4096])
            else:
                getattr(self, name).put(text)
        self.laid.put(struct.pack("Q", self.random.address))
        if "sk" in inputs and self.prepare:
            kind = "signing" if "sign" in self.operations else "decapsulation"
            self.call(f"prepare_{kind}_key", *self.prepare)

    def steps_of(self, name, inputs):
        """How many words an operation logs."""
        self.put(inputs)
        log = self.library.logs[0]
        self.library.run(f"girih_{name}", self.operations[name], log)
        return log.count()

    def state(self):
        return bytes(self.library.memory[self.seed.offset : self.library.used])

    def keys(self, number):
        self.seed.put(data(self.seed.size, number))
        self.call("keygen_from_seed", self.alg, self.seed, self.made_pk, self.made_sk)
        return self.made_pk.get(), self.made_sk.get()

    def sealed(self, pk, number):
        self.put({"pk": pk, "random": data(64, number)})
        self.call("encapsulate", *self.operations["encapsulate"])
        return self.made.get()

    def other_sk(self):
        """Another key's secrets with the public parts of the first, as far as they decide on a
        course: dk = s | ek | H(ek) | z (FIPS 203), sk = rho | K | tr | s1 | s2 | t0 (FIPS 204)."""
        one, other = self.keys(1)[1], self.keys(2)[1]
        if "ML-KEM" in self.name:
            s_end, hash_end = len(one) - 64 - self.pk.size, len(one) - 32
            return other[:s_end] + one[s_end:hash_end] + other[hash_end:]
        if "sign_mu" in self.operations:
            tr_end = 128 if "ML-DSA" in self.name else 96
            return one[:32] + other[32:64] + one[64:tr_end] + other[tr_end:]
        return other


def received(subject, name):
    """Valid ciphertexts, invalid ones, and other secrets: implicit rejection must not be seen."""
    (pk, sk), (pk2, sk2) = subject.keys(1), subject.keys(2)
    right, size = subject.sealed(pk, 10), subject.ct.size
    wrong = [flipped(right, place) for place in (0, size // 2, size - 1)] + [data(size, 12)]
    all_of = [{"sk": sk, "cts": [ct]} for ct in (right, subject.sealed(pk, 11), *wrong)]
    all_of.append({"sk": subject.other_sk(), "cts": [right]})
    if "many" in name:
        all_of.append({"sk": sk, "cts": [right, *wrong]})
    if "ML-KEM" not in subject.name or "prepared" in name:  # A is public, and in the prepared key
        all_of.append({"sk": sk2, "cts": [subject.sealed(pk2, 10)]})
    return all_of


def encapsulated(subject, _):
    pk = subject.keys(1)[0]
    return [{"pk": pk, "random": data(64, 100 + i)} for i in range(4)]


def seeds(subject, _):
    size = subject.seed.size
    return [{"seed": data(size, 1 + i), "random": data(size, 20 + i)} for i in range(4)]


def seeds_of_one_d(subject, _):
    """ML-KEM's seeds of one d, from which the key comes, and different z."""
    first = data(32, 1)
    return [{name: first + text[32:] for name, text in one.items()} for one in seeds(subject, _)]


def secret_keys(subject, _):
    return [{"sk": subject.keys(i)[1]} for i in (1, 2, 3)]


def secret_keys_of_one_matrix(subject, _):
    return [{"sk": subject.keys(1)[1]}, {"sk": subject.other_sk()}]


def soonest(subject, name, wanted, candidates):
    """The inputs with which an operation takes the fewest steps."""
    return sorted(candidates, key=lambda inputs: subject.steps_of(name, inputs))[:wanted]


def soonest_seeds(subject, name):
    """Falcon's seeds whose f and g are accepted soonest."""
    return soonest(subject, name, 3, [{"seed": data(48, 1 + i)} for i in range(24)])


def signed_at_once(subject, name):
    """Signatures of one attempt, by randomness that gives one, of two keys with one A."""
    return [
        one
        for sk in (subject.keys(1)[1], subject.other_sk())
        for one in soonest(subject, name, 3, [{"sk": sk, "random": data(32, i)} for i in range(40)])
    ]


def signed_with_one_salt(subject, _):
    """Falcon's signatures of one salt, which is public, by other points and another key."""
    return [
        {"sk": subject.keys(1 + i // 3)[1], "random": data(40, 7) + data(48, 50 + i)}
        for i in range(4)
    ]


# Algorithms, operations, a label, and how the variants are made.
RECIPES = (
    ("KEM|sntrup|ntrulpr", "decapsulate decapsulate_many", "", received),
    ("KEM", "decapsulate_prepared", "", received),
    ("KEM", "prepare_decapsulation_key", "", secret_keys_of_one_matrix),
    ("KEM|sntrup|ntrulpr", "encapsulate encapsulate_many", "", encapsulated),
    ("KEM", "encapsulate_prepared", "", encapsulated),
    ("KEM", "keygen_from_seed keygen_many", " of one d", seeds_of_one_d),
    ("KEM|ML-DSA|Dilithium", "keygen_from_seed", "", seeds),
    ("sntrup|ntrulpr", "keygen_from_seed keygen_many", "", seeds),
    ("Falcon", "keygen_from_seed", "", soonest_seeds),
    (".", "public_key", "", secret_keys),
    ("ML-DSA|Dilithium", "prepare_signing_key", "", secret_keys_of_one_matrix),
    ("Falcon", "prepare_signing_key", "", secret_keys),
    ("ML-DSA|Dilithium", "sign sign_prepared sign_many sign_mu", "", signed_at_once),
    ("Falcon", "sign sign_prepared sign_many", "", signed_with_one_salt),
)

ENCODINGS = {  # the format, the function for passphrases (-1: plain), iterations, N, r, p
    "plain PEM": (0, -1, 0, 0, 0, 0),
    "plain DER": (1, -1, 0, 0, 0, 0),
    "PBKDF2-SHA256 PEM": (0, 0, 5, 0, 0, 0),
    "PBKDF2-SHA512 DER": (1, 1, 5, 0, 0, 0),
    "scrypt DER": (1, 2, 0, 16, 8, 1),
}
PASSPHRASES = (b"correct horse battery", b"a" * 21, b"\xff\x80 zzzzzzzzz\x01 9!~~ }")


class KeyFiles(Subject):
    """An algorithm's key files in one encoding: of three seeds, under three passphrases."""

    def __init__(self, library, name, encoding):
        super().__init__(library, name)
        kind, kdf, iterations, n, r, p = ENCODINGS[encoding]
        take = library.take
        self.phrase, self.made, self.file, how = take(21), take(8), take(16), take(56)
        phrase = (0, 0) if kdf < 0 else (self.phrase.address, self.phrase.size)
        how.put(struct.pack("iiQQiIQII", kind, 0, *phrase, max(kdf, 0), iterations, n, r, p))
        self.write = lambda: (
            self.made.word(),
            how.address,
            self.file.address,
            self.file.address + 8,
            0,
        )
        self.read = lambda: (
            *struct.unpack("QQ", self.file.get()),
            0,
            *phrase,
            self.made.address,
            0,
        )

    def put(self, inputs):
        if "phrase" not in inputs:
            return super().put(inputs)
        self.phrase.put(inputs["phrase"])
        self.seed.put(inputs["seed"])
        self.call("key_from_seed", self.alg, self.seed, self.made.address, 0)
        if inputs["reads"]:
            self.call("key_write_private", *self.write())
        return None


class Case:
    def __init__(self, subject, name, function, arguments, variants):
        self.subject, self.name, self.function, self.variants = subject, name, function, variants
        self.arguments = arguments if callable(arguments) else lambda: arguments


def cases(library, name, wanted):
    """The cases of an algorithm whose names a regular expression finds."""
    subject = None
    for algorithms, operations, label, variants in RECIPES:
        for operation in operations.split() if re.search(algorithms, name) else ():
            if re.search(wanted, full := f"{name} {operation}{label}"):
                subject = subject or Subject(library, name)
                arguments = subject.operations[operation]
                yield Case(
                    subject, full, f"girih_{operation}", arguments, variants(subject, operation)
                )
    for encoding in (
        ENCODINGS
        if name in ("ML-DSA-65", "Falcon-512", "ML-KEM-768", "sntrup761", "ntrulpr761")
        else ()
    ):
        for verb, function in (("write", "girih_key_write_private"), ("read", "girih_key_read")):
            if re.search(wanted, full := f"{name} key file, {verb} {encoding}"):
                files = KeyFiles(library, name, encoding)
                variants = [
                    {
                        "seed": data(files.seed.size, 1 + i),
                        "phrase": phrase,
                        "reads": verb == "read",
                    }
                    for i, phrase in enumerate(PASSPHRASES)
                ]
                yield Case(files, full, function, getattr(files, verb), variants)
