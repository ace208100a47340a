import { afterEach, expect, test } from '@jest/globals';
import { type RulesThread, startRulesThread } from '../../rules/rulesThread.ts';
import { until } from '../support/until.ts';

let thread: RulesThread;
afterEach(() => thread.stop());

const question = { model: 'm', messages: [{ role: 'user', content: 'How much is a call?' }], test_call: {} };

const ask = (body: object) =>
  fetch(`${thread.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE });

const JSON_TYPE = { 'content-type': 'application/json' };

test('answers test calls by rules', async () => {
  thread = await startRulesThread('test');
  expect(await (await ask(question)).json()).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
});

test('a first call does not seem stuck: what a thread loads, it loads before it is watched', async () => {
  // On a busy machine any call may take longer than these beats, but not each first one.
  await until(async () => {
    thread = await startRulesThread('test', { beatMs: 15 });
    const isAnswered = await ask(question).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isAnswered) await thread.stop();
    return isAnswered;
  });
});

test('a call that never ends costs its own connection: the next call is answered at the same address', async () => {
  thread = await startRulesThread('test', { beatMs: 600 });
  const stuck = ask({ ...question, n: 100_000_000 });
  await expect(stuck).rejects.toThrow();
  await until(() =>
    ask(question).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
});

test('the most texts that one call may embed do not end the thread; more numbers than it can answer are refused', async () => {
  thread = await startRulesThread('test');
  const embed = async (members: object) => {
    const body = JSON.stringify({ model: 'm', input: Array(2048).fill('a'), test_call: {}, ...members });
    const response = await fetch(`${thread.url}/embeddings`, { method: 'POST', body, headers: JSON_TYPE });
    return (await response.json()) as { data?: { embedding: string }[]; error?: object };
  };
  const { data } = await embed({ encoding_format: 'base64' });
  expect(new Set(data!.map(({ embedding }) => Buffer.from(embedding, 'base64').length))).toEqual(new Set([4 * 384]));
  expect(await embed({ input: 'a', dimensions: 10_000_000 })).toMatchObject({
    error: { code: 'invalid_value', param: 'dimensions' },
  });
});
