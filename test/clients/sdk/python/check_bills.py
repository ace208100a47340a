"""Verifies receipts and a statement, and each of them with one change."""

import hashlib
import json
import os

from ledgerline import Ledgerline, ProofError

WAYS = {"amount_nanos", "balance_nanos", "hash", "seal", "subject", "signature", "signed", "leaf"}


def changes_of(rows):
    """The statement with one row missing, doubled, moved, or with another digit in a field."""
    for at in range(1, len(rows)):
        yield f"row {at} removed", rows[:at] + rows[at + 1 :]
        yield f"row {at} doubled", rows[: at + 1] + rows[at:]
        if rows[at] != rows[-1]:
            yield f"row {at} moved", rows[:at] + [rows[at + 1], rows[at]] + rows[at + 2 :]
        row = json.loads(rows[at])
        if row["object"] == "ledger.day":
            state = json.loads(rows[at - 1])
            empty = {"entries": 0, "entries_root": hashlib.sha256().hexdigest()}
            for kind in ("ledger.day", "note", "statement", "receipt"):
                forged = json.dumps({**state, **empty, "object": kind, "opening": None})
                yield f"row {at} as a {kind} without a proof", rows[:at] + [forged] + rows[at + 1 :]
        if "signature" in row:
            odd = json.dumps({**row, "signature": row["signature"] + "*"})
            yield f"row {at} with an odd signature", rows[:at] + [odd] + rows[at + 1 :]
        for name in WAYS & row.keys():
            yield (
                f"row {at} with another {name}",
                rows[:at] + [json.dumps({**row, name: other(row[name])})] + rows[at + 1 :],
            )


def other(value):
    text = str(value)
    return ("1" if text[0] != "1" else "2") + text[1:]


def is_refused(check):
    try:
        check()
    except ProofError as error:
        return str(error)
    return None


with Ledgerline() as client:
    keys = client.api.get_well_known_ledgerline_bill_keys_json()
    for request_id in json.loads(os.environ["REQUESTS"]):
        receipt = client.api.get_platform_receipts_request_id(request_id)
        entry = receipt["entries"][0]
        assert [one["hash"] for one in client.receipts.verify(receipt, keys)] == [entry["entry"]["hash"]]
        shown = {**entry, "entry": {**entry["entry"], "hash": other(entry["entry"]["hash"])}}
        assert is_refused(lambda: client.receipts.verify({**receipt, "entries": [shown]}, keys))
        assert is_refused(lambda: client.receipts.verify({**receipt, "entries": [{}]}, keys))
        forged = {**receipt, "entries": [{**entry, "leaf": entry["leaf"].replace('"amount', '"Amount')}]}
        assert is_refused(lambda: client.receipts.verify(forged, keys))
        assert is_refused(lambda: client.receipts.verify({**receipt, "entries": []}, keys))
    statement = client.api.get_platform_billing_statement_as(format="jsonl").decode()
    verified = client.statements.verify(statement, keys)
    missed = [
        name
        for name, rows in changes_of(statement.splitlines())
        if not is_refused(lambda: client.statements.verify(rows, keys))
    ]
    alien = is_refused(lambda: client.statements.verify(statement, []))

print(json.dumps({"sequence": verified.sequence, "signed": verified.signed_sequence, "missed": missed, "alien": alien}))
