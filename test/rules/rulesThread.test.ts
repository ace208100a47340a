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
