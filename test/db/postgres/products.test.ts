import { afterAll, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { batchText, type Settlement } from '../../../db/ledger/settlement.ts';
import { migrate } from '../../../db/postgres/migrations.ts';
import { openPool } from '../../../db/postgres/pool.ts';
import { makeDatabase, ownerUrlOf, withClient } from '../../support/database.ts';
import { makeBill } from '../../support/ledger.ts';
import { lateSettlement } from '../ledger/lateSettlement.ts';
import { migrateAsBefore, withEmptyDatabase } from './beforeBaseline.ts';

/** The products that reports showed before each call recorded its product, by route. */
const PRODUCTS = {
  '/v1/chat/completions': 'text',
  '/v1/embeddings': 'embeddings',
  '/textapi/v1/batches/embeddings': 'batch',
  '/v1/audio/speech': 'speech',
  '/voiceapi/v1/text-to-speech/:voice_id/stream-input': 'speech',
  '/voiceapi/v1/speech-to-text': 'transcription',
  '/voiceapi/v1/speech-to-speech/:voice_id': 'voice_conversion',
  '/v1/realtime': 'realtime',
};

const database = await makeDatabase();
afterAll(() => database.drop());

const spender = { workspaceId: 'ws_1', accountId: 'acct_1', keyId: 'key_1' };

/** A settlement of one nano-dollar with a product of the present release. */
const settlementOf = (id: string, route: string, more: Partial<Settlement> = {}): Settlement => ({
  ...lateSettlement({ ...makeBill(spender, { costNanos: 1n, requestId: id }), route }, { hold: 'hold_1', cost: 1n, charge: 1n }), // prettier-ignore
  ...more,
});

/** The same in the form of an earlier release. */
const textOfEarlier = (item: Settlement) => batchText([item]).replace(`,${item.product})"`, ')"');
const jsonOfEarlier = ({ product: _product, ...item }: Settlement) => JSON.stringify(item);

const PREPARE = `
insert into workspaces (id, name) values ('ws_1', 'of before');
insert into accounts (id, workspace_id, kind) values ('acct_1', 'ws_1', 'customer');
insert into api_keys (id, workspace_id, account_id, name, hash, prefix, scopes) values ('key_1', 'ws_1', 'acct_1', 'key', '', '', '{llm}');
insert into processes (id, lease_until) values ('proc_1', now() + interval '1 hour');
select ledger_post('topup', 'pi_1', 'ws_1', 'payments', 1000000);
select ledger_hold('hold_1', 'proc_1', 'key_1', 'slice', 1000, 1);
insert into usage_hours (workspace_id, hour, key_id, model, route, price_id, requests, errors, cost_nanos, units)
  values ('ws_1', '2026-11-01', 'key_1', 'm', '/v1/audio/speech', '', 1, 0, 5, '{}')`;

const WRITE_EARLIER = `insert into settlement_batches (id, process_id, settlements) values ($1, 'proc_1', $2)`;
const WRITE = `insert into settlement_batches (id, process_id, settlements, has_product) values ($1, 'proc_1', $2, true)`;

async function fillBefore(client: Client): Promise<void> {
  await migrateAsBefore(client);
  await client.query(PREPARE);
  for (const [at, route] of Object.keys(PRODUCTS).entries()) {
    const item = jsonOfEarlier(settlementOf(`req_${at}`, route));
    await client.query(`select ledger_settle_again(array[json_populate_record(null::ledger_settlement, $1)], '{}')`, [item]); // prettier-ignore
  }
  await client.query(WRITE_EARLIER, ['batch_waiting', textOfEarlier(settlementOf('req_waiting', '/v1/audio/speech'))]);
  const stream = jsonOfEarlier(settlementOf('req_stream', '/v1/realtime'));
  await client.query(`insert into request_progress (request_id, process_id, settlement) values ('req_stream', 'proc_1', $1)`, [stream]); // prettier-ignore
}

async function productsOf(client: Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ id: string; product: string }>('select id, product from requests');
  return Object.fromEntries(rows.map(({ id, product }) => [id, product]));
}

test('an upgrade gives earlier calls their product, also those that wait or run during it, and bills each once', async () => {
  await withEmptyDatabase(database.url, async (url) => {
    await withClient(url, async (client) => {
      await fillBefore(client);
      await migrate(url);
      const before = Object.fromEntries(Object.values(PRODUCTS).map((product, at) => [`req_${at}`, product]));
      expect(await productsOf(client)).toEqual(before);
      expect((await client.query('select product from usage_hours')).rows).toEqual([{ product: 'speech' }]);
      // A process of the earlier release is still running.
      await client.query(WRITE_EARLIER, ['batch_late', textOfEarlier(settlementOf('req_late', '/v1/embeddings', { model: 'a "(b)" (c)' }))]); // prettier-ignore
      const route = '/voiceapi/v1/voice-changer/:voice_id';
      await client.query(WRITE, ['batch_new', batchText([settlementOf('req_new', route, { product: 'voice_conversion' })])]); // prettier-ignore
      await client.query(`select ledger_settle_batches(array['batch_waiting', 'batch_late', 'batch_new'], null)`);
      await client.query(`update processes set lease_until = now() - interval '1 minute' where id = 'proc_1'`);
      await client.query('select ledger_reap()');
      const after = {
        req_waiting: 'speech',
        req_late: 'embeddings',
        req_new: 'voice_conversion',
        req_stream: 'realtime',
      };
      expect(await productsOf(client)).toEqual({ ...before, ...after });
      expect((await client.query(`select model from requests where id = 'req_late'`)).rows).toEqual([{ model: 'a "(b)" (c)' }]); // prettier-ignore
      const { rows } = await client.query<{ balance: string }>(`select posted_nanos as balance from accounts where id = 'acct_1'`); // prettier-ignore
      expect(rows).toEqual([{ balance: `${1_000_000 - Object.keys({ ...before, ...after }).length}` }]);
    });
    // Its connections may still be closing when the database is dropped.
    const pool = openPool({ url, max: 2, settings: undefined, onError: () => {} });
    expect((await checkInvariants(pool)).violations).toEqual([]);
    await pool.end();
  });
});

test('no call has another product', async () => {
  await withClient(ownerUrlOf(database.url), async (client) => {
    const insert = `insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos,
      hold_nanos, started_at, duration_ms, stream_bytes, product) values ('req', 'ws', 'key', '/v1', 'm', 200, false, '{}', 0, 0, 0, now(), 1, 0, $1)`;
    await client.query(insert, ['text']);
    await expect(client.query(insert, ['images'])).rejects.toMatchObject({ constraint: 'requests_product_check' });
  });
});
