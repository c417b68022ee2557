"""JWS, COSE_Sign1 and notes: sign-envelope and verify-envelope, and keys as JWK and COSE_Key."""

import base64
import hashlib
import json
import os
import re
import time

from command import FILE, GOOD, UNVERIFIED, USAGE, CommandTest

# RFC 9964's examples, which have the seed of zeros and deterministic signatures: SHA-256 of the JWS
# and of the COSE_Sign1.
RFC_9964 = {
    "ML-DSA-44": (
        "2ae7b395a71470a610a0d8b6443fd4784d93ba2b7d0a752da58264eb0fd338e8",
        "662dd8373250badecbbf5f637791cdc81773277cea5b6d237d6a8c1c9a09505c",
    ),
    "ML-DSA-65": (
        "bb1a49c32f37f5f750e73fcc6fd7cbd8cf683e8b0270b1420c02e2e63e66bc01",
        "9668576da54152cc578b740106d17e4ada88fb3a28471fd3296c22e606c86812",
    ),
    "ML-DSA-87": (
        "7102258ffe720c7430bf087b3283867b559d7479d1142162369fec672e1804aa",
        "206ce0b57b39dfc1e688ed5a89bd19ca4b8cebb52acc82c3dfd6c86c0de760fa",
    ),
}
PAYLOADS = (
    "It\u2019s a dangerous business, Frodo, going out your door.".encode(),
    b"hello post quantum signatures",
)
FORMATS = ("jws", "jws-json", "cose")
ALG = b'"alg":"ML-DSA-44"'
ROOT = base64.b64encode(hashlib.sha256(b"a tree").digest())
CHECKPOINT = b"a log\n20852163\n" + ROOT + b"\n"
EXTENSION = "line 4 of the note: an extension line, which ML-DSA-44's cosignatures do not sign"
NAME, DASH, TIME = b"w.example/\xc3\xa9", "\u2014 ".encode(), 1679315147


