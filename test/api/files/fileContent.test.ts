import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '../../support/guardStage.ts';
import { setFileStage } from '../../support/fileStage.ts';

// More than one read of the database, and not a multiple of a chunk.
const bytes = Buffer.from(randomBytes(1_200_000).toString('hex'));

const stage = await setFileStage();
const { id } = await stage.upload(bytes, 'Bericht 書.txt');
const path = `/v1/files/${id}/content`;
afterAll(() => stage.close());

const get = (headers: Record<string, string> = {}, method = 'GET') => stage.call(path, { headers, method });

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('GET /v1/files/{file_id}/content', () => {
  test('returns the bytes as an attachment that no browser runs', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect((await bytesOf(response)).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringMatching(
        /^attachment; filename=.*; filename\*=UTF-8''Bericht%20%E6%9B%B8\.txt$/,
      ),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'x-request-id': expect.stringMatching(/^req_/),
    });
  });

  test.each<Record<string, string>>([{}, { range: 'bytes=0-1' }])(
    'answers HEAD with the headers of all bytes and no body, with %j',
    async (headers) => {
      const head = await get(headers, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
      expect((await bytesOf(head)).length).toBe(0);
    },
  );

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=262143-262144', 262_143, 262_145],
    ['bytes=1048570-1048590', 1_048_570, 1_048_591],
    ['bytes=2399990-', 2_399_990, 2_400_000],
    ['bytes=2399990-9999999', 2_399_990, 2_400_000],
    ['bytes=-7', 2_399_993, 2_400_000],
    ['bytes=-9999999', 0, 2_400_000],
  ])('returns the range %s', async (range, from, to) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${bytes.length}`);
    expect(response.headers.get('content-length')).toBe(String(to - from));
    expect((await bytesOf(response)).equals(bytes.subarray(from, to))).toBe(true);
  });

  test.each(['bytes=2400000-', 'bytes=9999999-', 'bytes=-0'])('answers 416 for the range %s', async (range) => {
    const response = await get({ range });
    expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect(response.headers.get('content-type')).toMatch('application/json');
    expect([response.status, await codeOf(response)]).toEqual([416, 'range_not_satisfiable']);
  });

  test.each(['bytes=5-1', 'bytes=-', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=a-b'])(
    'returns all bytes for %s, which is not a single range',
    async (range) => {
      const response = await get({ range });
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, bytes.length]);
    },
  );

  test('returns a range only for the content that If-Range names', async () => {
    const etag = (await get({}, 'HEAD')).headers.get('etag')!;
    expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    for (const other of ['"other"', `W/${etag}`]) {
      const response = await get({ range: 'bytes=0-1', 'if-range': other });
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, bytes.length]);
    }
  });

  test('answers 304 to a caller that has the content', async () => {
    const etag = (await get({}, 'HEAD')).headers.get('etag')!;
    const response = await get({ 'if-none-match': `"other", ${etag}` });
    expect([response.status, (await bytesOf(response)).length]).toEqual([304, 0]);
  });

  test('returns an empty body for an empty file, which has no ranges', async () => {
    const { id } = await stage.upload('', 'empty.txt');
    const response = await stage.call(`/v1/files/${id}/content`);
    expect([response.status, await response.text()]).toEqual([200, '']);
    const part = await stage.call(`/v1/files/${id}/content`, { headers: { range: 'bytes=0-0' } });
    expect(part.status).toBe(416);
  });
});
