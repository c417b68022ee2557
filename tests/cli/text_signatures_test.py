"""Signatures that say what they are: girih sign --text."""

import base64
import json
import unittest

from command import FALCONS, FILE, UNVERIFIED, USAGE, CommandTest

TITLE = b"girih signature 1\n"
MARK = "girih signature "


class TextSignatures(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.write("message")
        self.fingerprint = self.inspect("key.pub.pem")["fingerprint"]

    def parts(self, name="message.sig"):
        """The lines before the empty one, with it, and the signature."""
        header, lines = self.read(name).split(b"\n\n")
        return header + b"\n\n", base64.b64decode(lines, validate=False)

    def test_say_algorithm_key_and_comment(self):
        self.sign("--comment", "release 1.2 \u2014 \u00e9t\u00e9 \\o/")
        header, signature = self.parts()
        self.assertEqual(header.decode(), f"{TITLE.decode()}algorithm: ML-DSA-44\nkey: {self.fingerprint}\n"
                                          "comment: release 1.2 \u2014 \u00e9t\u00e9 \\o/\n\n")
        self.assertEqual(len(signature), 2420)
        self.assertEqual(self.verify().decode(), "message: good ML-DSA-44 signature by key.pub.pem\n"
                                                 "comment: release 1.2 \u2014 \u00e9t\u00e9 \\\\o/\n"
                                                 f"key: {self.fingerprint}\n")
        found = json.loads(self.verify("--json"))
        self.assertEqual([found["verified"], found["format"], found["comment"], found["fingerprint"]],
                         [True, "text", "release 1.2 \u2014 \u00e9t\u00e9 \\o/", self.fingerprint])

    def test_need_no_comment(self):
        self.sign("--text")
        self.assertIn(b"\ncomment:\n\n", self.read("message.sig"))
        self.assertEqual(self.verify().decode(), "message: good ML-DSA-44 signature by key.pub.pem\n"
                                                 f"key: {self.fingerprint}\n")
        self.assertEqual(json.loads(self.verify("--json"))["comment"], "")

    def test_verify_for_algorithms_of_every_kind(self):
        for algorithm in ("ML-DSA-87", "Dilithium3", *FALCONS):
            with self.subTest(algorithm):
                self.keygen(algorithm, "--force")
                self.sign("--alg", algorithm, "--comment", "c", "--force")
                shown = self.verify().decode()  # the signature says which of Falcon's formats it has
                self.assertTrue(shown.startswith(f"message: good {algorithm} signature by key.pub.pem\ncomment: c\n"))
                self.write("message.sig", self.read("message.sig").replace(b"comment: c", b"comment: d"))
                self.verify(code=UNVERIFIED)

    def test_are_as_the_format_is_defined(self):
        """The header before the message, and its first line before the context, verify as a raw
        signature would, but for the context that is kept."""
        self.sign("--comment", "c", "--deterministic")
        header, signature = self.parts()
        self.write("whole", header + self.read("message"))
        self.write("raw", signature)
        self.verify(signature="raw", message="whole", code=UNVERIFIED)
        self.verify("--context", "girih signature 1\n", signature="raw", message="whole", code=USAGE)
        self.assertEqual(self.error, f'the context begins with "{MARK}", which is kept for signatures in text')
        # Of Dilithium, which has no contexts, the bytes are the same, and the command refuses them.
        self.keygen("Dilithium2", "--force")
        self.sign("--text", "--force")
        header, signature = self.parts()
        self.write("whole", header + self.read("message"))
        self.write("raw", signature)
        why = f'whole: begins with "{MARK}", as what a signature in text signs; ' \
              "Dilithium2 has no contexts to tell the two apart"
        self.write("manifest", b"key.pub.pem raw whole\n")
        for arguments in (["verify", "--public", "key.pub.pem", "--signature", "raw", "whole"],
                          ["sign", "--secret", "key.pem", "whole"],
                          ["mu", "--public", "key.pub.pem", "-o", "mu", "whole"]):
            self.fails(FILE, why, *arguments)
        self.assertIn(why, self.girih("verify", "--manifest", "manifest", code=FILE).decode())

    def test_bind_everything(self):
        self.sign("--comment", "release 1", "--context", "c")
        good = self.read("message.sig")
        self.verify("--context", "c")
        self.verify(code=UNVERIFIED)
        self.assertEqual(self.error, "message.sig: the signature does not verify for message and key.pub.pem")
        self.write("message.sig", good.replace(b"release 1", b"release 2"))
        self.verify("--context", "c", code=UNVERIFIED)
        self.assertNotIn("comment", json.loads(self.verify("--context", "c", "--json", code=UNVERIFIED)))
        self.write("message.sig", good)
        self.write("message", b"a massage\n")
        self.verify("--context", "c", code=UNVERIFIED)

    def test_by_another_key_say_so(self):
        self.sign("--text")
        self.keygen("ML-DSA-65", secret="other.pem", public="other.pub")
        self.verify(public="other.pub", code=UNVERIFIED)
        self.assertEqual(self.error, f"message.sig: is by the key {self.fingerprint} of ML-DSA-44, "
                                     "which is not in other.pub")

    def test_may_have_other_line_ends(self):
        self.sign("--comment", "c")
        self.write("message.sig", self.read("message.sig").replace(b"\n", b"\r\n"))
        self.verify()

    def test_may_begin_with_a_byte_order_mark(self):
        self.sign("--comment", "c")
        good = self.read("message.sig")
        for changed in (b"\xef\xbb\xbf" + good, b"\xef\xbb\xbf" + good.replace(b"\n", b"\r\n")):
            self.write("message.sig", changed)
            self.verify()

    def test_that_are_meant_so_are_malformed_and_not_bad(self):
        self.sign("--comment", "c")
        good = self.read("message.sig").decode()
        utf16, other = "line 1: text in UTF-16, where girih reads UTF-8", f'line 1: not "{MARK}..."'
        for changed, why in (("\ufeff" + good).encode("utf-16-le"), utf16), (("\ufeff" + good).encode("utf-16-be"), utf16), \
                (b"\n" + good.encode(), other), (b"  " + good.encode(), other), \
                (b"\xef\xbb\xbf\xef\xbb\xbf" + good.encode(), other):
            self.write("message.sig", changed)
            self.verify(code=FILE)
            self.assertEqual(self.error, "message.sig: " + why)

    def test_that_make_no_sense_name_the_line(self):
        self.sign("--comment", "c")
        good = self.read("message.sig").decode()
        lines = good.split("\n")
        for broken, why in (
            (good.replace("signature 1", "signature 2"), "line 1: a version of the format that this girih does not read; it reads 1"),
            (good.replace("algorithm: ", "algorithm="), 'line 2: not "algorithm: ..."'),
            (good.replace("ML-DSA-44", "ML-KEM-512"), "line 2: no algorithm of signatures that this girih has"),
            (good.replace("ML-DSA-44", "mldsa44"), "line 2: no algorithm of signatures that this girih has"),
            (good.replace("ML-DSA-44", "ML-DSA-44\0"), "line 2: a control character in the algorithm"),
            (good.replace("ML-DSA-44", "ML-DSA-44\r\r"), "line 2: a control character in the algorithm"),
            (good.replace("key: ", "key: 0"), "line 3: not a fingerprint of 64 hexadecimal digits in lower case"),
            (good.replace("key: ", "key:"), 'line 3: not "key: ..."'),
            (good.replace("comment: c", "comment: \x1b[2J"), "line 4: a control character in the comment"),
            (good.replace("comment: c", "comment: " + "c" * 1025), "line 4: a comment of more than 1024 bytes"),
            (good.replace("c\n\n", "c\n"), "line 5: not the empty line before the signature"),
            ("\n".join(lines[:4]), "line 5: not the empty line before the signature"),
            ("\n".join(lines[:3]), "line 4: the file ends before comment:"),
            ("\n".join(lines[:5]) + "\n", "line 6: the signature's base64 is cut short or wrongly padded"),
            (good.replace(lines[6], "!" + lines[6][1:]), "line 7: a character outside base64"),
            (good.replace(lines[6], lines[6] + "A"), "line 7: more than 64 characters"),
            (good.replace(lines[6], lines[6][:-1]), "line 8: a line after the last one of the signature, which has fewer "
                                                    "than 64 characters"),
            ("\n".join(lines[:7]) + "\n\n", "line 8: a line after the last one of the signature, which has fewer "
                                           "than 64 characters"),
            (good[:-3], f"line {len(lines) - 1}: the signature's base64 is cut short or wrongly padded"),
            (good + "A" * 16384, "line 1: a signature of more than 16384 bytes"),
        ):
            self.write("message.sig", broken.encode())
            with self.subTest(why):
                self.verify(code=FILE)
                self.assertEqual(self.error, "message.sig: " + why)

    def test_of_another_length_do_not_verify(self):
        self.sign("--text")
        header, signature = self.parts()
        for changed in (signature[:-1], signature + b"\0", b"\0"):
            self.write("message.sig", header + base64.encodebytes(changed).replace(b"\n", b""))
            lines = base64.b64encode(changed).decode()
            self.write("message.sig", header + "\n".join(lines[i:i + 64] for i in range(0, len(lines), 64)).encode())
            self.verify(code=UNVERIFIED)

    def test_have_one_line_of_comment_that_can_be_shown(self):
        for comment in ("two\nlines", "\x1b[2J", "a\u202eb", "\udcff"):
            self.fails(USAGE, "--comment: has a character that a terminal does not show as it is",
                       "sign", "--secret", "key.pem", "--comment", comment, "message")
        self.fails(USAGE, "--comment: has 1025 bytes; at most 1024 are possible",
                   "sign", "--secret", "key.pem", "--comment", "c" * 1025, "message")
        self.sign("--comment", "c" * 1024)
        self.verify()

    def test_are_of_files_only(self):
        self.girih("mu", "--public", "key.pub.pem", "-o", "mu", "message")
        sign = ["sign", "--secret", "key.pem", "--text"]
        self.fails(USAGE, "--mu: a signature in text is of a file, not of its mu", *sign, "--mu", "mu")
        self.fails(USAGE, "--pre-hash: a signature in text has none", *sign, "--pre-hash", "SHA2-256", "message")
        self.fails(USAGE, "the context has 238 bytes; at most 237 are possible",
                   *sign, "--context", "c" * 238, "message")
        self.sign("--text")
        self.verify("--mu", message="mu", code=USAGE)

    def test_stand_in_manifests(self):
        self.sign("--comment", "c")
        self.sign(signature="raw")
        self.keygen(secret="other.pem", public="other.pub")
        self.write("manifest", b"key.pub.pem message.sig message\nkey.pub.pem raw message\n"
                               b"other.pub message.sig message\nkey.pub.pem message.sig other.pub\n")
        report = self.girih("verify", "--manifest", "manifest", code=UNVERIFIED).decode()
        self.assertEqual(report, f"good  message\ngood  message\nbad   message: is by the key {self.fingerprint}\n"
                                 "bad   other.pub: the signature does not verify\n"
                                 "4 signatures: 2 good, 2 bad, 0 error\n")


if __name__ == "__main__":
    unittest.main()
