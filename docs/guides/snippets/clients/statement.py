import json

from ledgerline import Ledgerline

with open("bill-keys.json") as keys, open("statement.jsonl") as statement:
    print(Ledgerline().statements.verify(statement, json.load(keys)))
