import json
import sys

from ledgerline import Ledgerline

with open("bill-keys.json") as file:
    keys = json.load(file)
with Ledgerline() as client:
    receipt = client.api.get_platform_receipts_request_id(sys.argv[1])
    client.receipts.verify(receipt, keys)
    for entry in receipt["entries"]:
        proven = json.loads(entry["leaf"])
        print(proven["kind"], proven["amount_nanos"], proven["consumed"])
