import { afterAll, describe, expect, test } from '@jest/globals';
import { removeRun, pruneRuns } from '../../../db/runs/removeRun.ts';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { addEvents, delta, finishTestRun, makeRun } from '../../support/run.ts';
import { textModel } from '../../support/startApi.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
afterAll(() => stage.close());

interface Explanation {
  lines: { unit: string; quantity: number; price_usd: number | null; per: string | null; cost_usd: number }[];
  rounding_usd: number;
  total_usd: number;
  entries: { id: string; kind: string }[];
  text: string;
}

const explain = (id: string, key?: string) =>
  getJson<Explanation & Record<string, unknown>>(`${stage.api.url}/platform/v1/explain/${id}`, key);

const picos = (usd: number) => Math.round(usd * 1e12);

/** The lines and the rounding sum to the total, to the last digit. */
function expectExact({ lines, rounding_usd, total_usd }: Explanation): void {
  expect(lines.reduce((sum, line) => sum + picos(line.cost_usd), picos(rounding_usd))).toBe(picos(total_usd));
}

describe('GET /platform/v1/explain/{id}', () => {
  test('returns each part of a call with its price, by any of its ids', async () => {
    const { secret } = await makeAccount(stage.db);
    const id = await stage.chat(secret);
    const { status, body } = await explain(id, secret);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'explanation',
      id,
      request: { id, response_id: id.replace('req_', 'chatcmpl-') },
      run: null,
      model: textModel,
      lines: [
        { unit: 'input_tokens', price_usd: 3e-7, per: 'token' },
        { unit: 'output_tokens', price_usd: 2.5e-6, per: 'token' },
      ],
      rounding_usd: 0,
      price_valid_from: expect.stringMatching(/Z$/),
      entries: [{ kind: 'debit', request_id: id }],
      text: expect.stringContaining('input tokens at 0.0000003 USD per token'),
    });
    for (const line of body.lines) expect(picos(line.cost_usd)).toBe(line.quantity * picos(line.price_usd!));
    expectExact(body);
    for (const other of [id.replace('req_', 'chatcmpl-'), body.entries[0]!.id])
      expect((await explain(other, secret)).body).toEqual({ ...body, id: other });
  });

  test('rounds once, and shows what was not charged', async () => {
    const { secret, keyId } = await makeAccount(stage.db);
    const id = await stage.chat(secret);
    await explain(id, secret);
    const price = `price_odd_${keyId}`;
    await stage.db.pool.query(
      `insert into model_prices (id, model, rates) values ($1, 'm', '{"input_tokens":"333","output_tokens":"1"}')`,
      [price],
    );
    await stage.db.pool.query(
      `update requests set price_id = $2, usage = '{"input_tokens":7,"output_tokens":1}', cost_nanos = 2 where id = $1`,
      [id, price],
    );
    const odd = (await explain(id, secret)).body;
    expect(odd).toMatchObject({ rounding_usd: -3.32e-10, total_usd: 2e-9 });
    expect(odd.lines).toHaveLength(2);
    expectExact(odd);
    await stage.db.pool.query('update requests set cost_nanos = 1, written_off_nanos = 1 where id = $1', [id]);
    const cut = (await explain(id, secret)).body;
    expect(cut.lines.at(-1)).toMatchObject({ unit: 'not_charged', cost_usd: -1e-9, price_usd: null });
    expectExact(cut);
  });

  test('explains a refunded call as zero, with both entries', async () => {
    const { secret } = await makeAccount(stage.db);
    const id = await stage.chat(secret);
    await explain(id, secret);
    await stage.db.pool.query('select ledger_refund($1, $2, 503)', [id, 'none']);
    const { body } = await explain(id, secret);
    expect(body).toMatchObject({ total_usd: 0, entries: [{ kind: 'debit' }, { kind: 'refund' }] });
    expect(body.lines.at(-1)).toMatchObject({ description: expect.stringContaining('Refunded') });
    expectExact(body);
    expect((await explain(body.entries[1]!.id, secret)).body.total_usd).toBe(0);
  });

  test('explains a run by its id, its entry and its events', async () => {
    const account = await makeAccount(stage.db);
    const run = await makeRun(stage.db, account);
    const event = await addEvents(stage.db, run.id, delta('Hello'));
    expect((await explain(run.id, account.secret)).body).toMatchObject({
      total_usd: 0,
      text: expect.stringContaining('not ended'),
    });
    await finishTestRun(stage.db, run, { subtotalNanos: 900n, networkFeeNanos: 90n });
    const { body } = await explain(run.id, account.secret);
    expect(body).toMatchObject({
      agent: 'test/agent',
      run: { id: run.id, status: 'completed', total_usd: 9.9e-7 },
      total_usd: 9.9e-7,
      lines: [
        { unit: 'tool_calls', cost_usd: 9e-7 },
        { unit: 'network_fee', cost_usd: 9e-8 },
      ],
      entries: [{ kind: 'debit', run_id: run.id }, { kind: 'earning' }],
    });
    expectExact(body);
    for (const other of [event, ...body.entries.map((entry) => entry.id)])
      expect((await explain(other, account.secret)).body).toEqual({ ...body, id: other });
  });

  test('explains a run whose content was deleted, by its owner or after its retention, as before', async () => {
    const account = await makeAccount(stage.db);
    for (const forget of [
      (id: string) => removeRun(stage.db.write(account.workspaceId), id),
      async (id: string) => {
        await stage.db.pool.query(`update runs set settled_at = now() - interval '31 days' where id = $1`, [id]);
        await pruneRuns(stage.db.everywhere);
      },
    ]) {
      const run = await makeRun(stage.db, account);
      await finishTestRun(stage.db, run, { subtotalNanos: 900n, networkFeeNanos: 90n });
      const before = (await explain(run.id, account.secret)).body;
      expect(before.lines).toHaveLength(2);
      await forget(run.id);
      for (const id of [run.id, ...before.entries.map((entry) => entry.id)]) {
        const { status, body } = await explain(id, account.secret);
        expect({ status, lines: body.lines, total: body.total_usd, entries: body.entries }).toEqual({
          status: 200,
          lines: before.lines,
          total: before.total_usd,
          entries: before.entries,
        });
      }
    }
  });

  test('explains a failed run as free, and a payment by its amount', async () => {
    const account = await makeAccount(stage.db, { creditUsd: '10' });
    const run = await makeRun(stage.db, account);
    await finishTestRun(stage.db, run, { status: 'failed', absorbedNanos: 70n });
    const { body } = await explain(run.id, account.secret);
    expect(body).toMatchObject({ total_usd: 0, run: { absorbed_usd: 7e-8 }, entries: [{ kind: 'absorbed' }] });
    expect((await explain(body.entries[0]!.id, account.secret)).body.total_usd).toBe(0);
    const ledger = await getJson<{ data: { id: string; kind: string }[] }>(
      `${stage.api.url}/platform/v1/billing/ledger?kind=topup`,
      account.secret,
    );
    const topup = (await explain(ledger.body.data[0]!.id, account.secret)).body;
    expect(topup).toMatchObject({ total_usd: -10, lines: [{ unit: 'topup' }], entries: [{ kind: 'topup' }] });
    expectExact(topup);
  });

  test('answers 404 for ids of another workspace, as for unknown ids, of every kind', async () => {
    const [ours, theirs] = [await makeAccount(stage.db), await makeAccount(stage.db)];
    const requestId = await stage.chat(theirs.secret);
    const run = await makeRun(stage.db, theirs);
    const event = await addEvents(stage.db, run.id, delta('Hello'));
    await finishTestRun(stage.db, run, { subtotalNanos: 900n });
    const { entries } = (await explain(run.id, theirs.secret)).body;
    const ids = [requestId, requestId.replace('req_', 'chatcmpl-'), run.id, event, ...entries.map(({ id }) => id)];
    for (const id of ids) {
      const unknown = id.replace(/^(\w+?[-_])..../, '$1zzzz');
      const [foreign, none] = [await explain(id, ours.secret), await explain(unknown, ours.secret)];
      expect({ id, status: foreign.status }).toEqual({ id, status: 404 });
      expect(JSON.stringify(foreign.body).replace(id, unknown)).toBe(JSON.stringify(none.body));
    }
  });

  test.each(['1', 'req_', 'foo_1', 'evt_%00', 'le_', `run_${'a'.repeat(101)}`])(
    'answers 422 for the malformed id %s',
    async (id) => {
      const { secret } = await makeAccount(stage.db);
      const { status, body } = await explain(id, secret);
      expect(status).toBe(422);
      expect(body).toMatchObject({ error: { code: 'validation_error', param: 'explained_id' } });
    },
  );
});
