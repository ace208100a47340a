import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, refuseLine } from '../../../base/commandLine.ts';
import { stopRemainingChildren } from '../../stack/process/child.ts';
import { openFilled } from './filled.ts';
import { measureGrowth } from './measure.ts';
import { growthTables } from './table.ts';

/**
 * `npm run bench:growth -- [--sizes 1000,100000] [--rounds 5] [--folder DIR] [--check]`: the cost of a call, a read and a sweep with this
 * many calls in the tables. `--folder` keeps the filled databases there for another run. `--check` also checks the ledger at each size.
 */
const USAGE = `Usage: npm run bench:growth -- [--sizes NUMBER,NUMBER] [--rounds NUMBER] [--folder DIR] [--check] [--only WORK]
  --sizes   calls in the tables: 1000,100000
  --rounds  measurements at each size
  --folder  keeps the filled databases there for another run
  --check   also checks the ledger at each size
  --only    this work alone`;
const values = readOptions(USAGE, {
  sizes: { type: 'string', default: '1000,10000,100000,1000000' },
  rounds: { type: 'string', default: '5' },
  folder: { type: 'string' },
  check: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
});
if (![...values.sizes.split(','), values.rounds].every((text) => /^[1-9]\d*$/.test(text)))
  refuseLine('--sizes and --rounds: must be whole numbers of at least 1', USAGE);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void abort());

const folder = values.folder ?? (await makeFolder());
const sizes = values.sizes.split(',').map(Number);
const server = await openFilled(folder, sizes, console.error);
try {
  const measured = await measureGrowth(server, {
    sizes,
    rounds: Number(values.rounds),
    check: values.check,
    only: values.only,
    print: console.error,
  });
  console.log(growthTables(sizes, measured));
} finally {
  await server.close();
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ledgerline-growth-'));
  await chmod(path, 0o755);
  return path;
}

async function abort(): Promise<void> {
  await stopRemainingChildren();
  process.exit(130);
}
