import { afterAll, expect, test } from '@jest/globals';
import { migrate } from '../../../db/postgres/migrations.ts';
import { openOwnersOrm } from '../../../db/postgres/orm.ts';
import { makeDatabase, ownerUrlOf, withClient } from '../../support/database.ts';
import { migrateAsBefore, withEmptyDatabase } from './beforeBaseline.ts';

const database = await makeDatabase();
afterAll(() => database.drop());

test('the migrations create exactly the tables of the entities', async () => {
  const orm = await openOwnersOrm(ownerUrlOf(database.url));
  try {
    // The statements that would make the tables equal to the entities.
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  } finally {
    await orm.close();
  }
});

test('a second migration changes nothing', async () => {
  expect(await migrate(ownerUrlOf(database.url))).toEqual([]);
});

test('a waiting batch in the earlier positional format is read by name after the migration', async () => {
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
  const insert = 'insert into settlement_batches (id, process_id, settlements) values ($1, $2, $3)';
  const values = ['batch_before', 'proc_before', lines.join('\n')];
  const [one, other] = await withEmptyDatabase(database.url, async (url) => {
    await withClient(url, (client) =>
      migrateAsBefore(client, {
        after: 'Migration20261123051307_settle_no_batches',
        work: () => client.query(insert, values),
      }),
    );
    await migrate(url);
    const { rows } = await withClient(url, (client) =>
      client.query(
        `select s.id, s.cost::int, s.charge::int, s.status, s.cancelled, s.usage, s.first, s.bytes
          from settlement_batches b, unnest(b.settlements::ledger_settlement[]) s`,
      ),
    );
    return rows;
  });
  expect(one).toEqual({ id: 'req_a', cost: 9, charge: 7, status: 200, cancelled: true, usage: { input_tokens: 1 }, first: 3, bytes: 10 }); // prettier-ignore
  expect(other).toEqual({ id: 'req_b', cost: 0, charge: 0, status: 500, cancelled: false, usage: {}, first: null, bytes: 0 }); // prettier-ignore
});
