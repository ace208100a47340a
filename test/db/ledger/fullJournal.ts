import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDeliveryJournal, readJournal } from '../../../db/ledger/deliveryJournal.ts';

/** A process whose files may have only some bytes, as on a full disk. It prints what became of its journal. */
const [folder] = process.argv.slice(2);
const errors = new Set<string>();
const journal = createDeliveryJournal({
  folder: folder!,
  processId: () => 'proc_a',
  onError: (error) => errors.add((error as NodeJS.ErrnoException).code ?? 'cut'),
});
// What a sweep would refund if the process were killed at the worst moment.
const refunded = new Set<string>();
for (let id = 0; id < 400; id += 1) {
  journal.begin([{ id: `req_${id}`, hold: `hold_${id}` }], id);
  journal.end([`req_${id}`]);
  for (const name of readdirSync(folder!)) {
    for (const unsent of readJournal(readFileSync(join(folder!, name), 'utf8')).unsent) refunded.add(unsent.id);
  }
}
process.stdout.write(JSON.stringify({ errors: [...errors], refunded: [...refunded], left: journal.close() }));
