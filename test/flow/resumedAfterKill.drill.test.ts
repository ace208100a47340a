import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countPromptTokens, countTokens } from '../../providers/metering/tokens.ts';
import { startApiProcess, type ApiProcess } from '../support/startApi.ts';
import { until } from '../support/until.ts';
import { chatBody, priceNanos, setMoneyStage, sweepExpired, untilFlushed, type MoneyStage } from './moneyStage.ts';

const text = 'word '.repeat(400);
let stage: MoneyStage<ApiProcess>;

beforeAll(async () => {
  stage = await setMoneyStage({ apis: 2, start: startApiProcess });
});
afterAll(() => stage.close());

const eventsIn = (sent: string) =>
  sent
    .split('\n\n')
    .map((frame) => frame.replaceAll(/^(id|retry):.*\n/gm, ''))
    .filter((frame) => frame.startsWith('data:'));

const contentOf = (events: string[]) =>
  events
    .filter((event) => event.startsWith('data: {"id"'))
    .map((event) => (JSON.parse(event.slice(6)) as { choices: { delta: { content?: string } }[] }).choices)
    .map(([choice]) => choice?.delta.content ?? '')
    .join('');

test('a stream is resumed at another API after its own was killed; its bill is within what is shown', async () => {
  const account = await stage.account();
  const creditNanos = await stage.balance(account);
  const body = chatBody({ text, delayMs: 20 }, { stream: true });
  const headers = { authorization: `Bearer ${account.secret}`, 'content-type': 'application/json' };
  const [victim, other] = stage.running as [ApiProcess, ApiProcess];
  const answer = await fetch(`${victim.url}/v1/chat/completions`, { method: 'POST', headers, body });
  const requestId = answer.headers.get('x-request-id')!;
  let received = '';
  const reading = (async () => {
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) received += piece;
  })().catch(() => {});
  await until(() => received.length > 2_000);
  await untilFlushed(stage, account);
  process.kill(victim.pid, 'SIGKILL');
  await victim.exited;
  await reading;

  const resumed = await fetch(`${other.url}/platform/v1/requests/${requestId}/stream`, { headers });
  const events = eventsIn(await resumed.text());
  expect(events.slice(-2)).toEqual([expect.stringContaining('stream_lost'), 'data: [DONE]']);
  const shown = contentOf(events);
  expect(text.startsWith(shown)).toBe(true);
  // What was produced within the last interval may have been received and not stored.
  const had = eventsIn(received);
  const both = Math.min(had.length, events.length - 2);
  expect(events.slice(0, both)).toEqual(had.slice(0, both));
  const after = Math.floor(both / 2);
  const rest = await fetch(`${other.url}/platform/v1/requests/${requestId}/stream?starting_after=${after}`, {
    headers,
  });
  expect(eventsIn(await rest.text())).toEqual(events.slice(after));

  await sweepExpired(stage, [account]);
  const billedNanos = creditNanos - (await stage.balance(account));
  const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
  expect(billedNanos).toBeGreaterThanOrEqual(priceNanos({ inputTokens, outputTokens: 0 }));
  expect(billedNanos).toBeLessThanOrEqual(priceNanos({ inputTokens, outputTokens: await countTokens(shown) }));
});
