"""Signatures that say what they are: girih sign --text."""

import base64
import re

from command import FILE, MESSAGE, UNVERIFIED, USAGE, UTF16, CommandTest

MARK = "girih signature "
TITLE = MARK + "1\n"
COMMENT = "release 1.2 \u2014 \u00e9t\u00e9 \\o/"
SHOWN_COMMENT = COMMENT.replace("\\", "\\\\")
MALFORMED_LAST = "a line after the last one of the signature, which has fewer than 64 characters"
CUT = "the signature's base64 is cut short or wrongly padded"


class TextSignatures(CommandTest):
    KEYS = {"key": "ML-DSA-44"}
    FILES = MESSAGE

    def setUp(self):
        super().setUp()
        self.fingerprint = self.inspect("key.pub.pem")["fingerprint"]

    def commented(self, comment="c", line="", *more):
        self.girih(f"sign --secret key.pem message --force {line} --comment", comment, *more)
        return self.read("message.sig")

    def parts(self):
        """The lines before the empty one, with it, and the signature."""
        header, lines = self.read("message.sig").split(b"\n\n")
        return header + b"\n\n", base64.b64decode(lines, validate=False)

    def take_apart(self):
        header, signature = self.parts()
        self.write("whole", header + self.read("message"))
        self.write("raw", signature)

    def test_say_algorithm_key_and_comment(self):
        by = "message: good ML-DSA-44 signature by key.pub.pem\n"
        for comment, header, shown in (
            ("", "", ""),
            (COMMENT, f" {COMMENT}", f"comment: {SHOWN_COMMENT}\n"),
        ):
            self.sign("--text") if comment == "" else self.commented(comment)
            written, signature = self.parts()
            self.assertEqual(
                written.decode(),
                f"{TITLE}algorithm: ML-DSA-44\nkey: {self.fingerprint}\ncomment:{header}\n\n",
            )
            self.assertEqual(len(signature), 2420)
            self.assertEqual(self.verify().decode(), f"{by}{shown}key: {self.fingerprint}\n")
            found = self.json("verify --public key.pub.pem message")
            self.assertEqual(
                [found["verified"], found["format"], found["comment"], found["fingerprint"]],
                [True, "text", comment, self.fingerprint],
            )

    def test_verify_for_algorithms_of_every_kind(self):
        for algorithm in (
            "ML-DSA-87",
            "Dilithium3",
            "Falcon-512",
            "Falcon-padded-512",
            "Falcon-CT-512",
        ):
            self.have_key(algorithm)
            good = self.commented("c", f"--alg {algorithm}")
            shown = self.verify().decode()  # the signature says which of Falcon's formats it has
            self.assertTrue(
                shown.startswith(
                    f"message: good {algorithm} signature by key.pub.pem\ncomment: c\n"
                )
            )
            self.write("message.sig", good.replace(b"comment: c", b"comment: d"))
            self.verify(code=UNVERIFIED)

    def test_are_as_the_format_is_defined(self):
        """The header before the message, and its first line before the context, verify as a raw
        signature would, but for the context that is kept."""
        self.commented()
        self.take_apart()
        self.verify(signature="raw", message="whole", code=UNVERIFIED)
        self.fails(
            USAGE,
            f'the context begins with "{MARK}", which is kept for signatures in text',
            "verify --public key.pub.pem --signature raw whole --context",
            TITLE,
        )
        # Dilithium has no contexts: the bytes are the same, and the command refuses them.
        self.have_key("Dilithium2")
        self.sign("--text --force")
        self.take_apart()
        why = (
            f'whole: begins with "{MARK}", like the content that a signature in text signs; Dilithium2 has no contexts to tell '
            "the two apart"
        )
        self.all_fail(
            FILE,
            [
                ("verify --public key.pub.pem --signature raw whole", why),
                ("sign --secret key.pem whole", why),
                ("mu --public key.pub.pem -o mu whole", why),
            ],
        )
        report = self.girih(
            "verify --manifest -", input=b"key.pub.pem raw whole\n", code=FILE
        ).decode()
        self.assertIn(why, report)

    def test_bind_everything(self):
        good = self.commented("release 1", "--context c")
        self.verify("--context c")
        self.verify(
            code=UNVERIFIED,
            error="message.sig: the signature does not verify for message and key.pub.pem",
        )
        self.write("message.sig", good.replace(b"release 1", b"release 2"))
        found = self.json("verify --public key.pub.pem --context c message", code=UNVERIFIED)
        self.assertNotIn("comment", found)
        self.write("message.sig", good)
        self.write("message", b"a massage\n")
        self.verify("--context c", code=UNVERIFIED)

    def test_may_have_other_line_ends_and_a_byte_order_mark_and_no_other_length(self):
        good = self.commented()
        header, signature = self.parts()
        for changed in (
            good.replace(b"\n", b"\r\n"),
            b"\xef\xbb\xbf" + good,
            b"\xef\xbb\xbf" + good.replace(b"\n", b"\r\n"),
        ):
            self.write("message.sig", changed)
            self.verify()
        for wrong in (signature[:-1], signature + b"\0", b"\0"):
            self.write(
                "message.sig", header + re.sub(rb".{64}", rb"\g<0>\n", base64.b64encode(wrong))
            )
            self.verify(code=UNVERIFIED)

    def test_that_make_no_sense_name_the_line(self):
        good = self.commented().decode()
        lines = good.split("\n")
        algorithm = "line 2: not a signature algorithm of this girih"
        control = "line 2: a control character in the algorithm"
        empty = "line 5: not the empty line before the signature"
        title = f'line 1: not "{MARK}..."'
        for broken, why in (
            (("\ufeff" + good).encode("utf-16-le"), f"line 1: {UTF16}"),
            (("\ufeff" + good).encode("utf-16-be"), f"line 1: {UTF16}"),
            ("\n" + good, title),
            ("  " + good, title),
            ("\ufeff\ufeff" + good, title),
            (
                good.replace("signature 1", "signature 2"),
                "line 1: a version of the format that this girih does not read; it reads 1",
            ),
            (good.replace("algorithm: ", "algorithm="), 'line 2: not "algorithm: ..."'),
            (good.replace("ML-DSA-44", "ML-KEM-512"), algorithm),
            (good.replace("ML-DSA-44", "mldsa44"), algorithm),
            (good.replace("ML-DSA-44", "ML-DSA-44\0"), control),
            (good.replace("ML-DSA-44", "ML-DSA-44\r\r"), control),
            (
                good.replace("key: ", "key: 0"),
                "line 3: not a fingerprint of 64 hexadecimal digits in lower case",
            ),
            (good.replace("key: ", "key:"), 'line 3: not "key: ..."'),
            (
                good.replace("comment: c", "comment: \x1b[2J"),
                "line 4: a control character in the comment",
            ),
            (
                good.replace("comment: c", "comment: " + "c" * 1025),
                "line 4: a comment of more than 1024 bytes",
            ),
            (good.replace("c\n\n", "c\n"), empty),
            ("\n".join(lines[:4]), empty),
            ("\n".join(lines[:3]), "line 4: the file ends before comment:"),
            ("\n".join(lines[:5]) + "\n", f"line 6: {CUT}"),
            (good.replace(lines[6], "!" + lines[6][1:]), "line 7: a character outside base64"),
            (good.replace(lines[6], lines[6] + "A"), "line 7: more than 64 characters"),
            (good.replace(lines[6], lines[6][:-1]), f"line 8: {MALFORMED_LAST}"),
            ("\n".join(lines[:7]) + "\n\n", f"line 8: {MALFORMED_LAST}"),
            (good[:-3], f"line {len(lines) - 1}: {CUT}"),
            (good + "A" * 16384, "line 1: a signature of more than 16384 bytes"),
        ):
            self.write("message.sig", broken.encode() if isinstance(broken, str) else broken)
            self.verify(code=FILE, error=f"message.sig: {why}")

    def test_are_of_files_with_one_line_of_comment_that_can_be_shown(self):
        sign = "sign --secret key.pem message --comment"
        for comment in ("two\nlines", "\x1b[2J", "a\u202eb", "\udcff"):
            self.fails(
                USAGE,
                "--comment: has a character that a terminal does not show as it is",
                sign,
                comment,
            )
        self.fails(USAGE, "--comment: has 1025 bytes; at most 1024 are allowed", sign, "c" * 1025)
        self.girih("mu --public key.pub.pem -o mu message")
        sign = "sign --secret key.pem --text "
        self.all_fail(
            USAGE,
            [
                (sign + "--mu mu", "--mu: a signature in text is of a file, not of its mu"),
                (sign + "--pre-hash SHA2-256 message", "--pre-hash: a signature in text has none"),
                (
                    sign + f"message --context {'c' * 238}",
                    "the context has 238 bytes; at most 237 are allowed",
                ),
            ],
        )
        self.commented("c" * 1024)
        self.verify()
        self.verify("--mu", message="mu", code=USAGE)

    def test_stand_in_manifests(self):
        self.commented()
        self.sign(signature="raw")
        self.have_key(name="other")
        self.write(
            "manifest",
            b"key.pub.pem message.sig message\nkey.pub.pem raw message\n"
            b"other.pub.pem message.sig message\nkey.pub.pem message.sig raw\n",
        )
        report = self.girih("verify --manifest manifest", code=UNVERIFIED).decode()
        self.assertEqual(
            report,
            f"good  message\ngood  message\nbad   message: is by the key {self.fingerprint}\n"
            "bad   raw: the signature does not verify\n4 signatures: 2 good, 2 bad, 0 error\n",
        )
