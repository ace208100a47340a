import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { findDrift, migrate } from '../../../db/postgres/migrations.ts';
import { openOwnersOrm } from '../../../db/postgres/orm.ts';
import { makeDatabase, ownerUrlOf } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof makeDatabase>>;

beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

test('the migrations create exactly the tables of the entities', async () => {
  expect(await findDrift(ownerUrlOf(database.url))).toBe('');
});

test('a second migration changes nothing', async () => {
  expect(await migrate(ownerUrlOf(database.url))).toEqual([]);
});

test('a waiting batch in the earlier positional format is read by name after the migration', async () => {
  const owner = new Client({ connectionString: ownerUrlOf(database.url) });
  await owner.connect();
  const name = `${new URL(database.url).pathname.slice(1)}_before`;
  await owner.query(`create database ${name}`);
  const url = Object.assign(new URL(ownerUrlOf(database.url)), { pathname: `/${name}` }).href;
  const orm = await openOwnersOrm(url);
  await orm.migrator.up({ to: 'Migration20261123051307_settle_no_batches' });
  const lines = [
    'req_a\treq_b',
    'ws\tws',
    'acct\tacct',
    'key\tkey',
    'hold\thold',
    '9,0',
    '7,0',
    '/v1\t/v1',
    'm\tn',
    '200,500',
    'true,false',
  ];
  lines.push('{"input_tokens":1}\t{}', '8,0', '2026-11-23T08:00:00.000Z,2026-11-23T08:00:01.000Z', '3,NULL', '5,6', '10,0'); // prettier-ignore
  await orm.em.execute('insert into settlement_batches (id, process_id, settlements) values (?, ?, ?)', [
    'batch_before',
    'proc_before',
    lines.join('\n'),
  ]);
  await orm.close();
  await migrate(url);
  const after = new Client({ connectionString: url });
  await after.connect();
  const { rows } = await after.query(
    `select s.id, s.cost::int, s.charge::int, s.status, s.cancelled, s.usage, s.first, s.bytes
      from settlement_batches b, unnest(b.settlements::ledger_settlement[]) s`,
  );
  await after.end();
  await owner.query(`drop database ${name} with (force)`);
  await owner.end();
  const [one, other] = rows;
  expect(one).toEqual({ id: 'req_a', cost: 9, charge: 7, status: 200, cancelled: true, usage: { input_tokens: 1 }, first: 3, bytes: 10 }); // prettier-ignore
  expect(other).toEqual({ id: 'req_b', cost: 0, charge: 0, status: 500, cancelled: false, usage: {}, first: null, bytes: 0 }); // prettier-ignore
});
