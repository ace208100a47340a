import { afterAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { textModel } from '../../support/startApi.ts';
import { collect } from '../../support/streams.ts';
import { setMoneyStage, type Account } from '../stages/moneyStage.ts';

const stage = await setMoneyStage({ apis: 2 });
const account = await stage.account({ creditUsd: '1' });
afterAll(() => stage.close());

const clientOf = ({ secret }: Account, api = 0) =>
  new OpenAI({ apiKey: secret, baseURL: `${stage.urls()[api]}/textapi/v1`, maxRetries: 0 });
const mine = clientOf(account);
const other = clientOf(await stage.account({ creditUsd: '1' }));
const input = [
  { role: 'user' as const, content: 'One.' },
  { id: 'msg_own', type: 'message' as const, role: 'assistant' as const, content: 'Two.' },
  { role: 'user' as const, content: [{ type: 'input_text' as const, text: 'Three.' }] },
] as OpenAI.Responses.ResponseInput;
const notFound = { status: 404, code: 'response_not_found' };

describe('a response whose `store` is not false', () => {
  test('is read as it was made, by both processes, and says until when', async () => {
    const made = await mine.responses.create({ model: textModel, input });
    expect(made).toMatchObject({ store: true, expires_at: made.created_at + 86_400 });
    expect(await mine.responses.retrieve(made.id)).toEqual(made);
    expect(await clientOf(account, 1).responses.retrieve(made.id)).toEqual(made);
  });

  test('is read as its stream ended', async () => {
    const events = await collect(await mine.responses.create({ model: textModel, input, stream: true }));
    const { response } = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent;
    expect(await mine.responses.retrieve(response.id)).toMatchObject({ ...response });
  });

  test('lists its input in pages, each item with an id that stays', async () => {
    const { id } = await mine.responses.create({ model: textModel, input });
    const forward = await collect(mine.responses.inputItems.list(id, { order: 'asc', limit: 2 }));
    const texts = forward.map((item) => (item as { content: { type: string; text: string }[] }).content[0]);
    expect(texts).toEqual([
      { type: 'input_text', text: 'One.' },
      { type: 'output_text', text: 'Two.', annotations: [], logprobs: [] },
      { type: 'input_text', text: 'Three.' },
    ]);
    expect(forward[1]!.id).toBe('msg_own');
    expect(new Set(forward.map((item) => item.id)).size).toBe(3);
    expect(await collect(mine.responses.inputItems.list(id))).toEqual(forward.toReversed());
  });

  test('is gone with its items once it is deleted', async () => {
    const { id, output } = await mine.responses.create({ model: textModel, input: 'Hello' });
    await mine.responses.delete(id);
    await expect(mine.responses.retrieve(id)).rejects.toMatchObject(notFound);
    await expect(clientOf(account, 1).responses.retrieve(id)).rejects.toMatchObject(notFound);
    const reference = { type: 'item_reference' as const, id: output[0]!.id! };
    const request = mine.responses.create({ model: textModel, input: [reference, input[0]!] });
    await expect(request).rejects.toMatchObject({ status: 404, code: 'item_not_found' });
  });

  test('is unknown to another workspace, and no item', async () => {
    const { id } = await mine.responses.create({ model: textModel, input: 'Hello' });
    await expect(other.responses.retrieve(id)).rejects.toMatchObject(notFound);
    await expect(other.responses.delete(id)).rejects.toMatchObject(notFound);
    await expect(collect(other.responses.inputItems.list(id))).rejects.toMatchObject(notFound);
    const reference = mine.responses.create({ model: textModel, input: [{ type: 'item_reference', id }, input[0]!] });
    await expect(reference).rejects.toMatchObject({ status: 404, code: 'item_not_found' });
  });

  test('is not streamed again by this route', async () => {
    const { id } = await mine.responses.create({ model: textModel, input: 'Hello' });
    const refused = { status: 400, code: 'unsupported_parameter', param: 'stream' };
    await expect(mine.responses.retrieve(id, { stream: true })).rejects.toMatchObject(refused);
  });
});

test('a response whose `store` is false is not kept', async () => {
  const made = await mine.responses.create({ model: textModel, input: 'Hello', store: false });
  expect(made).toMatchObject({ store: false, expires_at: null });
  await expect(mine.responses.retrieve(made.id)).rejects.toMatchObject(notFound);
});

test('input tokens are counted as they are billed, without a call', async () => {
  const { usage } = await mine.responses.create({ model: textModel, input, instructions: 'Be brief.' });
  const [calls, balance] = [stage.upstream.calls().length, await stage.balance(account)];
  const counted = await mine.responses.inputTokens.count({ model: textModel, input, instructions: 'Be brief.' });
  expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: usage!.input_tokens });
  expect([stage.upstream.calls().length, await stage.balance(account)]).toEqual([calls, balance]);
});
