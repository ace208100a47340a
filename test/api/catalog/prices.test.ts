import { afterAll, describe, expect, test } from '@jest/globals';
import { codeOf, told } from '../../support/guardStage.ts';
import { getJson, read } from '../../support/http.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { at, setCatalogStage, type PriceBody } from './catalogStage.ts';

const stage = await setCatalogStage();
afterAll(() => stage.close());

const usd = { input_tokens: 1, output_tokens: 2 };
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const ask = (body: object) => stage.call(`${at}/prices`, { body: { model: textModel, ...body } });
const isHeld = (id: string) => until(async () => (await stage.model()).price!.id === id);

describe('a proposed price', () => {
  test.each([
    [{ usd_per_million: usd, holds_from: inHours(-1) }, 'holds_from'],
    [{ usd_per_million: { input_tokens: 1 } }, 'usd_per_million.output_tokens'],
    [{ usd_per_million: { ...usd, audio_minutes: 1 } }, 'usd_per_million.audio_minutes'],
    [{ usd_per_million: { ...usd, input_tokens: -1 } }, 'usd_per_million.input_tokens'],
    [{ usd_per_million: { ...usd, input_tokens: 0.000_000_1 } }, 'usd_per_million.input_tokens'],
    [{ usd_per_million: usd, from_file: true }, 'from_file'],
    [{ from_file: true, holds_from: inHours(1) }, 'holds_from'],
    [{}, 'usd_per_million'],
    [{ usd_per_million: usd, batch_percentage: 0 }, 'batch_percentage'],
    [{ usd_per_million: usd, valid_from: inHours(1) }, 'valid_from'],
  ])('of %j is refused', async (body, param) => {
    const answer = await ask(body);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { param } });
  });

  test('of an unknown model is refused', async () => {
    expect((await ask({ model: 'none', usd_per_million: usd })).status).toBe(404);
  });

  test('is withdrawn by its proposer and rejected by others, and counts in neither case', async () => {
    const before = (await stage.model()).price!.id;
    const [one, other] = [await stage.propose(usd), await stage.propose(usd)];
    expect((await stage.model()).pending_prices).toBe(2);
    expect(await codeOf(await stage.decide(one.id, 'withdraw', stage.ben))).toBe('not_proposer');
    expect(await read(stage.decide(one.id, 'withdraw', stage.ada))).toMatchObject({ status: 'withdrawn' });
    expect(await read(stage.decide(other.id, 'reject'))).toMatchObject({ status: 'rejected', valid_from: null });
    for (const { id } of [one, other]) expect(await codeOf(await stage.decide(id, 'approve'))).toBe('price_decided');
    expect(await stage.model()).toMatchObject({ pending_prices: 0, price: { id: before }, next_price: null });
    const audit = await getJson<{ data: { action: string; by: string }[] }>(
      `${stage.api.url}/console/v1/audit?subject=${other.id}`,
      stage.ada.secret,
    );
    expect(audit.body.data.map(({ action, by }) => `${action} ${by}`)).toEqual([
      'reject_price Ben',
      'propose_price Ada',
    ]);
  });

  test('is the same when it is sent again with its Idempotency-Key', async () => {
    const send = () =>
      fetch(`${stage.api.url}${at}/prices`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stage.ada.secret}`,
          'content-type': 'application/json',
          'idempotency-key': 'price-once',
        },
        body: JSON.stringify({ model: textModel, usd_per_million: usd }),
      });
    const [first, again] = [await read<PriceBody>(send(), 201), await read<PriceBody>(send(), 201)];
    expect(again).toEqual(first);
    await read(stage.decide(first.id, 'withdraw', stage.ada));
  });

  test('cannot be approved by its proposer in the database either, nor changed once decided', async () => {
    const { id } = await stage.propose(usd);
    const approve = `update catalog_prices set status = 'approved', decided_by = $2, decided_at = now(), valid_from = now() where id = $1`;
    await expect(stage.asOwner(approve, [id, 'user_ada'])).rejects.toThrow('catalog_prices_second_person_check');
    await expect(stage.asOwner(approve, [id, null])).rejects.toThrow('catalog_prices_second_person_check');
    const backwards = approve.replace('valid_from = now()', `valid_from = now() - interval '1 second'`);
    await expect(stage.asOwner(backwards, [id, 'user_ben'])).rejects.toThrow('catalog_prices_second_person_check');
    await read(stage.decide(id, 'reject'));
    await expect(stage.asOwner(approve, [id, 'user_ben'])).rejects.toThrow(`the price ${id} is decided`);
    for (const change of [
      `update catalog_prices set rates = '{}' where id = $1`,
      `update catalog_prices set model = 'x' where id = $1`,
      'delete from catalog_prices where id = $1',
    ])
      await expect(stage.db.pool.query(change, [id])).rejects.toThrow('permission denied');
  });
});

describe('an approved price', () => {
  /** A price from an instant that has not passed when it is asked for, however busy the machine is. */
  async function proposeSoon() {
    for (let ms = 300; ; ms *= 2) {
      const soon = new Date(Date.now() + ms).toISOString();
      const answer = await ask({ usd_per_million: usd, holds_from: soon });
      if (answer.status === 201) return { ...((await answer.json()) as PriceBody), soon };
      expect(await answer.text()).toContain('holds_from: This has passed');
    }
  }

  test('holds from the instant that was asked for, and is shown until then', async () => {
    const holdsFrom = inHours(48);
    const { id } = await stage.propose({ input_tokens: 5, output_tokens: 6 }, { holds_from: holdsFrom });
    expect(await read(stage.decide(id, 'approve'))).toMatchObject({ valid_from: holdsFrom });
    expect(await stage.model()).toMatchObject({ next_price: { id, valid_from: holdsFrom } });
    expect((await stage.model()).price!.id).not.toBe(id);
  });

  test('holds from its approval where that is later than asked, never backwards', async () => {
    const { id, soon } = await proposeSoon();
    await until(async () => Date.now() > Date.parse(soon));
    const decided = await read<PriceBody & { decided_at: string }>(stage.decide(id, 'approve'));
    expect(Date.parse(decided.valid_from!)).toBeGreaterThanOrEqual(Date.parse(decided.decided_at));
    await isHeld(id);
  });

  test('is that of lines of batches in its own proportion, of service tiers, and in every list of models', async () => {
    const { id } = await stage.propose({ input_tokens: 4, output_tokens: 8 }, { batch_percentage: 25 });
    await read(stage.decide(id, 'approve'));
    await isHeld(id);
    const { body } = await getJson(`${stage.api.url}/v1/models/${textModel}`, stage.customer.secret);
    expect(body).toMatchObject({
      pricing: { prompt: '0.000004', completion: '0.000008', batch: { prompt: '0.000001', completion: '0.000002' } },
    });
    const docs = await (await fetch(`${stage.api.url}/docs/guides/models`)).text();
    expect(docs).toContain('4.00 <small>per million input tokens, in a batch 1.00');
    const { rows } = await stage.db.pool.query('select rates from model_prices where of_price_id = $1', [id]);
    expect(rows).toEqual([{ rates: { input_tokens: '1000000', output_tokens: '2000000' } }]);
  });

  test('ends where operators return to the price of the file', async () => {
    const file = await stage.propose({}, { usd_per_million: undefined, from_file: true });
    await read(stage.decide(file.id, 'approve'));
    await isHeld(file.id);
    const answer = await stage.chat({ messages: told({ text: 'one two' }) });
    const requestId = answer.headers.get('x-request-id')!;
    const { body } = await getJson(`${stage.api.url}/platform/v1/explain/${requestId}`, stage.customer.secret);
    expect(body).toMatchObject({
      lines: [{ price_usd: 3e-7 }, { price_usd: 2.5e-6 }],
      price: { id: file.id, source: 'operator', set_by: 'Ada', approved_by: 'Ben' },
    });
  });

  test('is previewed by what the live calls of 30 days would have cost', async () => {
    const preview = (by: Record<string, number>) =>
      read<{ requests: number; charged_usd: number; would_usd: number }>(
        stage.call(`${at}/prices/preview`, { body: { model: textModel, usd_per_million: by } }),
      );
    const file = { input_tokens: 0.3, output_tokens: 2.5 };
    const now = await preview(file);
    const double = await preview({ input_tokens: 0.6, output_tokens: 5 });
    expect(now.requests).toBeGreaterThan(0);
    expect(double.would_usd).toBeCloseTo(2 * now.would_usd, 9);
    expect(double.charged_usd).toBe(now.charged_usd);
    const test = await stage.account({ isTest: true });
    await read(stage.call('/v1/chat/completions', { by: test, body: { model: textModel, messages: told({}) } }));
    expect((await preview(file)).requests).toBe(now.requests);
  });
});

test('a cost that operators state is shown beside the price, to operators alone', async () => {
  const state = (body: object) => stage.call(`${at}/models/${textModel}/costs`, { method: 'PUT', body });
  const cost = { upstream: 'main', usd_per_million: { input_tokens: 0.15, output_tokens: 2 } };
  expect(await read(state(cost))).toMatchObject({
    upstreams: [{ upstream: 'main', margin_percentage: 20, cost: { stated_by: 'Ada' } }],
  });
  expect((await state({ ...cost, upstream: 'voice' })).status).toBe(422);
  await read(state({ ...cost, usd_per_million: { input_tokens: 0.6, output_tokens: 2 } }));
  expect((await stage.model()).upstreams[0]!.margin_percentage).toBe(-100);
  const { rows } = await stage.db.pool.query('select count(*)::int as kept from upstream_costs');
  expect(rows).toEqual([{ kept: 2 }]);
  for (const path of ['/v1/models', `/platform/v1/models/${textModel}/prices`, '/platform/v1/models/performance']) {
    const { body } = await getJson(`${stage.api.url}${path}`, stage.customer.secret);
    expect(JSON.stringify(body)).not.toMatch(/cost|margin/);
  }
});
