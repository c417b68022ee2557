"""JWS and COSE_Sign1: girih sign-envelope and verify-envelope, and keys as JWK and COSE_Key."""

import base64
import hashlib
import json
import os
import stat

from command import FILE, GOOD, UNVERIFIED, USAGE, CommandTest

# RFC 9964's examples, which have the seed of zeros and deterministic signatures: SHA-256 of the JWS
# and of the COSE_Sign1.
RFC_9964 = {
    "ML-DSA-44": ("2ae7b395a71470a610a0d8b6443fd4784d93ba2b7d0a752da58264eb0fd338e8",
                  "662dd8373250badecbbf5f637791cdc81773277cea5b6d237d6a8c1c9a09505c"),
    "ML-DSA-65": ("bb1a49c32f37f5f750e73fcc6fd7cbd8cf683e8b0270b1420c02e2e63e66bc01",
                  "9668576da54152cc578b740106d17e4ada88fb3a28471fd3296c22e606c86812"),
    "ML-DSA-87": ("7102258ffe720c7430bf087b3283867b559d7479d1142162369fec672e1804aa",
                  "206ce0b57b39dfc1e688ed5a89bd19ca4b8cebb52acc82c3dfd6c86c0de760fa")}
PAYLOADS = ("It\u2019s a dangerous business, Frodo, going out your door.".encode(), b"hello post quantum signatures")
FORMATS = ("jws", "jws-json", "cose")
ALG = b'"alg":"ML-DSA-44"'


