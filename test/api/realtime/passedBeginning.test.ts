import { afterAll, afterEach, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';
import { startRealtimeUpstream } from '../../support/realtimeUpstream.ts';
import { until } from '../../support/until.ts';
import { refusalAt } from '../../support/webSocket.ts';

const KEY = 'sk-vendor-key-0123456789';

const upstream = await startRealtimeUpstream(KEY);
const realtime = { url: upstream.url, apiKey: KEY };
const stage = await setGuardStage({ realtime, env: { UPSTREAM_IDLE_TIMEOUT_MS: '1000' } });
afterEach(() => upstream.reset());
afterAll(async () => {
  await stage.close();
  await upstream.stop();
});

test('an upstream that does not answer to what a client secret binds refuses the socket, and is left', async () => {
  upstream.script.ignoresUpdates = true;
  const { secret } = await stage.account();
  const body = JSON.stringify({ session: { type: 'realtime', model: 'gpt-passed', instructions: 'Bound.' } });
  const made = await stage.ask('/v1/realtime/client_secrets', { headers: { authorization: `Bearer ${secret}` }, body });
  const { value } = (await made.json()) as { value: string };
  const refusal = await refusalAt(stage.url, '/v1/realtime', { key: value });
  expect(refusal).toMatchObject({ status: 504, body: { error: { code: expect.stringContaining('timeout') } } });
  await until(() => upstream.sockets.every(({ readyState }) => readyState === 3));
});
