import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '../../db/postgres/migrations.ts';
import { startPostgres } from '../../ops/stack/postgres.ts';

// A server of its own: logical decoding is a setting of its start.
const folder = await mkdtemp(join(tmpdir(), 'ledgerline-olap-'));
await chmod(folder, 0o755);
const settings = { wal_level: 'logical', fsync: 'off' };
const postgres = await startPostgres({ dataDir: folder, settings, log: () => {} });
await migrate(postgres.url, postgres.applicationUrl);
const owner = new Client({ connectionString: postgres.url });
await owner.connect();
afterAll(async () => {
  await owner.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the publication of the page gives calls of all months under the name of their table, and no other table', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/operate/archive.md'), 'utf8');
  const sql = /```sql\n(create publication[^`]+)```/.exec(page)![1]!;
  await owner.query(sql);
  await owner.query(`select pg_create_logical_replication_slot('olap', 'pgoutput')`);
  await owner.query(`insert into requests (id, workspace_id, key_id, route, model, product, status, cancelled, usage, cost_nanos, written_off_nanos,
    hold_nanos, started_at, duration_ms, stream_bytes) values ('req_' || ledger_month_code(now()) || 'published', 'ws_1', 'key_1', '/v1', 'm', 'text',
    200, false, '{}', 7, 0, 0, now(), 1, 0)`);
  const { rows } = await owner.query<{ data: Buffer }>(
    `select data from pg_logical_slot_get_binary_changes('olap', null, null, 'proto_version', '1', 'publication_names', 'ledgerline_olap')`,
  );
  const messages = rows.map(({ data }) => ({
    kind: String.fromCharCode(data[0]!),
    relation: data.readUInt32BE(1),
    data,
  }));
  const relations = messages.filter(({ kind }) => kind === 'R');
  const nameOf = new Map(
    relations.map(({ relation, data }) => [relation, /public\0(\w+)\0/.exec(data.toString('latin1'))![1]]),
  );
  const inserts = messages.filter(({ kind }) => kind === 'I');
  expect(inserts.map(({ relation, data }) => [nameOf.get(relation), data.includes('published')])).toEqual([
    ['requests', true],
  ]);
  const { rows: published } = await owner.query<{ name: string }>(
    `select tablename as name from pg_publication_tables where pubname = 'ledgerline_olap' order by 1`,
  );
  expect(published.map(({ name }) => name)).toEqual(['ledger_legs', 'model_prices', 'requests', 'usage_hours']);
});
