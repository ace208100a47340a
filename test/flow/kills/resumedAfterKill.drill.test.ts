import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { countPromptTokens, countTokens } from '../../../providers/metering/tokens.ts';
import { startApiProcess, textModel, type ApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import {
  chatBody,
  priceNanos,
  setMoneyStage,
  sweepExpired,
  untilFlushed,
  type MoneyStage,
} from '../stages/moneyStage.ts';

const text = 'word '.repeat(400);
const scripted = JSON.stringify({ scripted: { text, delayMs: 20 } });
let stage: MoneyStage<ApiProcess>;

beforeEach(async () => {
  stage = await setMoneyStage({ apis: 2, start: startApiProcess });
});
afterEach(() => stage.close());

/** The events of a stream as sent, without ids and comments. */
const eventsIn = (sent: string) =>
  sent
    .split('\n\n')
    .map((frame) => frame.replaceAll(/^(id|retry):.*\n/gm, ''))
    .filter((frame) => frame.includes('data:'));

const dataOf = (event: string) => event.slice(event.indexOf('data: ') + 6);

interface Streamed {
  type?: string;
  delta?: string;
  choices?: { text?: string; delta?: { content?: string } }[];
}

/** An event's addition to the answer's text. */
function pieceOf(event: string): string {
  if (!dataOf(event).startsWith('{')) return '';
  const { type, delta, choices } = JSON.parse(dataOf(event)) as Streamed;
  if (type !== undefined) return type === 'response.output_text.delta' ? delta! : '';
  return choices?.[0]?.text ?? choices?.[0]?.delta?.content ?? '';
}

const routes: { path: string; body: string; end: number }[] = [
  { path: '/v1/chat/completions', body: chatBody({ text, delayMs: 20 }, { stream: true }), end: 2 },
  { path: '/v1/completions', body: JSON.stringify({ model: textModel, prompt: scripted, stream: true }), end: 2 },
  { path: '/v1/responses', body: JSON.stringify({ model: textModel, input: scripted, stream: true }), end: 1 },
];

test.each(routes)(
  'a stream of $path is resumed at another API after its own was killed; its bill is within what is shown',
  async ({ path, body, end }) => {
    const account = await stage.account();
    const creditNanos = await stage.balance(account);
    const headers = {
      authorization: `Bearer ${account.secret}`,
      'content-type': 'application/json',
      'idempotency-key': `resumed ${path}`,
    };
    const [victim, other] = stage.running as [ApiProcess, ApiProcess];
    const answer = await fetch(`${victim.url}${path}`, { method: 'POST', headers, body });
    const requestId = answer.headers.get('x-request-id')!;
    let received = '';
    const reading = (async () => {
      for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) received += piece;
    })().catch(() => {});
    await until(() => received.length > 4_000);
    await untilFlushed(stage, account);
    process.kill(victim.pid, 'SIGKILL');
    await victim.exited;
    await reading;

    const resume = async (query = '') =>
      eventsIn(
        await (await fetch(`${other.url}/platform/v1/requests/${requestId}/stream${query}`, { headers })).text(),
      );
    const events = await resume();
    expect(events.at(-end)).toContain('stream_lost');
    const shown = events.slice(0, -end).map(pieceOf).join('');
    expect(shown.length).toBeGreaterThan(0);
    expect(text.startsWith(shown)).toBe(true);
    // Output of the last interval may have been received but not stored.
    const had = eventsIn(received);
    const both = Math.min(had.length, events.length - end);
    expect(events.slice(0, both)).toEqual(had.slice(0, both));
    const after = Math.floor(both / 2);
    expect(await resume(`?starting_after=${after}`)).toEqual(events.slice(after));

    // A retry under its key gets the same: the stored part, and why there is no more.
    const retried = await fetch(`${other.url}${path}`, { method: 'POST', headers, body });
    expect(eventsIn(await retried.text())).toEqual(events);

    await sweepExpired(stage, [account]);
    const billedNanos = creditNanos - (await stage.balance(account));
    const messages = [{ role: 'user', content: scripted }];
    const prompt = path === '/v1/responses' ? { messages } : (JSON.parse(body) as Record<string, unknown>);
    const inputTokens = await countPromptTokens(prompt);
    expect(billedNanos).toBeGreaterThanOrEqual(priceNanos({ inputTokens, outputTokens: 0 }));
    expect(billedNanos).toBeLessThanOrEqual(priceNanos({ inputTokens, outputTokens: await countTokens(shown) }));
  },
);
