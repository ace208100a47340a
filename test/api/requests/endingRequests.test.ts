import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { setMoneyStage, type Account } from '../../flow/stages/moneyStage.ts';
import { until } from '../../support/until.ts';
import { creditNanos, send, streamBody } from '../replay/replayStage.ts';

// Long enough for two reads of a stream whose client has left, also on a busy machine.
const stage = await setMoneyStage({ apis: 2, env: { RESUME_GRACE_MS: '4000' } });
afterAll(() => stage.close());

async function read(at: number, { secret }: Account, id: string, route = 'requests') {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(`${stage.urls()[at]}/platform/v1/${route}/${id}`, { headers });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe.each([0, 1])('a request that has not ended, read at API %i', (at) => {
  test('is still ending after its client has left, and then there, although it is read all the time', async () => {
    const account = await stage.account({ balanceNanos: creditNanos });
    const leaving = new AbortController();
    const body = streamBody('word '.repeat(2_000), { delayMs: 20 });
    const sent = await send(stage.urls()[0]!, account, { body, signal: leaving.signal });
    const id = sent.headers.get('x-request-id')!;
    await sent.body!.getReader().read();
    const running = await read(at, account, id);
    expect(running).toMatchObject({ status: 409, body: { error: { code: 'request_not_ended' } } });
    leaving.abort();
    const left = await read(at, account, id);
    expect(left).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('still ending') } } });
    expect([left.headers.get('retry-after'), left.headers.get('x-should-retry')]).toEqual(['1', 'true']);
    const explained = await read(at, account, id, 'explain');
    expect(explained).toMatchObject({ status: 409, body: { error: { code: 'request_not_ended' } } });
    const statuses = new Set<number>();
    await until(async () => {
      statuses.add((await read(at, account, id)).status);
      return statuses.has(200);
    });
    expect(statuses).not.toContain(404);
    expect((await read(at, account, id)).body).toMatchObject({ id, cancelled: true });
  });

  test('is unknown to another workspace, as an id that was never given', async () => {
    const [account, stranger] = [await stage.account(), await stage.account()];
    const leaving = new AbortController();
    const body = streamBody('word '.repeat(2_000), { delayMs: 20 });
    const sent = await send(stage.urls()[0]!, account, { body, signal: leaving.signal });
    const id = sent.headers.get('x-request-id')!;
    for (const [reader, sought] of [
      [stranger, id],
      [account, newId('req')],
    ] as const)
      expect(await read(at, reader, sought)).toMatchObject({
        status: 404,
        body: { error: { code: 'request_not_found' } },
      });
    leaving.abort();
  });
});
