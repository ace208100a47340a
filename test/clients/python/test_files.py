import io
import os
import tempfile
import unittest

import openai

from stage import client

LINES = b'{"custom_id":"1"}\n{"custom_id":"2"}\n'


class Files(unittest.TestCase):
    def test_creates_retrieves_reads_and_deletes(self):
        created = client().files.create(file=("lines.jsonl", LINES), purpose="batch")
        self.assertEqual((created.bytes, created.filename, created.purpose), (len(LINES), "lines.jsonl", "batch"))
        self.assertEqual(created.expires_at, created.created_at + 2_592_000)
        self.assertEqual(client().files.retrieve(created.id), created)
        self.assertEqual(client().files.wait_for_processing(created.id), created)
        self.assertEqual(client().files.content(created.id).read(), LINES)
        deleted = client().files.delete(created.id)
        self.assertEqual((deleted.id, deleted.deleted), (created.id, True))
        with self.assertRaises(openai.NotFoundError) as raised:
            client().files.retrieve(created.id)
        self.assertEqual(raised.exception.code, "file_not_found")

    def test_takes_files_in_every_form(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "täglich.csv")
            with open(path, "wb") as file:
                file.write(b"a,b\n1,2\n")
            with open(path, "rb") as opened:
                for given, name in ((opened, "täglich.csv"), (io.BytesIO(b"text"), "upload"), (("a.md", b"# a"), "a.md")):
                    with self.subTest(name):
                        self.assertEqual(client().files.create(file=given, purpose="user_data").filename, name)

    def test_lets_files_expire(self):
        expires_after = {"anchor": "created_at", "seconds": 3600}
        created = client().files.create(file=("a.txt", b"a"), purpose="user_data", expires_after=expires_after)
        self.assertEqual(created.expires_at, created.created_at + 3600)

    def test_lists_over_all_pages(self):
        ids = [client().files.create(file=(f"{n}.jsonl", LINES), purpose="batch").id for n in range(3)]
        listed = [file.id for file in client().files.list(purpose="batch", limit=2)]
        self.assertEqual(listed[:3], ids[::-1])

    def test_says_what_is_wrong(self):
        with self.assertRaises(openai.BadRequestError) as raised:
            client().files.create(file=("a.txt", b"a"), purpose="fine-tune")
        self.assertEqual((raised.exception.code, raised.exception.param), ("invalid_value", "purpose"))
        with self.assertRaises(openai.APIStatusError) as raised:
            client().files.create(file=("a.zip", b"PK\x03\x04\x14\x00"), purpose="user_data")
        self.assertEqual((raised.exception.status_code, raised.exception.code), (415, "unsupported_media_type"))


if __name__ == "__main__":
    unittest.main()
