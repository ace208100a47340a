"""Verifies statements, and prints a line for each: verify_statement.py bill-keys.json statement.jsonl [more pairs]"""

import sys
from json import load

from ledgerline import Ledgerline, ProofError

statements = Ledgerline().statements
for keys_file, statement_file in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(keys_file) as keys, open(statement_file) as statement:
        try:
            print("valid:", statements.verify(statement, load(keys)))
        except ProofError as error:
            print("refused:", error)
