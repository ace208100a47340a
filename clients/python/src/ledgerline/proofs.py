"""Receipts and verifiable statements, checked offline against the published keys. Signatures need the package `cryptography`."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .errors import LedgerlineError, ProofError

#: The content of /.well-known/ledgerline-bill-keys.json, or its list.
Keys = Mapping[str, Any] | Sequence[Mapping[str, Any]]
_State = tuple[int, str, str | None]
# What may follow each kind of row. A signed root must not vouch for rows above that no proof leads to.
_FOLLOWERS = {
    "begin": ["statement"],
    "statement": ["ledger.entry", "ledger.day", "ledger.root", "end"],
    "ledger.entry": ["ledger.entry", "ledger.day", "end"],
    "ledger.day": ["ledger.root"],
    "ledger.root": ["ledger.entry", "ledger.day", "ledger.root", "end"],
    "end": [],
}
# As the service writes them: hashes, 64 bytes in base64, and whole billionths of a US dollar.
_HEX, _SIGNATURE = re.compile("(?:[0-9a-f]{2})*"), re.compile("[A-Za-z0-9+/]{86}==")
_NANOS = re.compile("0|-?[1-9][0-9]*")


@dataclass(frozen=True)
class VerifiedStatement:
    """The last entry of a statement, and the last entry that a signed root covers, if there is one."""

    sequence: int
    balance_nanos: int
    hash: str | None
    signed_sequence: int | None


class Receipts:
    @staticmethod
    def verify(receipt: Mapping[str, Any], keys: Keys) -> list[dict[str, Any]]:
        """
        The entries that a receipt proves, as their signed leaves have them: rely on these, not on the receipt's other
        members. Raises `ProofError` when one is not in a tree whose root is signed.
        """
        by_id = _by_id(keys)
        with _malformed():
            _must(receipt.get("entries"), "the receipt has no entry yet")
            return [_check_receipt(entry, by_id) for entry in receipt["entries"]]


class Statements:
    @staticmethod
    def verify(lines: str | bytes | Iterable[str], keys: Keys) -> VerifiedStatement:
        """
        Adds a statement (`format=jsonl`) up again and checks each hash, proof and signature. Raises `ProofError` with
        the number of the first row that was changed, removed, doubled or moved.
        """
        text = lines.decode(errors="replace") if isinstance(lines, bytes) else lines
        # Other separators of lines, such as U+2028, are part of a row.
        rows = text.rstrip().split("\n") if isinstance(text, str) else text
        check, at = _Statement(_by_id(keys)), 0
        for at, line in enumerate(rows, 1):
            with _malformed(f"row {at}: "):
                check.read(line.rstrip("\n"))
        with _malformed(f"row {at}: "):
            check.end()
        return VerifiedStatement(check.last[0], int(check.last[1]), check.last[2], check.signed)


class _Statement:
    """The state of a statement while its rows are read."""

    def __init__(self, keys: dict[str, Any]) -> None:
        self.last: _State = (0, "0", None)
        self.signed: int | None = None
        self._keys = keys
        self._row: dict[str, Any] = {"object": "begin"}
        self._hashes: list[bytes] = []
        self._root: dict[str, Any] | None = None

    def read(self, line: str) -> None:
        before, self._row = self._row, json.loads(line)
        row, kind = self._row, self._row["object"]
        _must(kind in _FOLLOWERS[before["object"]], "rows are missing or moved")
        if kind == "statement":
            self.last = _state_of(_check_day(row["opening"], self._keys)) if row["opening"] else self.last
        elif kind == "ledger.entry":
            self.last = _check_entry(row, self.last)
            self._hashes.append(_leaf_hash(line))
        elif kind == "ledger.root":
            self._read_root(before, row)
        else:
            state = row if kind == "end" else json.loads(row["leaf"])
            _must(_state_of(state) == self.last, f"it states {_state_of(state)}; the rows above: {self.last}")
            if kind != "end":
                root = _root_of(self._hashes[-state["entries"] :] if state["entries"] else [])
                _must(root.hex() == state["entries_root"], "the rows above were changed")

    def end(self) -> None:
        _must(self._row["object"] == "end", "the end is missing")

    def _read_root(self, before: dict[str, Any], row: dict[str, Any]) -> None:
        if before["object"] == "ledger.day":
            _check_day({"day": before, "root": row}, self._keys)
        previous = json.loads(row["signed"])["previous"]
        _must(not self._root or previous == self._root["hash"], "it does not follow the root before")
        self._root, self.signed = _check_root(row, self._keys), self.last[0]


@contextmanager
def _malformed(place: str = "") -> Iterator[None]:
    try:
        yield
    except ProofError as error:
        raise ProofError(f"{place}{error}") from None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise ProofError(f"{place}it is malformed ({error!r})") from error


def _must(holds: object, why: str) -> None:
    if not holds:
        raise ProofError(why)


def _by_id(keys: Keys) -> dict[str, Any]:
    listed = keys["keys"] if isinstance(keys, Mapping) else keys
    return {key["kid"]: key for key in listed}


def _sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _unhex(text: str | None) -> bytes:
    _must(text is None or _HEX.fullmatch(text), "a hash is malformed")
    return bytes.fromhex(text or "")


# Trees as in RFC 6962.
def _leaf_hash(text: str) -> bytes:
    return _sha256(b"\0", text.encode())


def _root_of(row: list[bytes]) -> bytes:
    while len(row) > 1:
        pairs = [row[at : at + 2] for at in range(0, len(row), 2)]
        row = [_sha256(b"\1", *pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return row[0] if row else _sha256()


def _check_proof(placed: Mapping[str, Any], size: int, root: str) -> dict[str, Any]:
    index = placed["index"]
    _must(type(index) is int and 0 <= index < size, "a proof is malformed")
    node, at, proof = _leaf_hash(placed["leaf"]), placed["index"], [_unhex(one) for one in placed["proof"]]
    while size > 1:
        if at % 2 or at + 1 < size:
            _must(proof, "the proof does not lead to the root")
            other = proof.pop(0)
            node = _sha256(b"\1", other, node) if at % 2 else _sha256(b"\1", node, other)
        at, size = at // 2, (size + 1) // 2
    _must(not proof and node == _unhex(root), "the proof does not lead to the root")
    leaf: dict[str, Any] = json.loads(placed["leaf"])
    return leaf


def _check_root(row: Mapping[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    _must(_SIGNATURE.fullmatch(row["signature"]), "a signature is malformed")
    root, text = json.loads(row["signed"]), row["signed"].encode()
    key = keys.get(root["key_id"])
    _must(key and (key["valid_until"] or "9")[:10] > root["date"], f"no published key signed after {root['date']}")
    _check_signature(
        base64.urlsafe_b64decode(keys[root["key_id"]]["x"] + "="), text, base64.b64decode(row["signature"])
    )
    return {**root, "hash": _sha256(text).hex()}


def _check_signature(key: bytes, text: bytes, signature: bytes) -> None:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise LedgerlineError(
            "To check signatures install the package cryptography: pip install 'ledgerline[verify]'"
        ) from error
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
    except InvalidSignature:
        raise ProofError("the signature is wrong") from None


def _check_day(within: Mapping[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    _must(within["root"], "its day is not signed yet")
    root = _check_root(within["root"], keys)
    date = json.loads(within["day"]["leaf"])["date"]
    _must(date == root["date"], f"the root is that of another day, {root['date']}")
    return _check_proof(within["day"], root["workspaces"], root["root"])


def _check_receipt(entry: Mapping[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    last = _check_day(entry, keys)
    own, first = _check_proof(entry, last["entries"], last["entries_root"]), last["sequence"] - last["entries"] + 1
    is_in_place = (own["account"], own["sequence"]) == (last["account"], first + entry["index"])
    _must(is_in_place and own["hash"] == entry["entry"]["hash"], "it is another entry")
    return own


def _check_entry(row: Mapping[str, Any], before: _State) -> _State:
    _must(row["sequence"] == before[0] + 1, f"entry {before[0] + 1} should be here: a row is missing or moved")
    _must(all(_NANOS.fullmatch(row[name]) for name in ("amount_nanos", "balance_nanos")), "an amount is malformed")
    _must(
        int(before[1]) + int(row["amount_nanos"]) == int(row["balance_nanos"]),
        "the balance is not the sum of the amounts",
    )
    parts = [row[name] for name in ("sequence", "kind", "subject", "amount_nanos", "balance_nanos")]
    if row["hash_version"] != 1:
        parts = [row["leg"], *parts, row["key_id"] or ""]
    sealed = _sha256(_unhex(before[2]), _unhex(row["seal"]), "|".join(map(str, parts)).encode())
    _must(sealed.hex() == row["hash"], "the hash is wrong")
    return _state_of(row)


def _state_of(row: Mapping[str, Any]) -> _State:
    return row["sequence"], row["balance_nanos"], row["hash"]
