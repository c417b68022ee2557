"""girih verify with several public keys: one of them is enough."""

import json
import unittest

from command import FILE, UNVERIFIED, USAGE, CommandTest


class SeveralKeys(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("message")
        for name, algorithm in (("a", "ML-DSA-44"), ("b", "ML-DSA-65"), ("c", "Falcon-512"), ("d", "Dilithium2")):
            self.keygen(algorithm, secret=name + ".pem", public=name + ".pub")
            for form in ("--text", "--deterministic" if name in "ab" else None):
                self.sign(*([form] if form else []), secret=name + ".pem",
                          signature=f"{name}.{'text' if form == '--text' else 'raw'}")

    def keys(self, names):
        return [part for name in names for part in ("--public", name + ".pub")]

    def test_find_the_one_that_signed(self):
        for name, algorithm in (("a", "ML-DSA-44"), ("b", "ML-DSA-65"), ("c", "Falcon-512"), ("d", "Dilithium2")):
            for form in ("raw", "text"):
                for order in ("abcd", "dcba"):
                    shown = self.girih("verify", *self.keys(order), "--signature", f"{name}.{form}", "message")
                    self.assertTrue(shown.startswith(f"message: good {algorithm} signature by {name}.pub\n".encode()))

    def test_read_the_message_once(self):
        for form in ("raw", "text"):
            self.girih("verify", *self.keys("dcba"), "--signature", f"a.{form}", "-", input=self.read("message"))

    def test_say_that_none_signed(self):
        self.girih("verify", *self.keys("bcd"), "--signature", "a.raw", "message", code=UNVERIFIED)
        self.assertEqual(self.error, "a.raw: the signature does not verify for message and b.pub, c.pub or d.pub")
        self.girih("verify", *self.keys("bc"), "--signature", "a.text", "message", code=UNVERIFIED)
        self.assertRegex(self.error, r"\Aa.text: is by the key [0-9a-f]{64} of ML-DSA-44, which is not in b.pub or c.pub\Z")
        found = json.loads(self.girih("verify", "--json", *self.keys("bc"), "--signature", "a.raw", "message", code=UNVERIFIED))
        self.assertEqual([found["verified"], found["keys"]], [False, ["b.pub", "c.pub"]])

    def test_are_told_of_in_json(self):
        found = json.loads(self.girih("verify", "--json", *self.keys("ab"), "--signature", "b.raw", "message"))
        self.assertEqual([found["public"], found["algorithm"], found["keys"]], ["b.pub", "ML-DSA-65", ["a.pub", "b.pub"]])

    def test_have_to_be_keys_all_of_them(self):
        self.fails(FILE, "x.pub: No such file or directory",
                   "verify", *self.keys("ax"), "--signature", "a.raw", "message")
        self.fails(USAGE, "standard input (-) can be only one of the files that are read",
                   "verify", "--public", "-", "--public", "-", "--signature", "a.raw", "message")


if __name__ == "__main__":
    unittest.main()
