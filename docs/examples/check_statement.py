"""Checks a verifiable statement, or a receipt, offline: python3 check_statement.py bill-keys.json statement.jsonl"""
import base64, hashlib, json, re, sys
def sha256(*parts): return hashlib.sha256(b"".join(parts)).digest()
def unhex(text): return bytes.fromhex(text or "")
def must(holds, why):
    if not holds: raise ValueError(why)
# Ed25519 (RFC 8032), which Python's library does not have.
P, Q, D = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493, -121665 * pow(121666, -1, 2**255 - 19)
def add(a, b):
    x, y, xy = a[0] * b[1] + a[1] * b[0], a[1] * b[1] + a[0] * b[0], D * a[0] * b[0] * a[1] * b[1]
    return x * pow(1 + xy, -1, P) % P, y * pow(1 - xy, -1, P) % P
def times(n, point): return add(times(n // 2, add(point, point)), point if n % 2 else (0, 1)) if n else (0, 1)
def point_of(data):
    y = int.from_bytes(data, "little") & 2**255 - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = next((x for x in (pow(square, (P + 3) // 8, P) * i % P for i in (1, pow(2, (P - 1) // 4, P))) if (x * x - square) % P == 0), 0)
    must((x * x - square) % P == 0, "the key or the signature is no point of the curve")
    return (P - x if x % 2 != data[31] >> 7 else x), y
def is_signed(key, text, signature):
    s, digest = int.from_bytes(signature[32:], "little"), hashlib.sha512(signature[:32] + key + text).digest()
    right = add(point_of(signature[:32]), times(int.from_bytes(digest, "little") % Q, point_of(key)))
    return len(signature) == 64 and s < Q and times(s, point_of(b"\x58" + 31 * b"\x66")) == right
def leaf_hash(text): return sha256(b"\0", text.encode())  # of a Merkle tree as in RFC 6962
def root_of(row):
    pairs = [row[at:at + 2] for at in range(0, len(row), 2)]
    return root_of([sha256(b"\1", *two) if two[1:] else two[0] for two in pairs]) if row[1:] else (row or [sha256()])[0]
def check_proof(placed, size, root):
    node, at, proof = leaf_hash(placed["leaf"]), placed["index"], [unhex(one) for one in placed["proof"]]
    while size > 1:
        if at % 2 or at + 1 < size: node = sha256(b"\1", proof.pop(0), node) if at % 2 else sha256(b"\1", node, proof.pop(0))
        at, size = at // 2, (size + 1) // 2
    must(not proof and node == unhex(root), "the proof does not lead to the root")
    return json.loads(placed["leaf"])
def check_root(row, keys):
    root, text = json.loads(row["signed"]), row["signed"].encode()
    key = {key["kid"]: key for key in keys}.get(root["key_id"])
    must(key and (key["valid_until"] or "9")[:10] > root["date"], f"no published key signed after {root['date']}")
    must(is_signed(base64.urlsafe_b64decode(key["x"] + "="), text, base64.b64decode(row["signature"])), "the signature is wrong")
    return {**root, "hash": sha256(text).hex()}
def check_day(within, keys):
    must(within["root"], "its day is not signed yet")
    root = check_root(within["root"], keys)
    must(json.loads(within["day"]["leaf"])["date"] == root["date"], f"the root is that of another day, {root['date']}")
    return check_proof(within["day"], root["workspaces"], root["root"])
def check_receipt(entry, keys):
    last = check_day(entry, keys)
    own, first = check_proof(entry, last["entries"], last["entries_root"]), last["sequence"] - last["entries"] + 1
    must((own["account"], own["sequence"]) == (last["account"], first + entry["index"]), "it is another entry")
def check_entry(row, before):
    must(row["sequence"] == before[0] + 1, f"entry {before[0] + 1} should be here: a row is missing or moved")
    must(int(before[1]) + int(row["amount_nanos"]) == int(row["balance_nanos"]), "the balance is not the sum of the amounts")
    parts = [row[name] for name in ("sequence", "kind", "subject", "amount_nanos", "balance_nanos")]
    text = "|".join(map(str, parts if row["hash_version"] == 1 else [row["leg"], *parts, row["key_id"] or ""]))
    must(sha256(unhex(before[2]), unhex(row["seal"]), text.encode()).hex() == row["hash"], "the hash is wrong")
    return state_of(row)
def state_of(row): return row["sequence"], row["balance_nanos"], row["hash"]
def check_bill(lines, keys):
    row, last, root, hashes, signed = {"object": "begin"}, (0, "0", None), None, [], None
    for line in lines:
        before, row = row, json.loads(line)
        kind, order = row["object"], before["object"] + " " + row["object"]
        must(not re.match("end|.*day (?!ledger.root)|.*entry ledger.root", order), "rows are missing or moved")
        if kind == "receipt": [check_receipt(one, keys) for one in row["entries"]]
        elif kind == "statement": last = state_of(check_day(row["opening"], keys)) if row["opening"] else last
        elif kind == "ledger.entry": last, _ = check_entry(row, last), hashes.append(leaf_hash(line.rstrip("\n")))
        elif kind == "ledger.root":
            if "leaf" in before: check_day({"day": before, "root": row}, keys)
            must(not root or json.loads(row["signed"])["previous"] == root["hash"], "it does not follow the root before")
            root, signed = check_root(row, keys), last[0]
        else:
            state = json.loads(row["leaf"]) if kind == "ledger.day" else row
            must(state_of(state) == last, f"it states {state_of(state)}; the rows above: {last}")
            must(kind == "end" or root_of(hashes[-state["entries"]:]).hex() == state["entries_root"], "the rows above were changed")
        yield
    must(row["object"] in ("end", "receipt"), "the end is missing")
    print("OK: the receipt" if row["object"] == "receipt" else f"OK: entry, balance, hash: {last}; signed: {signed}")
rows, row = check_bill(open(sys.argv[2]), json.load(open(sys.argv[1]))["keys"]), 1
try:
    for row, _ in enumerate(rows, 2): pass
except Exception as error: sys.exit(f"row {row}: {error}")
