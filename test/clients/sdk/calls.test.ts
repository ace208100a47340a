import { afterAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { costOf, RateLimitError } from '../../../clients/typescript/src/index.ts';
import { balanceOf } from '../../support/account.ts';
import { chatBody, setGuardStage, told } from '../../support/guardStage.ts';
import { createClients } from './sdkStage.ts';

const stage = await setGuardStage();
const account = await stage.account();
const clients = createClients(stage.url, account.secret);
const client = clients.newClient();
afterAll(async () => {
  await clients.stop();
  await stage.close();
});

const balanceUsd = async () => Number(await balanceOf(stage.db, account.workspaceId)) / 1e9;
const chat = (text: string) => JSON.parse(chatBody({ messages: told({ text }) })) as { model: string; messages: [] };

describe('a call', () => {
  test('has its cost at hand, and its request id', async () => {
    const before = await balanceUsd();
    const { data, response } = await client.api.POST('/v1/chat/completions', { body: chat('Four.') });
    expect(data.choices[0]!.message.content).toBe('Four.');
    expect(costOf(response)).toBeGreaterThan(0);
    expect(before - (await balanceUsd())).toBeCloseTo(costOf(response)!, 9);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('whose answer is cut, in its head or in its JSON, is answered again and paid once', async () => {
    const before = await balanceUsd();
    const calls = stage.upstream.calls().length;
    const cut = await clients.newCutClient([60, 1_700]);
    const { data, response } = await cut.api.POST('/v1/chat/completions', { body: chat('Once. '.repeat(100)) });
    expect(data.choices[0]!.message.content).toBe('Once. '.repeat(100));
    expect(cut.cutsLeft()).toBe(0);
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    expect(stage.upstream.calls().length - calls).toBe(1);
    expect(before - (await balanceUsd())).toBeCloseTo(costOf(response)!, 9);
  });

  test('above a limit is thrown as its class', async () => {
    const { secret } = await stage.account({ rpmLimit: 1 });
    const limited = clients.newClient({ apiKey: secret, maxRetries: 0 });
    await limited.api.GET('/v1/models');
    const refused = limited.api.GET('/v1/models');
    await expect(refused).rejects.toBeInstanceOf(RateLimitError);
    await expect(refused).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  });

  test("works by OpenAI's client with the same key", async () => {
    const openai = client.openai(OpenAI, { maxRetries: 0 });
    const { choices } = await openai.chat.completions.create(chat('Also here.'));
    expect(choices[0]!.message.content).toBe('Also here.');
  });
});

describe('files', () => {
  const large = new Uint8Array(9 * 1024 * 1024).map((_, at) => 32 + (at % 90));

  test('above 8 MiB go up in parts, each of them again after a cut, and come down in one piece', async () => {
    const steps: number[] = [];
    const onProgress = ({ doneBytes }: { doneBytes: number }) => void steps.push(doneBytes);
    // The beginning, both parts and the end.
    const cutUp = await clients.newCutClient([60, Infinity, 60, Infinity, 60, Infinity, 60, Infinity]);
    const file = await cutUp.files.upload(new Blob([large]), { filename: 'large.txt', onProgress });
    expect(cutUp.cutsLeft()).toBe(0);
    expect(steps).toEqual([0, 8 * 1024 * 1024, large.length]);
    expect(file).toMatchObject({ filename: 'large.txt', purpose: 'agent_input', size_bytes: large.length });
    const cut = await clients.newCutClient([3_000_000, 500, 2_000_000]);
    const got: number[] = [];
    const download = await cut.files.download(file.id, { onProgress: ({ doneBytes }) => void got.push(doneBytes) });
    expect(download).toMatchObject({ filename: 'large.txt', sizeBytes: large.length });
    const bytes = new Uint8Array(await (await download.blob()).arrayBuffer());
    expect(Buffer.compare(bytes, large)).toBe(0);
    expect(cut.cutsLeft()).toBe(0);
    expect(got.at(-1)).toBe(large.length);
    expect(got).toEqual(got.toSorted((a, b) => a - b));
  });

  test('are taken from streams, and listed page after page', async () => {
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'];
    const { secret } = await stage.account();
    const own = clients.newClient({ apiKey: secret });
    const stream = async function* (text: string) {
      yield new TextEncoder().encode(text);
      yield new TextEncoder().encode('.');
    };
    for (const filename of names) await own.files.upload(stream(filename), { filename });
    const listed: string[] = [];
    for await (const file of own.pages('/v1/files', { query: { limit: 2, order: 'asc' } })) listed.push(file.filename);
    expect(listed).toEqual(names);
  });
});
