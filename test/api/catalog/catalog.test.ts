import { afterAll, describe, expect, test } from '@jest/globals';
import { codeOf, told } from '../../support/guardStage.ts';
import { getJson, read } from '../../support/http.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { at, setCatalogStage, type ModelBody, type PriceBody } from './catalogStage.ts';

const stage = await setCatalogStage();
afterAll(() => stage.close());

describe('a model of the catalogue', () => {
  test('is from the file until an operator changes it, and again when it is returned', async () => {
    expect(await stage.model()).toMatchObject({ source: 'file', changed_by: null, state: 'sold' });
    await read(stage.change(textModel, { aliases: ['other-name'], description: 'Answers.' }));
    expect(await stage.model()).toMatchObject({
      source: 'changed',
      changed_by: 'Ada',
      changed_members: ['aliases', 'description'],
      aliases: ['other-name'],
    });
    expect((await stage.chat({ model: 'other-name' })).status).toBe(200);
    expect(await codeOf(await stage.chat({ model: 'ledgerline-text' }))).toBe('model_not_found');
    await read(stage.change(textModel, { aliases: null }));
    expect(await stage.model()).toMatchObject({ aliases: ['ledgerline-text'], changed_members: ['description'] });
    await read(stage.call(`${at}/models/${textModel}/return`, { method: 'POST' }));
    expect(await stage.model()).toMatchObject({ source: 'file', changed_members: [] });
  });

  test('is unknown to new calls while it is disabled, and calls that run end normally', async () => {
    expect(await codeOf(await stage.change(textModel, { disabled: true }))).toBe('model_in_use');
    await read(stage.change('ledgerline-realtime-1', { disabled: true }));
    const running = await stage.chat({
      stream: true,
      messages: told({ chunks: 40, delayMs: 10, text: 'One two three. '.repeat(40) }),
    });
    await read(stage.change(textModel, { disabled: true }));
    const refused = await stage.chat();
    expect([refused.status, await codeOf(refused)]).toEqual([404, 'model_not_found']);
    expect(await running.text()).toContain('[DONE]');
    const listed = await getJson<{ data: { id: string }[] }>(`${stage.api.url}/v1/models`, stage.customer.secret);
    expect(listed.body.data.map(({ id }) => id)).not.toContain(textModel);
    await read(stage.change(textModel, { disabled: false }));
    await read(stage.change('ledgerline-realtime-1', { disabled: false }));
    expect((await stage.chat()).status).toBe(200);
  });

  test('reaches another process with its changes', async () => {
    const { url } = await stage.startAnother();
    await read(stage.change(textModel, { aliases: ['from-one'] }));
    await until(async () => (await stage.chat({ model: 'from-one' }, url)).status === 200);
    await read(stage.call(`${at}/models/${textModel}/return`, { method: 'POST' }));
  });

  test('is added without a price, and sold from its first one on', async () => {
    const added = { id: 'added', kind: 'text', upstreams: [{ upstream: 'main', model: 'scripted' }] };
    expect(await read<ModelBody>(stage.call(`${at}/models`, { body: added }), 201)).toMatchObject({
      source: 'added',
      state: 'unpriced',
      price: null,
    });
    expect(await codeOf(await stage.chat({ model: 'added' }))).toBe('model_not_found');
    const price = await stage.propose({ input_tokens: 1, output_tokens: 2 }, { model: 'added' });
    await read(stage.decide(price.id, 'approve'));
    await until(async () => (await stage.chat({ model: 'added' })).status === 200);
    expect(await stage.model('added')).toMatchObject({ state: 'sold', price: { id: price.id } });
    expect(await codeOf(await stage.call(`${at}/models`, { body: added }))).toBe('model_exists');
    expect(await read(stage.call(`${at}/models/added/return`, { method: 'POST' }))).toMatchObject({ deleted: true });
    expect((await stage.call(`${at}/models/added`)).status).toBe(404);
  });

  test.each([
    [{ aliases: ['ledgerline-embed-1'] }, 422, 'aliases'],
    [{ upstreams: [{ upstream: 'none', model: 'x' }] }, 422, 'upstreams'],
    [{ upstreams: [] }, 422, 'upstreams'],
    [{ usd_per_million: {} }, 422, 'usd_per_million'],
    [{ context_tokens: -1 }, 422, 'context_tokens'],
  ])('changed by %j is refused with %d', async (body, status, param) => {
    const answer = await stage.change(textModel, body);
    expect(answer.status).toBe(status);
    const { error } = (await answer.json()) as { error: { param: string } };
    expect(error.param).toBe(param);
  });
});

describe('a price', () => {
  test('counts once another operator has approved it', async () => {
    const before = (await stage.model()).price!;
    const { id, ...proposed } = await stage.propose({ input_tokens: 7, output_tokens: 9 }, { reason: 'New tariff' });
    expect(proposed).toMatchObject({ status: 'pending', proposed_by: 'Ada', may_approve: false, valid_from: null });
    const own = await stage.decide(id, 'approve', await stage.operatorKey('Ada’s phone', 'user_ada'));
    expect([own.status, await codeOf(own)]).toEqual([403, 'second_person_required']);
    expect(await codeOf(await stage.decide(id, 'approve', await stage.operatorKey('nobody')))).toBe('person_required');
    expect((await stage.model()).price!.id).toBe(before.id);
    const approved = await read<PriceBody>(stage.decide(id, 'approve'));
    expect(approved).toMatchObject({ status: 'approved', decided_by: 'Ben', valid_from: expect.any(String) });
    expect(await codeOf(await stage.decide(id, 'reject'))).toBe('price_decided');
    await until(async () => (await stage.model()).price!.id === id);
    expect((await stage.model()).price).toMatchObject({ usd_per_million: { input_tokens: 7, output_tokens: 9 } });
  });
});
