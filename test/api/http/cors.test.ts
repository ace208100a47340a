import { afterAll, describe, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { chatBody, chatPath, setGuardStage } from '../../support/guardStage.ts';

const origin = 'https://page.example';

const stage = await setGuardStage();
const secret = (await stage.account()).secret;
afterAll(() => stage.close());

type Heads = Record<string, string | string[] | undefined>;

/** A request as a browser sends it: Node's `fetch` drops such headers. */
function send(method: string, path: string, headers: Record<string, string>, body?: string) {
  return new Promise<{ status: number; headers: Heads; body: string }>((resolve, reject) => {
    const sent = request(stage.api.url + path, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('a web page', () => {
  test('gets a preflight answer that allows a key and a JSON body', async () => {
    const wanted = 'authorization,content-type,x-stainless-lang,openai-beta';
    const { status, headers, body } = await send('OPTIONS', chatPath, {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': wanted,
    });
    expect({ status, body }).toEqual({ status: 204, body: '' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': wanted,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-max-age': '86400',
      allow: 'POST',
    });
    expect((await send('OPTIONS', '/v1/files', {})).headers.allow).toBe('GET, HEAD, POST');
    expect(headers['x-request-id']).toMatch(/^req_/);
  });

  test.each([
    ['an answer', 200, false],
    ['a refusal', 401, false],
    ['a stream', 200, true],
  ])("may read %s and the platform's headers", async (_, status, stream) => {
    const answer = await send(
      'POST',
      chatPath,
      { origin, 'content-type': 'application/json', ...(status === 200 && { authorization: `Bearer ${secret}` }) },
      chatBody({ stream }),
    );
    expect(answer.status).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const exposed = String(answer.headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'x-cost-usd',
        'x-truncated',
        'retry-after',
        // Without it, the official client in a page would retry every conflict.
        'x-should-retry',
        'character-cost',
        'history-item-id',
        'x-ratelimit-remaining-requests',
      ]),
    );
  });

  test("may never use its visitor's credentials", async () => {
    const { headers } = await send('GET', '/v1/models', { origin, cookie: `key=${secret}` });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  test('gets a readable 404 for an unknown address', async () => {
    const { status } = await send('OPTIONS', '/v1/nothing', { origin, 'access-control-request-method': 'GET' });
    expect(status).toBe(204);
    const answer = await send('GET', '/v1/nothing', { origin });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([404, '*']);
  });
});

test("of another origin cannot read the console's routes", async () => {
  const review = await send('GET', '/console/v1/reviews', { origin, 'x-api-key': secret });
  const asked = await send('OPTIONS', '/console/v1/reviews', { origin, 'access-control-request-method': 'GET' });
  expect([review.status, asked.status]).toEqual([403, 204]);
  for (const { headers } of [review, asked])
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('a request without an Origin gets none of these headers', async () => {
  const { headers } = await send('GET', '/v1/models', { 'x-api-key': secret });
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});
