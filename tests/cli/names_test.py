"""Names that the command line leaves out: of keys and of signatures."""

import os
import stat
import unittest

from command import FILE, UNVERIFIED, USAGE, WINDOWS, CommandTest, not_on_windows

TAKEN = "exists already; --force replaces it"


@not_on_windows("a home in HOME; windows_test has one")
class Keys(CommandTest):
    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        self.home.mkdir()
        self.environment = {**os.environ, "HOME": str(self.home)}
        self.environment.pop("GIRIH_KEYS", None)

    def girih(self, *arguments, **options):
        return super().girih(*arguments, **{"env": self.environment, **options})

    def test_of_signatures_have_names(self):
        told = self.girih("keygen", "--alg", "ML-DSA-44").decode()
        self.assertEqual(told, f"private key: {self.home}/.girih/girih.key\npublic key: girih.pub\n")
        self.assertEqual(stat.S_IMODE((self.home / ".girih").stat().st_mode), 0o700)
        self.assertEqual(stat.S_IMODE((self.home / ".girih/girih.key").stat().st_mode), 0o600)
        self.write("message")
        self.girih("sign", "message")
        self.assertEqual(self.girih("verify", "message"), b"message: good ML-DSA-44 signature by girih.pub\n")
        self.girih("mu", "-o", "mu", "message")
        self.girih("verify", "--mu", "--signature", "message.sig", "mu")

    def test_of_key_encapsulation_have_others(self):
        self.girih("keygen", "--alg", "ML-DSA-44")
        self.girih("keygen", "--alg", "ML-KEM-512")
        self.assertEqual(sorted(os.listdir(self.home / ".girih")), ["girih-kem.key", "girih.key"])
        self.girih("encap", "--ciphertext", "ct", "--shared-secret", "sent")
        self.girih("decap", "--ciphertext", "ct", "--shared-secret", "received")
        self.assertEqual(self.read("sent"), self.read("received"))

    def test_are_in_the_folder_that_the_environment_names(self):
        self.environment["GIRIH_KEYS"] = str(self.folder / "keys")
        self.girih("keygen", "--alg", "ML-DSA-44")
        self.assertEqual(os.listdir(self.folder / "keys"), ["girih.key"])
        self.write("message")
        self.girih("sign", "message")
        self.assertEqual(os.listdir(self.home), [])
        self.environment["GIRIH_KEYS"] = str(self.folder / "nowhere" / "keys")
        self.fails(FILE, f"{self.folder}/nowhere/keys: No such file or directory",
                   "keygen", "--alg", "ML-DSA-44", "--force")

    def test_need_a_folder(self):
        del self.environment["HOME"]
        self.write("message")
        for arguments in (["keygen", "--alg", "ML-DSA-44"], ["sign", "message"]):
            self.fails(USAGE, "--secret: not given, and neither GIRIH_KEYS nor HOME says where private keys are",
                       *arguments)

    def test_are_replaced_only_by_force(self):
        self.girih("keygen", "--alg", "ML-DSA-44")
        key = self.home / ".girih/girih.key"
        before = key.read_bytes()
        self.fails(FILE, f"{key}: {TAKEN}", "keygen", "--alg", "ML-DSA-44")
        self.assertEqual(key.read_bytes(), before)
        self.girih("keygen", "--alg", "ML-DSA-44", "--force")
        self.assertNotEqual(key.read_bytes(), before)

    def test_that_are_not_there_are_named(self):
        self.write("message")
        self.write("message.sig")
        self.fails(FILE, f"{self.home}/.girih/girih.key: No such file or directory", "sign", "--force", "message")
        self.fails(FILE, "girih.pub: No such file or directory", "verify", "message")

    def test_in_standard_output_stay_alone_in_it(self):
        public = self.girih("keygen", "--alg", "ML-DSA-44", "--public", "-")
        self.assertTrue(public.startswith(b"-----BEGIN PUBLIC KEY-----\n"))
        self.assertTrue(public.endswith(b"-----END PUBLIC KEY-----\n"))


class Signatures(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen(public="girih.pub")
        for name in "abc":
            self.write(name, name.encode())

    def sign(self, *arguments, **options):
        return self.girih("sign", "--secret", "key.pem", *arguments, **options)

    def test_are_beside_their_messages(self):
        os.mkdir(self.folder / "folder")
        self.write("folder/d")
        self.sign("a", "b", "folder/d")
        self.assertIn("d.sig", os.listdir(self.folder / "folder"))
        for name in ("a", "b", "folder/d"):
            self.girih("verify", name)
        self.girih("verify", "--signature", "a.sig", "b", code=UNVERIFIED)

    def test_are_of_the_files_that_are_named(self):
        names = ["[a]", "[b,c]", "[", "-w", "--force"] + ([] if WINDOWS else ["\x01", "\x01[a]", "[]"])
        for name in names:
            self.write(name, name.encode())
        there = self.names()
        self.sign("[a]", *(name for name in names if name[0] in "[\x01" and name != "[a]"))
        self.sign("a", "--", "-w", "--force")
        self.sign("--force", "--", "a", "[a]")
        self.assertEqual(self.names(), sorted([*there, "a.sig", *(name + ".sig" for name in names)]))
        for name in names:
            self.girih("verify", "--", name)
        self.sign("--sums", "sums", "[a]")
        self.assertEqual(self.read("sums").decode().split()[1:], ["[a]"])

    def test_may_have_one_name(self):
        self.sign("-o", "one", "a")
        self.girih("verify", "--signature", "one", "a")
        self.fails(USAGE, "--signature: one name for the signatures of 2 files; without it, each has its own",
                   "sign", "--secret", "key.pem", "-o", "one", "a", "b")

    def test_of_standard_input_go_to_standard_output(self):
        self.write("a.sig", self.sign("-", input=b"a"))
        self.girih("verify", "a")
        self.fails(USAGE, "--signature: not given, and standard input has no name to add .sig to", "verify", "-")

    def test_are_written_all_or_none(self):
        there = self.names()
        self.fails(FILE, "nothing: No such file or directory", "sign", "--secret", "key.pem", "a", "nothing", "c")
        self.assertEqual(self.names(), there)
        self.fails(FILE, "nothing: No such file or directory", "sign", "--secret", "key.pem", "-", "nothing", input=b"a")
        self.write("b.sig", b"precious")
        self.fails(FILE, f"b.sig: {TAKEN}", "sign", "--secret", "key.pem", "a", "b", "c")
        self.assertEqual(self.names(), sorted([*there, "b.sig"]))
        self.assertEqual(self.read("b.sig"), b"precious")
        self.sign("--force", "a", "b", "c")
        for name in "abc":
            self.girih("verify", name)

    def test_replace_no_message(self):
        self.write("a.sig", b"another message")
        self.fails(USAGE, "the signature of a and a.sig are the same file",
                   "sign", "--secret", "key.pem", "--force", "a", "a.sig")
        self.fails(USAGE, "the signature of a and the signature of ./a are the same file",
                   "sign", "--secret", "key.pem", "--force", "a", "./a")
        self.assertEqual(self.read("a.sig"), b"another message")


if __name__ == "__main__":
    unittest.main()
