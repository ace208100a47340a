"""Verifies a statement: verify_statement.py bill-keys.json statement.jsonl"""

import json
import sys

from ledgerline import Ledgerline, ProofError

with open(sys.argv[1]) as keys, open(sys.argv[2]) as statement:
    try:
        print(Ledgerline().statements.verify(statement, json.load(keys)))
    except ProofError as error:
        sys.exit(str(error))
