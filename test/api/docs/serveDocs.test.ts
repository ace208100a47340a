import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { request } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { DraftBody } from '../../../api/publisher/publisherSchema.ts';
import { setGuardStage } from '../../support/guardStage.ts';

const stage = await setGuardStage();
afterAll(() => stage.close());

/** The raw answer, because `fetch` inflates. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(new URL(path, stage.url), { method, headers }, (res) => {
      buffer(res).then((body) => resolve({ status: res.statusCode!, headers: res.headers, body }), reject);
    });
    sent.once('error', reject).end();
  });
}

describe.each([
  '/openapi.json',
  '/schemas/agent.json',
  '/docs',
  '/docs/guides/webhooks',
  '/docs/reference/runs',
  '/docs/search.js',
  '/docs/entries.js',
])('%s', (path) => {
  test('is compressed for a client that accepts it, with the matching header', async () => {
    const [plain, zipped, brotli] = await Promise.all(
      ['identity', 'gzip', 'gzip, deflate, br'].map((encoding) => ask(path, { 'accept-encoding': encoding })),
    );
    expect(plain!.headers).not.toHaveProperty('content-encoding');
    expect(zipped!.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(brotli!.headers).toMatchObject({ 'content-encoding': 'br', 'content-length': String(brotli!.body.length) });
    expect(gunzipSync(zipped!.body).equals(plain!.body)).toBe(true);
    expect(brotliDecompressSync(brotli!.body).equals(plain!.body)).toBe(true);
    expect(brotli!.body.length).toBeLessThan(plain!.body.length / 2);
  });

  test('answers 304 to a client that has it', async () => {
    const { headers } = await ask(path);
    const again = await ask(path, { 'if-none-match': `"other", ${String(headers.etag)}` });
    expect({ status: again.status, bytes: again.body.length }).toEqual({ status: 304, bytes: 0 });
    expect(again.headers.etag).toBe(headers.etag);
    expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('answers HEAD with the headers of GET', async () => {
    const [head, whole] = await Promise.all([ask(path, {}, 'HEAD'), ask(path)]);
    expect(head.headers['content-length']).toBe(String(whole.body.length));
    expect(head.body.length).toBe(0);
  });
});

describe('/schemas/agent.json', () => {
  test('has every member of a draft, and asks for the name', async () => {
    const schema = JSON.parse((await ask('/schemas/agent.json')).body.toString()) as {
      properties: Record<string, object>;
      required: string[];
      additionalProperties: boolean;
    };
    const members = ['$schema', 'namespace', 'slug', ...Object.keys(DraftBody.shape)];
    expect(Object.keys(schema.properties).toSorted()).toEqual(members.toSorted());
    expect(schema.required).toEqual(['namespace', 'slug']);
    expect(schema.additionalProperties).toBe(false);
  });
});

describe('/docs', () => {
  test('answers a shortened address with the contents, and an unknown one with a page and 404', async () => {
    const [index, guides, slashed, unknown] = await Promise.all(
      ['/docs', '/docs/guides', '/docs/guides/', '/docs/guides/nothing'].map((path) => ask(path)),
    );
    expect(guides!.body.equals(index!.body) && slashed!.body.equals(index!.body)).toBe(true);
    expect(unknown!.status).toBe(404);
    expect(unknown!.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(String(unknown!.body)).toContain('<h1>No such page</h1>');
  });

  test('sends every page with the policy, and no other file', async () => {
    const policyOf = async (path: string) => (await ask(path)).headers['content-security-policy'];
    const index = await policyOf('/docs');
    expect(index).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(await policyOf('/docs/guides/errors')).toBe(index);
    expect(await policyOf('/docs/guides/nothing')).toBe(index);
    expect(await policyOf('/docs/entries.js')).not.toBe(index);
  });
});
