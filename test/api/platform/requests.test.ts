import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { textModel } from '../../support/startApi.ts';
import { setStage } from './stage.ts';

let stage: Awaited<ReturnType<typeof setStage>>;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const getRequest = (id: string, key?: string) =>
  getJson<Record<string, unknown>>(`${stage.api.url}/platform/v1/requests/${id}`, key);

describe('GET /platform/v1/requests/{request_id}', () => {
  test('refuses a caller without a key', async () => {
    expect((await getRequest('req_1')).status).toBe(401);
  });

  test('has a call and its cost as soon as its answer has ended', async () => {
    const { secret } = await makeAccount(stage.db);
    const id = await stage.chat(secret);
    const { status, body } = await getRequest(id, secret);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      route: '/v1/chat/completions',
      model: textModel,
      status: 200,
      cancelled: false,
      usage: [
        { unit: 'input_tokens', quantity: expect.any(Number) },
        { unit: 'output_tokens', quantity: expect.any(Number) },
      ],
      cost_usd: expect.any(Number),
      hold_usd: expect.any(Number),
      started_at: expect.stringMatching(/Z$/),
      first_byte_ms: null,
      duration_ms: expect.any(Number),
      stream_bytes: 0,
      ledger_entry_ids: [expect.stringMatching(/^le_[0-9A-Za-z]+$/)],
    });
    const [input, output] = body.usage as { quantity: number }[];
    // 0.30 and 2.50 US dollars per million tokens.
    expect(body.cost_usd).toBe((input!.quantity * 300 + output!.quantity * 2500) / 1e9);
  });

  test('answers an unknown id and one of another workspace alike', async () => {
    const [ours, theirs] = [await makeAccount(stage.db), await makeAccount(stage.db)];
    const foreignId = await stage.chat(theirs.secret);
    const unknownId = `${foreignId.slice(0, -4)}zzzz`;
    const [foreign, unknown] = [await getRequest(foreignId, ours.secret), await getRequest(unknownId, ours.secret)];
    expect(foreign.status).toBe(404);
    expect(foreign.body).toMatchObject({ error: { code: 'request_not_found', type: 'invalid_request_error' } });
    expect(JSON.stringify(foreign.body).replace(foreignId, unknownId)).toBe(JSON.stringify(unknown.body));
  });

  test.each(['1', 'req_', 'req_%00', "req_1'--", `req_${'a'.repeat(61)}`])(
    'refuses the malformed id %s',
    async (id) => {
      const { secret } = await makeAccount(stage.db);
      const { status, body } = await getRequest(id, secret);
      expect(status).toBe(422);
      expect(body).toMatchObject({
        error: { code: 'validation_error', param: 'request_id', type: 'invalid_request_error' },
        detail: [{ loc: ['path', 'request_id'], type: 'value_error' }],
      });
    },
  );
});
