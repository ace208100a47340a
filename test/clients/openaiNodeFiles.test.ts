import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { collect } from '../support/streams.ts';
import { startClientStage } from './clientStage.ts';

const stage = await startClientStage();
afterAll(() => stage.stop());

const lines = '{"custom_id":"1"}\n{"custom_id":"2"}\n';

describe.each(['/textapi/v1', '/v1'])('files under %s', (prefix) => {
  let client: OpenAI;

  beforeAll(() => {
    const baseURL = new URL(prefix, stage.baseUrl).href;
    client = new OpenAI({ baseURL, apiKey: stage.keys.funded, maxRetries: 0 });
  });

  const create = (purpose: 'batch' | 'user_data', name = 'lines.jsonl') =>
    toFile(Buffer.from(lines), name).then((file) => client.files.create({ file, purpose }));

  test('are created, retrieved, read and deleted', async () => {
    const created = await create('batch');
    expect(created).toMatchObject({
      object: 'file',
      bytes: lines.length,
      filename: 'lines.jsonl',
      purpose: 'batch',
      status: 'processed',
      expires_at: created.created_at + 2_592_000,
      _request_id: expect.stringMatching(/^req_/),
    });
    const { _request_id: _, ...members } = created as typeof created & { _request_id?: string };
    expect(await client.files.retrieve(created.id)).toMatchObject(members);
    expect(await client.files.waitForProcessing(created.id)).toMatchObject(members);
    expect(await (await client.files.content(created.id)).text()).toBe(lines);
    expect(await client.files.delete(created.id)).toMatchObject({ id: created.id, object: 'file', deleted: true });
    await expect(client.files.retrieve(created.id)).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
  });

  test('expire at the requested time', async () => {
    const file = await toFile(Buffer.from(lines), 'lines.jsonl');
    const expires_after = { anchor: 'created_at', seconds: 3600 } as const;
    const created = await client.files.create({ file, purpose: 'user_data', expires_after });
    expect(created.expires_at).toBe(created.created_at + 3600);
  });

  test('are listed over all pages, by purpose and in both orders', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await create('user_data', `${prefix.length}-${count}.txt`)).id);
    const newest = await collect(client.files.list({ purpose: 'user_data', limit: 2 }));
    const oldest = await collect(client.files.list({ purpose: 'user_data', limit: 2, order: 'asc' }));
    expect(newest.map(({ id }) => id).slice(0, 3)).toEqual(ids.toReversed());
    expect(oldest.map(({ id }) => id)).toEqual(newest.map(({ id }) => id).toReversed());
    expect(newest.every(({ purpose }) => purpose === 'user_data')).toBe(true);
  });

  test('with an unknown purpose are refused', async () => {
    const file = await toFile(Buffer.from(lines), 'lines.jsonl');
    await expect(client.files.create({ file, purpose: 'fine-tune' })).rejects.toMatchObject({
      status: prefix === '/v1' ? 422 : 400,
    });
  });
});
