import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { chatBody, chatPath, type ErrorBody } from '../../support/guardStage.ts';
import { openSocket, readRaw } from '../../support/http.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { setBodyStage } from './bodyStage.ts';

const mebibyte = 1024 * 1024;

const stage = await setBodyStage();
const { headers, send, lastSent } = stage;

/** The number of bodies that an API process has on disk. */
const leftOnDisk = (pid = stage.api.pid) =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`ledgerline-bodies-${pid}-`)).length;

/** Sends the first 4 MiB of a body of 30 MB. */
async function sendPart(url: string): Promise<Socket> {
  const socket = await openSocket(url);
  socket.on('error', () => {});
  socket.write(
    `POST ${chatPath} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${headers['x-api-key']}\r\nContent-Length: 30000000\r\n\r\n`,
  );
  socket.write('A'.repeat(4 * mebibyte));
  return socket;
}

describe("a body above its route's size limit", () => {
  // Refused for its temperature after it was read.
  const wrong = chatBody({ temperature: 9 });
  const filled = (bytes: number) => wrong.replace('two', 'a'.repeat(bytes - wrong.length + 3));
  const runs = '/v1/runs/run_1/cancel';

  test.each([
    [chatPath, 64 * mebibyte],
    ['/v1/completions', 4 * mebibyte],
    ['/v1/audio/speech', mebibyte / 4],
    [runs, mebibyte / 4],
  ])('%s accepts %d bytes, and answers 413 for one more', async (path, bytesMax) => {
    const statusOf = async (bytes: number) => (await stage.ask(path, { headers, body: filled(bytes) })).status;
    expect(await statusOf(bytesMax)).not.toBe(413);
    expect(await statusOf(bytesMax + 1)).toBe(413);
  });

  test('is refused with 413 when it is chunked, and the connection stays usable', async () => {
    const socket = await openSocket(stage.api.url);
    const answer = readRaw(socket);
    const start = `POST /v1/completions HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${headers['x-api-key']}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `100000\r\n${' '.repeat(mebibyte)}\r\n`;
    socket.write(start + chunk.repeat(8) + '0\r\n\r\n');
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const { text } = await answer;
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['413', '200']);
  });

  test('is refused with 401 before it is read when there is no key', async () => {
    const response = await stage.ask(chatPath, { body: filled(8 * mebibyte) });
    expect(response.status).toBe(401);
  });
});

describe('a photo in a conversation', () => {
  const photo = `data:image/jpeg;base64,${'A'.repeat(20 * mebibyte)}`;
  const seen = { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: photo } }] }] };

  test('reaches the model and leaves no file on disk', async () => {
    expect((await send(chatBody(seen))).status).toBe(200);
    expect(lastSent()).toEqual({ ...(JSON.parse(chatBody(seen)) as object), model: expect.any(String) });
    await until(() => leftOnDisk() === 0);
  });

  test('may be compressed', async () => {
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['zstd', zstdCompressSync],
    ] as const) {
      const packed = await send(new Uint8Array(pack(chatBody(seen))), { 'content-encoding': encoding });
      expect(packed.status).toBe(200);
    }
    await until(() => leftOnDisk() === 0);
  });

  test('leaves no file on disk when the upload breaks off', async () => {
    const socket = await sendPart(stage.api.url);
    await until(() => leftOnDisk() === 1);
    socket.destroy();
    await until(() => leftOnDisk() === 0);
  });

  test('left on disk by a killed process is removed by the next process', async () => {
    const { url, pid } = await stage.startAnother();
    await sendPart(url);
    await until(() => leftOnDisk(pid) === 1);
    process.kill(pid, 'SIGKILL');
    await stage.startAnother();
    await until(() => leftOnDisk(pid) === 0);
  });
});

describe('a prompt whose size alone exceeds the context is refused with 400 before balance and upstream', () => {
  const text = 'word '.repeat(120_000);
  const tokens = Array.from({ length: 8193 }, () => 1);
  const messages = [{ role: 'user', content: text }];

  test.each<[string, string, object, string]>([
    [chatPath, 'messages', { messages }, 'your messages have 600'],
    ['/v1/responses', 'input', { input: text }, 'your input has 600'],
    ['/v1/completions', 'prompt', { prompt: text }, 'your prompt has 600000 bytes'],
    ['/v1/completions', 'prompt[1]', { prompt: ['a', text] }, 'your prompt has 600000 bytes'],
    ['/v1/completions', 'prompt', { prompt: tokens }, 'your prompt has 8193 tokens'],
    ['/v1/completions', 'prompt[1]', { prompt: [[1], tokens] }, 'your prompt has 8193 tokens'],
    ['/v1/embeddings', 'input', { input: text }, 'your input has 600000 bytes'],
    ['/v1/embeddings', 'input[1]', { input: ['a', text] }, 'your input has 600000 bytes'],
  ])('%s by its %s', async (path, param, input, found) => {
    const { secret } = await stage.account({ balanceNanos: 0n });
    const model = path === '/v1/embeddings' ? embeddingModel : textModel;
    const body = JSON.stringify({ model, ...input });
    const response = await stage.ask(path, { headers: { 'x-api-key': secret }, body });
    const { error } = (await response.json()) as ErrorBody;
    expect([response.status, error.code, error.param]).toEqual([400, 'context_length_exceeded', param]);
    // LiteLLM recognises this refusal by these words (its exception_mapping_utils.py).
    expect(error.message).toMatch(/^This model's maximum context length is 8192 tokens\. However, /);
    expect(error.message).toContain(`However, ${found}`);
    expect(stage.upstream.calls()).toHaveLength(0);
  });

  test('several prompts that each fit are sent, however long they are together', async () => {
    const half = 'word '.repeat(60_000);
    for (const [path, input] of [
      ['/v1/completions', { model: textModel, prompt: [half, half], max_tokens: 1 }],
      ['/v1/embeddings', { model: embeddingModel, input: [half, half] }],
    ] as const) {
      const response = await stage.ask(path, { headers, body: JSON.stringify(input) });
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
  });
});

describe('a body with more members than its route allows', () => {
  const members = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
  const flood = new Uint8Array(gzipSync(`{${members(290_000)}}`));

  test.each([
    ['/v1/chat/completions', 400, 'invalid_body'],
    ['/v1/audio/speech', 400, 'invalid_body'],
    ['/v1/publisher/agents', 422, 'validation_error'],
    ['/v1/runs', 422, 'validation_error'],
    ['/voiceapi/v1/text-to-speech/alloy', 422, 'validation_error'],
  ])('%s is refused with %d %s in a short answer', async (path, status, code) => {
    const { secret } = await stage.account({ scopes: ['llm', 'voice', 'publisher'] });
    const response = await stage.ask(path, {
      headers: { 'x-api-key': secret, 'content-encoding': 'gzip' },
      body: flood,
    });
    const text = await response.text();
    const isTooLarge = response.status === 413;
    expect(isTooLarge ? [status, code] : [response.status, (JSON.parse(text) as ErrorBody).error.code]).toEqual([
      status,
      code,
    ]);
    expect(text.length).toBeLessThan(500);
  });

  test('below the limit lists twenty invalid members and counts the others', async () => {
    const long = 'n'.repeat(100_000);
    const response = await stage.ask('/v1/runs', { headers, body: `{"${long}":1,${members(3_999)}}` });
    const answer = (await response.json()) as ErrorBody & { detail: { loc: string[] }[] };
    expect(response.status).toBe(422);
    expect(answer.detail).toHaveLength(20);
    expect(answer.error.message).toMatch(/ \(\d+ more issues are not listed\.\)$/);
    expect(JSON.stringify(answer).length).toBeLessThan(4_000);
  });

  test('token numbers do not count: a list of 300,000 is embedded or refused for its meaning', async () => {
    const body = JSON.stringify({ model: 'ledgerline-embed-1', input: Array.from({ length: 300_000 }, () => 1) });
    const response = await stage.ask('/v1/embeddings', { headers, body });
    expect(((await response.json()) as Partial<ErrorBody>).error?.code).not.toBe('invalid_body');
  });
});