def base64url(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=")


def head(major, argument):
    """The head of an item of CBOR, in its shortest form."""
    if argument < 24:
        return bytes([major << 5 | argument])
    return bytes([major << 5 | 24, argument]) if argument < 256 else bytes([major << 5 | 25, *divmod(argument, 256)])


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

    def cose(self, header=b"\xa1\x01\x38\x2f", unprotected=b"\xa0", before=b"\xd2\x84", after=b"", payload=None):
        """A COSE_Sign1 whose signature is good."""
        payload = byte_string(b"a payload") if payload is None else payload
        content = b"\x84\x6aSignature1" + byte_string(header) + b"\x40" + payload
        return before + byte_string(header) + unprotected + payload + byte_string(self.signed(content)) + after

    def verify_envelope(self, form, content, code=GOOD, error=None, more="", public="key.pub.pem"):
        self.write("envelope", content)
        self.girih(f"verify-envelope --format {form} --public {public} envelope {more}", code=code,
                   error=error and "envelope: " + error)

    def test_are_those_of_rfc_9964(self):
        for algorithm, hashes in RFC_9964.items():
            self.write("seed", bytes(32))
            (self.folder / "seed").chmod(0o600)
            for form, keys, payload, right in zip(("jws", "cose"), ("jwk", "cose"), PAYLOADS, hashes):
                self.girih(f"convert --force --alg {algorithm} seed zeros --format {keys}")
                self.write("rfc", payload)
                self.girih(f"sign-envelope --force --deterministic --format {form} --secret zeros rfc -o made")
                self.assertEqual(hashlib.sha256(self.read("made")).hexdigest(), right)

    def test_are_verified_with_every_key_and_format(self):
        for name in ("key", "large"):
            for form in FORMATS:
                for keys in ("jwk", "cose", "pem"):
                    self.girih(f"convert --force {name}.pem secret --format {keys}")
                    self.assertEqual(stat.S_IMODE(os.stat(self.folder / "secret").st_mode), 0o600)
                    self.girih(f"convert --force --public-only {name}.pem public --format {keys}")
                    self.girih(f"sign-envelope --force --format {form} --secret secret payload")
                    verify = f"verify-envelope --format {form} --public public payload.{form}"
                    self.assertEqual(self.girih(verify + " --payload -"), b"a payload")
                    self.assertTrue(self.json(verify)["verified"])
                    self.girih(f"sign-envelope --force --detached --format {form} --secret secret payload")
                    self.girih(verify + " payload")
                    self.girih(verify + " -", input=b"a payload")
                    self.fails(UNVERIFIED, f"payload.{form}: the signature does not verify for public",
                               verify + " -", input=b"a payloae")
                    self.fails(USAGE, f"MESSAGE: not given, and payload.{form} is detached from its payload", verify)

    def test_payloads_of_every_length(self):
        for form in FORMATS:
            for size in (0, 1, 2, 3, 4, 23, 24, 255, 256, 65536, (1 << 18) - 1, (1 << 18) + 1, 700000):
                payload = bytes(i % 251 for i in range(size))
                self.write("message", payload)
                self.girih(f"sign-envelope --force --detached --format {form} --secret key.pem message")
                for stdin in (None, payload):
                    self.girih(f"verify-envelope --format {form} --public key.pub.pem message.{form} "
                               + ("message" if stdin is None else "-"), input=stdin or b"")

    def test_a_payload_inside_is_at_most_256_mib(self):
        (self.folder / "long").touch()
        os.truncate(self.folder / "long", (256 << 20) + 1)
        self.fails(FILE, "long: too long for a payload inside an envelope; --detached leaves it out",
                   "sign-envelope --secret key.pem long")

    def test_kid_and_key_have_to_agree(self):
        for form in FORMATS:
            line = f"sign-envelope --force --format {form} --secret key.pem payload -o made --kid"
            self.girih(line, "a \"name\"")
            verify = f"verify-envelope --format {form} --public key.pub.pem made"
            self.girih(verify + " --kid", "a \"name\"")
            self.girih(verify)  # a key in PEM has no kid
            self.fails(UNVERIFIED, 'made: kid is "a "name"", and not "b"', verify + " --kid b")
            self.girih("convert --force --public-only key.pem named --format jwk")
            thumbprint = json.loads(self.read("named"))["kid"]
            self.fails(UNVERIFIED, f'made: kid is "a "name"", and the key\'s is "{thumbprint}"',
                       f"verify-envelope --format {form} --public named made")
            self.fails(UNVERIFIED, "made: the signature does not verify for other.pub.pem",
                       f"verify-envelope --format {form} --public other.pub.pem made")
            self.fails(UNVERIFIED, "made: alg is ML-DSA-44, and the key is ML-DSA-65",
                       f"verify-envelope --format {form} --public large.pub.pem made")
            only = "JWS and COSE_Sign1 are signed with ML-DSA-44, ML-DSA-65 and ML-DSA-87, and not with Falcon-512"
            self.fails(USAGE, "falcon.pub.pem: " + only, f"verify-envelope --format {form} --public falcon.pub.pem made")
            self.fails(USAGE, "falcon.pem: " + only, f"sign-envelope --format {form} --secret falcon.pem payload -o x")

    def test_a_compact_jws_is_refused_for_its_own_reason(self):
        good = self.jws()
        header, payload, signature = good.split(b".")
        self.verify_envelope("jws", good)
        self.verify_envelope("jws", good + b"\n")
        self.verify_envelope("jws", self.jws(b'{"typ":"JWT",' + ALG + b',"jwk":{"kty":"AKP"},"kid":"k"}'))
        place, three = "byte {} of the protected header: ", "a compact JWS has three parts, with two dots between them"
        unpadded = "the JWS: the {} is not base64url without padding"
        for content, error in (
                (good + b".", three), (header + b"." + payload, three), (b"", three),
                (good + b"\n\n", unpadded.format("signature")), (b" " + good, unpadded.format("protected header")),
                (good + b"=", unpadded.format("signature")), (header + b"=." + payload + b"." + signature,
                                                              unpadded.format("protected header")),
                (header + b".+" + payload[1:] + b"." + signature, unpadded.format("payload")),
                (self.jws(b"{}"), "the protected header: alg is missing"),
                (self.jws(b'{"alg":"none"}'), place.format(7)
                 + 'alg is "none", and girih reads ML-DSA-44, ML-DSA-65 and ML-DSA-87'),
                (self.jws(b'{"alg":"ES256"}'), place.format(7)
                 + 'alg is "ES256", and girih reads ML-DSA-44, ML-DSA-65 and ML-DSA-87'),
                (self.jws(b"{" + ALG + b"," + ALG + b"}"), place.format(19) + 'the member "alg" is there twice'),
                (self.jws(b"{" + ALG + b',"crit":["exp"]}'), place.format(26)
                 + "crit is there, and girih knows no critical header parameters"),
                (self.jws(b"{" + ALG + b',"b64":false}'), place.format(25)
                 + "b64 is there, and girih signs encoded payloads"),
                (self.jws(b"{" + ALG + b',"kid":1}'), place.format(25) + "kid is no string"),
                (self.jws(b"{" + ALG + b"} x"), place.format(20) + "a byte after the object"),
                (self.jws(b"[]"), place.format(0) + "'{' is expected")):
            self.verify_envelope("jws", content, FILE, error)
        for changed in (self.jws(b"{" + ALG + b" }").split(b".")[0] + b"." + payload + b"." + signature,
                        header + b"." + base64url(b"a payloae") + b"." + signature,
                        header + b"." + payload + b"." + signature[:-3], header + b"." + payload + b"."
                        + (b"B" if signature[:1] == b"A" else b"A") + signature[1:]):
            self.verify_envelope("jws", changed, UNVERIFIED, "the signature does not verify for key.pub.pem")

    def test_a_flattened_jws_is_refused_for_its_own_reason(self):
        self.verify_envelope("jws-json", self.jws_json(more=[1]))
        for content, error in (
                (self.jws_json(signatures=[]), "signatures is there, and girih reads the flattened serialization"),
                (self.jws_json(header={"kid": "k"}), "header is there, and girih reads nothing that is not signed"),
                (self.jws_json(protected=1), "protected is no string"),
                (self.jws_json(payload=None), "payload is no string"),
                (self.jws_json(signature="="), "signature is not base64url without padding"),
                (self.jws_json()[:-1] + b',"payload":""}', 'the member "payload" is there twice')):
            self.write("envelope", content)
            self.girih("verify-envelope --format jws-json --public key.pub.pem envelope", code=FILE)
            self.assertTrue(self.error.endswith(error), self.error)

    def test_a_cose_sign1_is_refused_for_its_own_reason(self):
        for good in (self.cose(), self.cose(before=b"\x84"), self.cose(unprotected=b"\xa1\x04\x41k"),
                     self.cose(b"\xa3\x01\x38\x2f\x03\x00\x61x\xf6")):
            self.verify_envelope("cose", good)
        whole, protected = "byte {} of the COSE_Sign1: ", "byte {} of the protected header: "
        numbers = ", and girih reads -48, -49 and -50 (ML-DSA-44, ML-DSA-65 and ML-DSA-87)"
        for content, error in (
                (self.cose(after=b"\0"), whole.format(2441) + "1 byte too many after the COSE_Sign1"),
                (self.cose(before=b"\xd8\x62\x84"), whole.format(0) + "another tag than COSE_Sign1's, which is 18"),
                (self.cose(before=b"\xd2\x83"), whole.format(1) + "COSE_Sign1 has four items"),
                (self.cose(b""), "the protected header: alg (1) is missing"),
                (self.cose(b"\xa0"), "the protected header: alg (1) is missing"),
                (self.cose(b"\xa0", b"\xa1\x01\x38\x2f"), "the protected header: alg (1) is missing"),
                (self.cose(unprotected=b"\xa1\x01\x38\x2f"),
                 whole.format(8) + "alg in the unprotected header, where nothing is signed"),
                (self.cose(b"\xa1\x01\x26"), protected.format(2) + "alg is -7" + numbers),
                (self.cose(b"\xa1\x01\x69ML-DSA-44"),
                 protected.format(2) + "alg is a text string, and should be an unsigned integer"),
                (self.cose(b"\xa2\x01\x38\x2f\x02\x81\x04"),
                 protected.format(4) + "crit in the protected header: girih knows no critical headers"),
                (self.cose(unprotected=b"\xa1\x02\x81\x04"),
                 whole.format(8) + "crit in the unprotected header: girih knows no critical headers"),
                (self.cose(b"\xa2\x01\x38\x2f\x01\x38\x2f"),
                 protected.format(4) + "a label that is in the protected header twice"),
                (self.cose(b"\xa2\x01\x38\x2f\x04\x41k", b"\xa1\x04\x41k"),
                 whole.format(11) + "kid in the unprotected header, and in the protected header, too"),
                (self.cose(b"\xa1\x01\x39\x00\x2f"),
                 protected.format(2) + "a number that is not in its shortest form"),
                (self.cose(b"\xa1\x01\x38\x2f\0"), protected.format(4) + "1 byte too many after the protected header"),
                (self.cose(payload=b"\x61a"),
                 whole.format(8) + "the payload is a text string, and should be a byte string"),
                (self.cose(before=b"\xd2\x9f"), whole.format(1) + "an indefinite length or a reserved form")):
            self.verify_envelope("cose", content, FILE, error)
        self.verify_envelope("cose", self.cose().replace(b"a payload", b"a payloae"), UNVERIFIED,
                             "the signature does not verify for key.pub.pem")
