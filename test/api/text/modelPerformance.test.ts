import { afterAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { storeCalls, type PastCall } from '../../support/pastCalls.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';
import { setStage } from '../platform/stage.ts';

const call = (more: Partial<PastCall> & Pick<PastCall, 'keyId' | 'workspaceId'>): PastCall => ({
  at: new Date(Date.now() - 60_000).toISOString(),
  model: textModel,
  upstream: 'main',
  ...more,
});

const stage = await setStage();
const account = await makeAccount(stage.db);
const { secret } = account;
const of = ({ workspaceId, keyId }: typeof account, more: Partial<PastCall>) => call({ workspaceId, keyId, ...more });
const other = await makeAccount(stage.db);
const stream = { firstByteMs: 100, durationMs: 1_100, usage: { input_tokens: 5, output_tokens: 50 } };
await storeCalls(stage.databaseUrl, [
  ...Array.from({ length: 6 }, () => of(account, stream)),
  of(other, { ...stream, firstByteMs: 300, durationMs: 2_300 }),
  of(other, { status: 502, upstream: 'spare', durationMs: 9_000 }),
  // None of these counts: refused, left, in test mode, too long ago.
  of(account, { status: 429 }),
  of(account, { status: 499, cancelled: true }),
  of({ ...other, workspaceId: 'wst_one' }, { ...stream, firstByteMs: 9_000, durationMs: 10_000 }),
  of(account, { ...stream, at: new Date(Date.now() - 3_700_000).toISOString(), durationMs: 99_000 }),
  ...Array.from({ length: 4 }, () => of(account, { model: embeddingModel })),
]);
afterAll(() => stage.close());

interface List {
  data: { model: string; upstreams: object[] }[];
}

const read = async () => {
  const { body } = await getJson<List>(`${stage.api.url}/platform/v1/models/performance`, secret);
  return new Map(body.data.map(({ model, ...row }) => [model, row]));
};

const UNKNOWN = { success_rate: null, first_byte_ms: null, duration_ms: null, output_tokens_per_second: null };

describe('GET /platform/v1/models/performance', () => {
  test('refuses a caller without a key', async () => {
    expect((await getJson(`${stage.api.url}/platform/v1/models/performance`)).status).toBe(401);
  });

  test('has the speed and the failures of the last hour, of all live workspaces', async () => {
    const measured = {
      first_byte_ms: { p50: 100, p95: 300 },
      duration_ms: { p50: 1_100, p95: 2_300 },
      output_tokens_per_second: 50,
    };
    expect((await read()).get(textModel)).toEqual({
      object: 'model.performance',
      success_rate: 7 / 8,
      ...measured,
      upstreams: [{ upstream: 'main', is_available: true, success_rate: 1, ...measured }],
    });
  });

  test('says nothing of a few calls, and has each model of the catalogue', async () => {
    const models = await read();
    expect(models.get(embeddingModel)).toEqual({
      object: 'model.performance',
      ...UNKNOWN,
      upstreams: [{ upstream: 'main', is_available: true, ...UNKNOWN }],
    });
    const { body } = await getJson<{ data: { id: string }[] }>(`${stage.api.url}/v1/models`, secret);
    expect([...models.keys()]).toEqual(body.data.map(({ id }) => id));
  });
});
