import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { pruneResponseItems } from '../../../db/answers/responseItems.ts';
import { ownerUrlOf } from '../../support/database.ts';
import { readJson } from '../../support/streams.ts';
import { textModel } from '../../support/startApi.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { setMoneyStage } from '../stages/moneyStage.ts';

interface Answer {
  id: string;
  store: boolean;
  output: { id: string; type: string }[];
  error?: { code: string; param: string; message: string };
}

const stage = await setMoneyStage({ apis: 2, start: startApiProcess });
const owner = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
await owner.connect();
const account = await stage.account({ balanceNanos: 1_000_000_000n });
beforeEach(() => stage.upstream.reset());
afterAll(async () => {
  await owner.end();
  await stage.close();
});

async function respond(body: object, { api = 0, who = account } = {}) {
  const response = await fetch(`${stage.urls()[api]}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: textModel, ...body }),
  });
  return { status: response.status, text: await response.text() };
}

async function answerOf(body: object): Promise<Answer> {
  const { text } = await respond(body);
  const events = 'stream' in body ? readJson<{ type: string; response: Answer }>(text) : [];
  return events.at(-1)?.response ?? (JSON.parse(text) as Answer);
}

const refer = (output: Answer['output']) => output.map(({ id }) => ({ type: 'item_reference', id }));
const hello = { role: 'user', content: 'Hello' };
const again = { role: 'user', content: 'And now?' };

describe.each([{}, { stream: true }])('a second turn that refers to the items of the first (%j)', (mode) => {
  const calls = [{ name: 'find', arguments: '{"a":1}' }];

  test.each([0, 1])('is the same as with the items themselves, at process %i', async (api) => {
    stage.upstream.script({ reasoning: 'Hm.', text: 'Hi\0 there.', toolCalls: calls });
    const { output, store } = await answerOf({ input: [hello], ...mode });
    expect([store, output.map(({ type }) => type)]).toEqual([true, ['reasoning', 'message', 'function_call']]);
    const call_id = (output.at(-1) as unknown as { call_id: string }).call_id;
    const rest = [{ type: 'function_call_output', call_id, output: '2' }, again];
    expect((await respond({ input: [hello, ...refer(output), ...rest] }, { api })).status).toBe(200);
    expect((await respond({ input: [hello, ...output, ...rest] })).status).toBe(200);
    const [referring, whole] = stage.upstream.calls().slice(-2);
    expect(referring!.body).toEqual(whole!.body);
    expect(referring!.body.messages).toHaveLength(4);
  });

  test("is 404 with the item's id when the response was not stored", async () => {
    const { output, store } = await answerOf({ input: [hello], store: false, ...mode });
    expect(store).toBe(false);
    const { status, text } = await respond({ input: [hello, ...refer(output), again] });
    expect(status).toBe(404);
    const { error } = JSON.parse(text) as Answer;
    expect(error).toMatchObject({ code: 'item_not_found', param: 'input[1].id' });
    expect(error!.message).toContain(output[0]!.id);
  });
});

describe('an item reference', () => {
  test("to another workspace's item is 404", async () => {
    const { output } = await answerOf({ input: [hello] });
    const who = await stage.account({ balanceNanos: 1_000_000_000n });
    expect((await respond({ input: refer(output) }, { who })).status).toBe(404);
  });

  test('is 404 after a day, and the item is deleted later', async () => {
    const { output } = await answerOf({ input: [hello] });
    const { pool } = stage.db;
    const ids = output.map(({ id }) => id);
    const isKept = async () => (await pool.query('select 1 from response_items where id = any ($1)', [ids])).rowCount;
    await until(async () => (await isKept()) === ids.length);
    await owner.query(`update response_items set expires_at = expires_at - interval '24 hours' where id = any ($1)`, [
      ids,
    ]);
    expect((await respond({ input: refer(output) })).status).toBe(404);
    expect(await pruneResponseItems(pool)).toBe(ids.length);
    expect(await isKept()).toBe(0);
  });
});

test('truncation "auto" drops the oldest messages that exceed the context', async () => {
  const long = { role: 'user', content: 'word '.repeat(7_000) };
  const { status } = await respond({ instructions: 'Be brief.', input: [long, again, hello], truncation: 'auto' });
  expect(status).toBe(200);
  const messages = stage.upstream.calls()[0]!.body.messages as { content: string }[];
  expect(messages.map(({ content }) => content)).toEqual(['Be brief.', 'And now?', 'Hello']);
});

test('deltas are padded when obfuscation is requested', async () => {
  const options = { stream: true, stream_options: { include_obfuscation: true } };
  const { text } = await respond({ input: [hello], ...options });
  const deltas = readJson<{ type: string; delta: string; obfuscation: string }>(text).filter(({ delta }) => delta);
  expect(deltas.length).toBeGreaterThan(5);
  expect(new Set(deltas.map(({ delta, obfuscation }) => (delta + obfuscation).length))).toEqual(new Set([32]));
});
