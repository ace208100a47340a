import { afterAll, expect, test } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledDiskDir, databaseGauges } from '../../worker/databaseMetrics.ts';
import { paymentGauges } from '../../worker/paymentMetrics.ts';
import type { ReadGauge } from '../../base/telemetry/metrics.ts';
import { setTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { withOwner } from '../support/pastCalls.ts';

const [db, folder] = await Promise.all([setTestDatabase(), makeFolder()]);
afterAll(async () => {
  await Promise.all([db.close(), folder.remove()]);
});

/** The values of gauges by their name and label. */
async function read(gauges: ReadGauge[]): Promise<Record<string, number>> {
  const entries = gauges.map(async ({ name, read: readOne }) =>
    (await readOne()).map(({ labels, value }) => [[name, ...Object.values(labels ?? {})].join(' '), value] as const),
  );
  return Object.fromEntries((await Promise.all(entries)).flat());
}

test('a login without privileges reads the size', async () => {
  const values = await read(databaseGauges(db.everywhere, undefined));
  expect(values).toEqual({ ledgerline_database_bytes: expect.any(Number) });
  expect(values.ledgerline_database_bytes).toBeGreaterThan(1_000_000);
});

test('the disk is known where a folder of it is seen: of the bundled database while it runs here', async () => {
  expect(bundledDiskDir(folder.path)).toBeUndefined();
  const cluster = join(folder.path, 'postgres', 'cluster');
  await mkdir(cluster, { recursive: true });
  await writeFile(join(cluster, 'postmaster.pid'), '1');
  expect(bundledDiskDir(folder.path)).toBe(cluster);
  const values = await read(databaseGauges(db.everywhere, cluster));
  const [size, free] = ['size', 'free'].map((kind) => values[`ledgerline_database_disk_bytes ${kind}`]!);
  expect(free).toBeGreaterThan(0);
  expect(size).toBeGreaterThan(free!);
});

test('payments that were not credited count for a day, and payouts until they are sent', async () => {
  await withOwner(db.url, async (owner) => {
    await owner.query(`insert into payment_events (id, type, outcome, livemode, received_at) values
      ('evt_1', 't', 'unknown', true, now()), ('evt_2', 't', 'mismatch', true, now() - interval '23 hours'),
      ('evt_3', 't', 'unknown', true, now() - interval '25 hours'), ('evt_4', 't', 'credited', true, now())`);
    await owner.query(`insert into payouts (id, workspace_id, amount_nanos, destination, status, requested_by, requester, created_at)
      values ('payout_1', 'ws_1', 1, 'transfer', 'requested', 'u', 'Ada', now() - interval '2 hours'),
        ('payout_2', 'ws_1', 1, 'balance', 'paid', 'u', 'Ada', now() - interval '9 hours')`);
  });
  const { ledgerline_payout_age_seconds: ageSeconds, ...counts } = await read(paymentGauges(db));
  expect(counts).toEqual({ ledgerline_uncredited_payments: 2, ledgerline_payouts_waiting: 1 });
  expect(Math.floor(ageSeconds! / 3600)).toBe(2);
});
