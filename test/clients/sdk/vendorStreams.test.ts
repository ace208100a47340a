import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { Ledgerline } from '../../../clients/typescript/src/index.ts';
import { startAnswerCuts } from '../../support/cuttingProxy.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';

const PLACES = [0, 1, 2, 3];
const TEXT = Array.from({ length: 40 }, (_, at) => `wörd ${at} 🌧`).join(' ');
const messages = [{ role: 'user' as const, content: JSON.stringify({ scripted: { text: TEXT } }) }];
let account: Awaited<ReturnType<GuardStage['account']>>;
let proxy: Awaited<ReturnType<typeof startAnswerCuts>> | undefined;

const stage = await setGuardStage();
afterEach(() => proxy?.stop());
afterAll(() => stage.close());

/** OpenAI's client of a new account, whose first answer is cut at one of four places, and each second one after it. */
async function cutClient(firstPlace: number): Promise<OpenAI> {
  account = await stage.account({ creditUsd: '1' });
  proxy = await startAnswerCuts(stage.url, { every: 2, firstPlace });
  // The first answer is whole: the second one is cut.
  await fetch(`${proxy.url}/healthz`).then((answer) => answer.text());
  return new Ledgerline({ baseUrl: proxy.url, apiKey: account.secret }).openai(OpenAI);
}

async function billsOf({ keyId }: { keyId: string }): Promise<number> {
  await stage.db.ledger.posted();
  const sql = 'select count(*)::int as bills from requests where key_id = $1 and cost_nanos > 0';
  return (await stage.db.pool.query(sql, [keyId])).rows[0].bills as number;
}

describe("OpenAI's client of client.openai()", () => {
  test.each(PLACES)('reads a chat whole that is cut at place %i, for one bill', async (place) => {
    const openai = await cutClient(place);
    const answer = await openai.chat.completions.create({ model: textModel, messages });
    expect(answer.choices[0]!.message.content).toBe(TEXT);
    expect(await billsOf(account)).toBe(1);
  });

  test.each(PLACES)('reads a stream whole that is cut at place %i, for one bill', async (place) => {
    const openai = await cutClient(place);
    let text = '';
    for await (const { choices } of await openai.chat.completions.create({ model: textModel, messages, stream: true }))
      text += choices[0]?.delta.content ?? '';
    expect(text).toBe(TEXT);
    expect(await billsOf(account)).toBe(1);
    expect(proxy!.cuts.length).toBeGreaterThan(0);
  });

  test.each(PLACES)('reads an embedding whole that is cut at place %i', async (place) => {
    const openai = await cutClient(place);
    const { data } = await openai.embeddings.create({ model: embeddingModel, input: 'Rain.' });
    expect(data[0]!.embedding.length).toBeGreaterThan(0);
    expect(await billsOf(account)).toBe(1);
  });

  test('throws the refusal of a stream, and stops reading when its caller leaves', async () => {
    const openai = await cutClient(0);
    const order = { model: 'none', messages, stream: true as const };
    await expect(openai.chat.completions.create(order)).rejects.toMatchObject({ status: 404 });
    const stream = await openai.chat.completions.create({ model: textModel, messages, stream: true });
    for await (const _chunk of stream) break;
    expect(stream.controller.signal.aborted).toBe(true);
  });
});
