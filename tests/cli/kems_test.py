"""Encapsulating and decapsulating keys."""

import resource

from command import FILE, MISSING, ONCE, USAGE, CommandTest, flipped, not_on_windows


class Kems(CommandTest):
    KEYS = {"kem": "sntrup761", "other": "sntrup761"}

    def test_share_a_new_secret_every_time_and_another_with_whom_it_is_not_for(self):
        secrets = {self.encap(shared_secret="-"), self.encap("--force", shared_secret="-")}
        self.write("changed", flipped(self.read("ct"), 100))
        for options in ({"ciphertext": "changed"}, {"secret": "other.pem"}):
            secrets.add(self.decap(shared_secret="-", **options))
        self.assertEqual([len(secret) for secret in secrets], [32] * 4)

    def test_go_through_standard_streams(self):
        ciphertext = self.encap(public="-", ciphertext="-", input=self.read("kem.pub.pem"))
        self.assertEqual(self.decap(ciphertext="-", shared_secret="-", input=ciphertext), self.read("sent"))
        self.write("ct", ciphertext)
        self.assertEqual(self.decap(secret="-", shared_secret="-", input=self.read("kem.pem")), self.read("sent"))
        self.fails(USAGE, ONCE, "decap --secret - --ciphertext - --shared-secret x")

    def test_take_a_raw_seed(self):
        self.keygen("sntrup761 --format raw --private-form seed", secret="s", public="p")
        self.assertEqual(len(self.read("s")), 32)
        self.encap("--alg sntrup761", public="p")
        self.decap("--alg sntrup761", secret="s")
        self.assert_shared()

    def test_refuse_ciphertexts_of_another_length(self):
        self.encap()
        good = self.read("ct")
        for content, bytes_there in ((b"", "0"), (good[:-1], "1038"), (good + b"\0", "more than 1039")):
            self.write("ct", content)
            self.decap(code=FILE, error=f"ct: {bytes_there} bytes, and a ciphertext for sntrup761 has 1039")

    @not_on_windows("limits on processes")
    def test_leave_nothing_where_files_cannot_be_written(self):
        self.encap(ciphertext="nowhere/ct", code=FILE, error=f"nowhere/ct: {MISSING}")
        self.encap(shared_secret="nowhere/sent", code=FILE, error=f"nowhere/sent: {MISSING}")
        self.encap(code=FILE, error="ct: File too large",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
