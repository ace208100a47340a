import { readFile } from 'node:fs/promises';
import { Ledgerline } from 'ledgerline';

const client = new Ledgerline();
const keys = JSON.parse(await readFile('bill-keys.json', 'utf8'));
const { data: receipt } = await client.api.GET('/platform/v1/receipts/{request_id}', {
  params: { path: { request_id: process.argv[2] } },
});
for (const entry of await client.receipts.verify(receipt, keys)) {
  console.log(entry.kind, entry.amount_nanos, entry.consumed);
}
