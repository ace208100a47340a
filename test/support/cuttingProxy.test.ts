import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAnswerCuts } from './cuttingProxy.ts';
import { openSocket, readRaw } from './http.ts';

const TEXT = 'An answer of some length.';

const server = createServer((req, res) => {
  if (req.url === '/chunks') for (const word of TEXT.split(/(?<= )/)) res.write(word);
  else res.setHeader('content-length', TEXT.length).write(TEXT);
  res.end();
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => void server.close());

/** What arrives of an answer, on a connection of its own. */
async function rawAnswer(address: string, path: string): Promise<string> {
  const socket = await openSocket(address);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  return (await readRaw(socket)).text.replace(/^date: .*\r\n/im, '');
}

test.each(['/length', '/chunks'])('every third answer of %s is cut, at each place in turn', async (path) => {
  const proxy = await startAnswerCuts(url);
  const whole = await rawAnswer(url, path);
  const lengths: number[] = [];
  for (let number = 1; number <= 12; number += 1) {
    const text = await rawAnswer(proxy.url, path);
    if (number % 3) expect(text).toBe(whole);
    else lengths.push(text.length);
  }
  const head = whole.indexOf('\r\n\r\n') + 4;
  const [before, inHead, middle, end] = lengths as [number, number, number, number];
  expect([before, end]).toEqual([0, whole.length - 1]);
  expect(inHead).toBeLessThan(head);
  expect(middle).toBeGreaterThan(head);
  expect(middle).toBeLessThan(whole.length);
  expect(proxy.cuts.map(({ request, place }) => [request, place])).toEqual([
    [`GET ${path}`, 'before its first byte'],
    [`GET ${path}`, 'in its headers'],
    [`GET ${path}`, 'in its middle'],
    [`GET ${path}`, 'before its last byte'],
  ]);
  await proxy.stop();
});

test('answers are counted over connections that stay open', async () => {
  const proxy = await startAnswerCuts(url, { firstPlace: 3 });
  const heard = async () => fetch(`${proxy.url}/length`).then((answer) => answer.text());
  expect([await heard(), await heard()]).toEqual([TEXT, TEXT]);
  await expect(heard()).rejects.toThrow();
  expect(await heard()).toBe(TEXT);
  expect(proxy.answers()).toBe(4);
  await proxy.stop();
});