def base64url(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=")


def head(major, argument):
    """The head of an item of CBOR, in its shortest form."""
    return bytes(
        [major << 5 | argument]
        if argument < 24
        else [major << 5 | 24, argument]
        if argument < 256
        else [major << 5 | 25, *divmod(argument, 256)]
    )


def byte_string(content):
    return head(2, len(content)) + content


class Envelopes(CommandTest):
    KEYS = {"key": "ML-DSA-44", "other": "ML-DSA-44", "large": "ML-DSA-65", "falcon": "Falcon-512"}
    FILES = {"payload": b"a payload"}

    def signed(self, content):
        """The signature of content itself."""
        self.write("content", content)
        self.sign("--force", message="content", signature="content.sig")
        return self.read("content.sig")

    def jws(self, header=b"{" + ALG + b"}", payload=b"a payload"):
        """A compact JWS whose signature is good, whatever its header is."""
        content = base64url(header) + b"." + base64url(payload)
        return content + b"." + base64url(self.signed(content))

    def jws_json(self, **members):
        """A flattened JWS whose signature is good, with these members as well, or instead."""
        names = ("protected", "payload", "signature")
        return json.dumps({**dict(zip(names, self.jws().decode().split("."))), **members}).encode()

    def cose(
        self,
        header=b"\xa1\x01\x38\x2f",
        unprotected=b"\xa0",
        before=b"\xd2\x84",
        after=b"",
        payload=None,
    ):
        """A COSE_Sign1 whose signature is good."""
        payload = byte_string(b"a payload") if payload is None else payload
        content = b"\x84\x6aSignature1" + byte_string(header) + b"\x40" + payload
        return (
            before
            + byte_string(header)
            + unprotected
            + payload
            + byte_string(self.signed(content))
            + after
        )

    def verify_envelope(self, form, content, code=GOOD, error=None, more="", public="key.pub.pem"):
        self.write("envelope", content)
        self.girih(
            f"verify-envelope --format {form} --public {public} envelope {more}",
            code=code,
            error=error and "envelope: " + error,
        )

    def test_are_those_of_rfc_9964(self):
        for algorithm, hashes in RFC_9964.items():
            self.write("seed", bytes(32))
            (self.folder / "seed").chmod(0o600)
            for form, keys, payload, right in zip(
                ("jws", "cose"), ("jwk", "cose"), PAYLOADS, hashes
            ):
                self.girih(f"convert --force --alg {algorithm} seed zeros --format {keys}")
                self.write("rfc", payload)
                self.girih(
                    f"sign-envelope --force --deterministic --format {form} --secret zeros rfc -o made"
                )
                self.assertEqual(hashlib.sha256(self.read("made")).hexdigest(), right)

    def test_are_verified_with_every_key_and_format(self):
        for name, key_formats in (
            ("key", ("jwk", "cose", "pem")),
            ("large", ("cose", "pem", "jwk")),
        ):
            for form, keys in zip(FORMATS, key_formats):
                self.girih(f"convert --force {name}.pem secret --format {keys}")
                self.girih(f"convert --force --public-only {name}.pem public --format {keys}")
                self.girih(f"sign-envelope --force --format {form} --secret secret payload")
                verify = f"verify-envelope --format {form} --public public payload.{form}"
                self.assertEqual(self.girih(verify + " --payload -"), b"a payload")
                self.assertTrue(self.json(verify)["verified"])
                self.girih(
                    f"sign-envelope --force --detached --format {form} --secret secret payload"
                )
                self.girih(verify + " payload")
                self.girih(verify + " -", input=b"a payload")
                self.fails(
                    UNVERIFIED,
                    f"payload.{form}: the signature does not verify for public",
                    verify + " -",
                    input=b"a payloae",
                )
                self.fails(
                    USAGE,
                    f"MESSAGE: not given, but payload.{form} is detached from its payload",
                    verify,
                )

    def test_payloads_of_every_length(self):
        for form in FORMATS:
            for size in (
                0,
                1,
                2,
                3,
                4,
                23,
                24,
                255,
                256,
                65536,
                (1 << 18) - 1,
                (1 << 18) + 1,
                700000,
            ):
                payload = bytes(i % 251 for i in range(size))
                self.write("message", payload)
                self.girih(
                    f"sign-envelope --force --detached --format {form} --secret key.pem message"
                )
                for stdin in (None, payload):
                    self.girih(
                        f"verify-envelope --format {form} --public key.pub.pem message.{form} "
                        + ("message" if stdin is None else "-"),
                        input=stdin or b"",
                    )

    def test_a_payload_inside_is_at_most_256_mib(self):
        (self.folder / "long").touch()
        os.truncate(self.folder / "long", (256 << 20) + 1)
        self.fails(
            FILE,
            "long: too long for a payload inside an envelope; --detached leaves it out",
            "sign-envelope --secret key.pem long",
        )

    def test_kid_and_key_have_to_agree(self):
        for form in FORMATS:
            line = f"sign-envelope --force --format {form} --secret key.pem payload -o made --kid"
            self.girih(line, 'a "name"')
            by = f"verify-envelope --format {form} --public {{}} made".format
            self.girih(by("key.pub.pem") + " --kid", 'a "name"')
            self.girih(by("key.pub.pem"))  # a key in PEM has no kid
            self.fails(
                UNVERIFIED, 'made: kid is "a "name"", not "b"', by("key.pub.pem") + " --kid b"
            )
            self.girih("convert --force --public-only key.pem named --format jwk")
            thumbprint = json.loads(self.read("named"))["kid"]
            self.fails(
                UNVERIFIED,
                f'made: kid is "a "name"", but the key\'s is "{thumbprint}"',
                by("named"),
            )
            self.fails(
                UNVERIFIED,
                "made: the signature does not verify for other.pub.pem",
                by("other.pub.pem"),
            )
            self.fails(
                UNVERIFIED, "made: alg is ML-DSA-44, but the key is ML-DSA-65", by("large.pub.pem")
            )
            only = "JWS and COSE_Sign1 are signed with ML-DSA-44, ML-DSA-65 and ML-DSA-87, not with Falcon-512"
            self.fails(USAGE, "falcon.pub.pem: " + only, by("falcon.pub.pem"))
            self.fails(
                USAGE,
                "falcon.pem: " + only,
                f"sign-envelope --format {form} --secret falcon.pem payload -o x",
            )

    def test_a_compact_jws_is_refused_for_its_own_reason(self):
        good = self.jws()
        header, payload, signature = good.split(b".")
        self.verify_envelope("jws", good)
        self.verify_envelope("jws", good + b"\n")
        self.verify_envelope(
            "jws", self.jws(b'{"typ":"JWT",' + ALG + b',"jwk":{"kty":"AKP"},"kid":"k"}')
        )
        place, three = (
            "byte {} of the protected header: ",
            "a compact JWS has three parts, with two dots between them",
        )
        unpadded = "the JWS: the {} is not base64url without padding"
        for content, error in (
            (good + b".", three),
            (header + b"." + payload, three),
            (b"", three),
            (good + b"\n\n", "the JWS: a second line, but a compact JWS is one line"),
            (b" " + good, unpadded.format("protected header")),
            (good + b"=", unpadded.format("signature")),
            (header + b"=." + payload + b"." + signature, unpadded.format("protected header")),
            (header + b".+" + payload[1:] + b"." + signature, unpadded.format("payload")),
            (self.jws(b"{}"), "the protected header: alg is missing"),
            (
                self.jws(b'{"alg":"none"}'),
                place.format(7)
                + 'alg is "none", but girih reads ML-DSA-44, ML-DSA-65 and ML-DSA-87',
            ),
            (
                self.jws(b'{"alg":"ES256"}'),
                place.format(7)
                + 'alg is "ES256", but girih reads ML-DSA-44, ML-DSA-65 and ML-DSA-87',
            ),
            (
                self.jws(b"{" + ALG + b"," + ALG + b"}"),
                place.format(19) + 'the member "alg" is present twice',
            ),
            (
                self.jws(b"{" + ALG + b',"crit":["exp"]}'),
                place.format(26)
                + "crit is present, but girih supports no critical header parameters",
            ),
            (
                self.jws(b"{" + ALG + b',"b64":false}'),
                place.format(25) + "b64 is present, but girih supports only encoded payloads",
            ),
            (self.jws(b"{" + ALG + b',"kid":1}'), place.format(25) + "kid is not a string"),
            (self.jws(b"{" + ALG + b"} x"), place.format(20) + "a byte after the object"),
            (self.jws(b"[]"), place.format(0) + "'{' is expected"),
        ):
            self.verify_envelope("jws", content, FILE, error)
        for changed in (
            self.jws(b"{" + ALG + b" }").split(b".")[0] + b"." + payload + b"." + signature,
            header + b"." + base64url(b"a payloae") + b"." + signature,
            header + b"." + payload + b"." + signature[:-3],
            header
            + b"."
            + payload
            + b"."
            + (b"B" if signature[:1] == b"A" else b"A")
            + signature[1:],
        ):
            self.verify_envelope(
                "jws", changed, UNVERIFIED, "the signature does not verify for key.pub.pem"
            )

    def test_a_flattened_jws_is_refused_for_its_own_reason(self):
        self.verify_envelope("jws-json", self.jws_json(more=[1]))
        for content, error in (
            (
                self.jws_json(signatures=[]),
                "signatures is present, but girih reads only the flattened serialization",
            ),
            (
                self.jws_json(header={"kid": "k"}),
                "header is present, but girih reads nothing that is not signed",
            ),
            (self.jws_json(protected=1), "protected is not a string"),
            (self.jws_json(payload=None), "payload is not a string"),
            (self.jws_json(signature="="), "signature is not base64url without padding"),
            (self.jws_json()[:-1] + b',"payload":""}', 'the member "payload" is present twice'),
        ):
            self.write("envelope", content)
            self.girih("verify-envelope --format jws-json --public key.pub.pem envelope", code=FILE)
            self.assertTrue(self.error.endswith(error), self.error)

    def test_a_cose_sign1_is_refused_for_its_own_reason(self):
        for good in (
            self.cose(),
            self.cose(before=b"\x84"),
            self.cose(unprotected=b"\xa1\x04\x41k"),
            self.cose(b"\xa3\x01\x38\x2f\x03\x00\x61x\xf6"),
        ):
            self.verify_envelope("cose", good)
        whole, protected = "byte {} of the COSE_Sign1: ", "byte {} of the protected header: "
        numbers = ", but girih reads -48, -49 and -50 (ML-DSA-44, ML-DSA-65 and ML-DSA-87)"
        for content, error in (
            (self.cose(after=b"\0"), whole.format(2441) + "1 byte too many after the COSE_Sign1"),
            (
                self.cose(before=b"\xd8\x62\x84"),
                whole.format(0) + "a tag other than COSE_Sign1's, which is 18",
            ),
            (self.cose(before=b"\xd2\x83"), whole.format(1) + "COSE_Sign1 has four items"),
            (self.cose(b""), "the protected header: alg (1) is missing"),
            (self.cose(b"\xa0"), "the protected header: alg (1) is missing"),
            (self.cose(b"\xa0", b"\xa1\x01\x38\x2f"), "the protected header: alg (1) is missing"),
            (
                self.cose(unprotected=b"\xa1\x01\x38\x2f"),
                whole.format(8) + "alg in the unprotected header, where nothing is signed",
            ),
            (self.cose(b"\xa1\x01\x26"), protected.format(2) + "alg is -7" + numbers),
            (
                self.cose(b"\xa1\x01\x69ML-DSA-44"),
                protected.format(2) + "alg is a text string, but should be an unsigned integer",
            ),
            (
                self.cose(b"\xa2\x01\x38\x2f\x02\x81\x04"),
                protected.format(4)
                + "crit in the protected header: girih supports no critical headers",
            ),
            (
                self.cose(unprotected=b"\xa1\x02\x81\x04"),
                whole.format(8)
                + "crit in the unprotected header: girih supports no critical headers",
            ),
            (
                self.cose(b"\xa2\x01\x38\x2f\x01\x38\x2f"),
                protected.format(4) + "a label that is in the protected header twice",
            ),
            (
                self.cose(b"\xa2\x01\x38\x2f\x04\x41k", b"\xa1\x04\x41k"),
                whole.format(11)
                + "kid in the unprotected header, as well as in the protected header",
            ),
            (
                self.cose(b"\xa1\x01\x39\x00\x2f"),
                protected.format(2) + "a number that is not in its shortest form",
            ),
            (
                self.cose(b"\xa1\x01\x38\x2f\0"),
                protected.format(4) + "1 byte too many after the protected header",
            ),
            (
                self.cose(payload=b"\x61a"),
                whole.format(8) + "the payload is a text string, but should be a byte string",
            ),
            (
                self.cose(before=b"\xd2\x9f"),
                whole.format(1) + "an indefinite length or a reserved form",
            ),
        ):
            self.verify_envelope("cose", content, FILE, error)
        self.verify_envelope(
            "cose",
            self.cose().replace(b"a payload", b"a payloae"),
            UNVERIFIED,
            "the signature does not verify for key.pub.pem",
        )

    def note(self, text=CHECKPOINT, name=NAME, time=TIME, kind=b"\x06", cut=None):
        """A note whose signature is good, by C2SP's tlog-cosignature."""
        self.girih("convert --force --public-only key.pem raw --format raw")
        origin, size, root = text.split(b"\n")[:3]
        self.id = hashlib.sha256(name + b"\n" + kind + self.read("raw")).digest()[:4]
        times = time.to_bytes(8, "big")
        signature = self.signed(
            b"".join(
                (
                    b"subtree/v1\n\0",
                    bytes([len(name)]),
                    name,
                    times,
                    bytes([len(origin)]),
                    origin,
                    bytes(8),
                    int(size).to_bytes(8, "big"),
                    base64.b64decode(root),
                )
            )
        )
        return (
            text
            + b"\n"
            + DASH
            + name
            + b" "
            + base64.b64encode((self.id + times + signature)[:cut])
            + b"\n"
        )

    def test_a_note_and_its_key_are_those_of_torchwood(self):
        """The key and checkpoint of torchwood 0.10.0's litewitness/testdata/mldsa.txt."""
        self.write(
            "seed",
            bytes.fromhex("2886adc2b0eabfce67c0472939127998bf886cf256bfee8ba76a253fce1146e0"),
        )
        (self.folder / "seed").chmod(0o600)
        self.write(
            "log", b"example.com/mldsa-log\n1\n+zoErtsZtGO6sfiSV/v4UJSIyowisE8hvjw0q5+bD38=\n"
        )
        self.girih(
            "sign-envelope --alg ML-DSA-44 --secret seed --format note --kid example.com/mldsa-log --time 0 "
            "--deterministic log"
        )
        self.girih("convert --alg ML-DSA-44 seed log.vkey --vkey example.com/mldsa-log")
        for name, digest in (
            ("note", "8d89db6eba62d5661510ffc4703008c0d7cb315f051d7ad6b54490bb0341ab6b"),
            ("vkey", "4c5231a75f5c1ce17e28caa5c7397da3aa72a060880a0b20e4a5036af80f13b4"),
        ):
            self.assertEqual(hashlib.sha256(self.read("log." + name)).hexdigest(), digest)

    def test_a_note_gathers_signatures(self):
        self.write("text", CHECKPOINT)
        sign = "sign-envelope --force --format note --secret"
        self.girih(sign + f" key.pem --time {TIME} text -o one --kid", NAME)
        signature = self.read("one").split()[-1]
        strangers = (
            (NAME, b"AAAAAAA="),
            (NAME, b"AAAAAAA="),
            (b"another", signature),
            (b"w", b"A" * 8000),
        )
        self.write(
            "one",
            self.read("one") + b"".join(DASH + b"%s %s\n" % stranger for stranger in strangers),
        )
        self.girih(sign + " other.pem --time 0 one -o two --kid w.example")
        self.assertTrue(self.read("two").startswith(self.read("one")))
        self.girih("convert key.pem key.vkey --vkey", NAME)
        self.girih("convert other.pub.pem other.vkey --vkey w.example")
        for key, signed in (("key", TIME), ("other", 0)):
            verify = f"verify-envelope --format note --vkey {key}.vkey two"
            good = f"two: good ML-DSA-44 signature by {key}.vkey, time {signed}\n"
            self.assertEqual(self.girih(verify).decode(), good)
            self.assertEqual(
                (self.json(verify)["time"], self.girih(verify + " --payload -")),
                (signed, CHECKPOINT),
            )
        self.girih("verify-envelope --format note --public key.pub.pem two --kid", NAME)
        self.fails(
            FILE,
            "two: the note: the key's signature is already present",
            sign + " key.pem two --kid",
            NAME,
        )
        self.write(
            "full", CHECKPOINT + b"\n" + b"\xe2\x80\x94 x AAAAAAA=\n" * 69800
        )  # nearly 1 MiB
        self.fails(
            FILE, "full: the note: more than 1 MiB with this signature", sign + " key.pem full"
        )
        start = int(time.time())
        self.girih(sign + " key.pem text")  # by its thumbprint, and now
        self.assertIn(
            self.json("verify-envelope --format note --public key.pub.pem text.note")["time"],
            range(start, int(time.time()) + 1),
        )
        for name in (b"a b", b"a+b", b"a\xc2\x85b", b"a\xe2\x80\x83b", b"x" * 256):
            self.fails(
                USAGE,
                "key.pem: kid: a note's key name is 1 to 255 bytes of UTF-8, without spaces, "
                "control characters and '+'",
                sign + " key.pem text --kid",
                name,
            )
        self.all_fail(
            USAGE,
            (
                (
                    sign + " large.pem text",
                    "large.pem: notes are signed with ML-DSA-44, not with ML-DSA-65",
                ),
                (
                    "convert large.pem x --vkey a",
                    "--vkey: notes are signed with ML-DSA-44, not with ML-DSA-65",
                ),
                (
                    sign + " key.pem text --detached",
                    "key.pem: detached: a note has its text inside",
                ),
                (
                    "sign-envelope --secret key.pem --time 0 text",
                    "--time: only notes have it (--format note)",
                ),
                *(
                    (
                        f"{sign} key.pem text --time={n}",
                        f"--time: {n} is not a decimal number (see girih sign-envelope --help)",
                    )
                    for n in ("-1", f"-{2**64 - 5}", "010", "0x10", "1.5", "now")
                ),
                (
                    "verify-envelope --vkey key.vkey two",
                    "--vkey: only notes have verifier keys (--format note)",
                ),
            ),
        )
        self.all_fail(
            USAGE,
            [
                (
                    f"verify-envelope --format note --vkey key.vkey two {option} x",
                    f"--vkey excludes {option} (see girih verify-envelope --help)",
                )
                for option in ("--kid", "--alg")
            ],
        )

    def test_a_checkpoint_is_refused_for_its_own_reason(self):
        empty_root = base64.b64encode(hashlib.sha256(b"").digest())
        for good in (
            b"x" * 255 + CHECKPOINT[5:],
            b"a log\n0\n%s\n" % empty_root,
            b"a\n%d\n%s\n" % (2**64 - 1, ROOT),
        ):
            self.verify_envelope("note", self.note(good), more="--kid " + NAME.decode())
        at, size = (
            "line {} of the note: ",
            "not the size of a tree, a decimal number without leading zeros",
        )
        root, end = (
            "not a root hash, 32 bytes in base64",
            "the note: the last line does not end in a line feed",
        )
        for text, error in (
            (b"\n" + CHECKPOINT, at.format(1) + "the origin has 1 to 255 bytes"),
            (b"x" * 256 + CHECKPOINT[5:], at.format(1) + "the origin has 1 to 255 bytes"),
            *(
                (CHECKPOINT.replace(b"20852163", bad), at.format(2) + size)
                for bad in (b"02", b"+2", b"-2", b"2 ", b"0x2", b"%d" % 2**64)
            ),
            (b"a log\n", at.format(2) + size),
            (b"a log\n1\n", at.format(3) + root),
            (CHECKPOINT.replace(b"=", b""), at.format(3) + root),
            (
                CHECKPOINT.replace(b"20852163", b"0"),
                at.format(3) + "not the root hash of the empty tree",
            ),
            (CHECKPOINT + b"more\n", EXTENSION),
            (CHECKPOINT + b"more\n\n" + DASH + b"w AAAAAAA=\n", EXTENSION),
            (
                CHECKPOINT + b"\n\n" + DASH + b"w AAAAAAA=\n",
                at.format(4) + "an empty line within the checkpoint",
            ),
            (b"", end),
            (CHECKPOINT[:-1], end),
            (CHECKPOINT.replace(b"a l", b"a\tl"), "byte 1 of the note: a control character"),
            (CHECKPOINT.replace(b"a l", b"\xed\xa0\x80"), "byte 0 of the note: not UTF-8"),
            (b"x" * (1 << 20) + CHECKPOINT, "more than 1 MiB for a note"),
        ):
            self.write("bad", text)
            self.fails(FILE, "bad: " + error, "sign-envelope --format note --secret key.pem bad")

    def test_lines_that_a_cosignature_does_not_cover_are_shown_as_not_signed(self):
        """Extension lines, which C2SP's tlog-checkpoint allows."""
        verify = f"verify-envelope --format note --public key.pub.pem note --kid {NAME.decode()}"
        stranger = DASH + b"w AAAAAAA=\n"
        for lines in ([], ["more"], ["more", "\u2014 w AAAAAAA=", "last \x7f line"]):
            text = "".join(line + "\n" for line in lines).encode()
            self.write("note", self.note().replace(b"=\n\n", b"=\n" + text + b"\n") + stranger)
            good = f"note: good ML-DSA-44 signature by key.pub.pem, time {TIME}\n"
            shown = "".join(f"not signed: {line}\n" for line in lines).replace("\x7f", "\\x7f")
            self.assertEqual(self.girih(verify).decode(), good + shown)
            self.assertEqual(self.json(verify).get("unsigned_lines", []), lines)
            self.assertEqual(self.girih(verify + " --payload -"), CHECKPOINT)
        self.write(
            "note",
            self.note()
            .replace(ROOT, base64.b64encode(bytes(32)))
            .replace(b"=\n\n", b"=\nmore\n\n"),
        )
        self.fails(UNVERIFIED, "note: the signature does not verify for key.pub.pem", verify)

    def test_a_note_is_refused_for_its_own_reason(self):
        good, kid, at = self.note(), f"--kid {NAME.decode()}", "line {} of the note: "
        line, key_id = good.split(b"\n\n")[1], self.id.hex()
        length = at.format(5) + "not the length of a time and a signature of ML-DSA-44"
        name, content = (
            at.format(5) + "no key name, or a space or plus in it",
            "no key ID and signature in base64",
        )
        self.verify_envelope("note", good, more=kid)
        for note, error in (
            (CHECKPOINT + b"\n", "the note: no signature after the empty line"),
            (good[:-1], "the note: the last line does not end in a line feed"),
            (good + line, at.format(6) + "a second signature by the key"),
            (good.replace(DASH, b"- "), at.format(5) + "no em dash and space before a signature"),
            (good.replace(DASH, DASH + b" "), name),
            (good.replace(b"w.", b"w+"), name),
            (good.replace(b"w.", b"w\xc2\xa0"), name),
            (good[:-2] + b"\n", at.format(5) + content),
            (good + DASH + b"w AAAAAA==\n", at.format(6) + content),
            (good + DASH + b"w\n", at.format(6) + content),
            (self.note(cut=-1), length),
            (self.note(time=1 << 63), "the note: a time of 2^63 seconds or more"),
            (
                good.replace(b"=\n\n", b"=\n\nmore\n\n"),
                at.format(4) + "an empty line within the checkpoint",
            ),
        ):
            self.verify_envelope("note", note, FILE, error, kid)
        for note in (CHECKPOINT, self.note(kind=b"\x04"), self.note(name=NAME + b"x")):
            self.verify_envelope(
                "note",
                note,
                UNVERIFIED,
                f"the note has no signature by h'{NAME.hex()}' with the ID of the key",
                kid,
            )
        self.verify_envelope(
            "note",
            good.replace(b"63\n", b"64\n"),
            UNVERIFIED,
            "the signature does not verify for key.pub.pem",
            kid,
        )
        self.girih("convert key.pem vkey --vkey", NAME)
        vkey = self.read("vkey")
        for bad, error in (
            (vkey.replace(b"w.", b"v."), "the key ID is not "),
            (
                vkey.replace(b"+" + key_id.encode(), b"+0" + key_id.encode()),
                "the key ID is not " + key_id,
            ),
            (vkey.replace(b"+B", b"+A"), "not type 6 and a key of ML-DSA-44"),
            (vkey[:-5], "not type 6 and a key of ML-DSA-44"),
            (vkey[:-1] + b"!\n", "no name, key ID and key in base64 with '+' between them"),
            (vkey + b"\n", "a second line, but a verifier key is one line"),
        ):
            self.write("vkey", bad)
            self.girih(
                "verify-envelope --format note --vkey vkey envelope",
                code=FILE,
                error=re.compile("^vkey: the verifier key: " + re.escape(error)),
            )
