import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { State } from '../../../api/context.ts';
import { readForm } from '../../../api/body/multipart.ts';

const state = { key: { keyId: 'key_1' } } as State;
const keys = { watch: () => () => {} };

let server: Server;
/** The first file is stored together with the last one, which may fail. */
let lastIsTaken: PromiseWithResolvers<void>;
let dropped: string[];

beforeEach(async () => {
  lastIsTaken = Promise.withResolvers();
  dropped = [];
  server = createServer((req, res) => {
    readForm({ req, res, state }, { keys, filesMax: 3, takeFile }).then(
      ({ file, files }) => res.end([file, ...files].map((one) => `${one!.filename}=${one!.content.said}`).join(' ')),
      (error: Error) => res.writeHead(400).end(error.message),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

async function takeFile(bytes: Parameters<typeof text>[0], { filename }: { filename: string }) {
  const said = await text(bytes);
  if (filename === 'first') await lastIsTaken.promise;
  if (said === 'bad') {
    lastIsTaken.resolve();
    throw new Error('It is bad.');
  }
  if (filename === 'last') lastIsTaken.resolve();
  return { said, drop: async () => void dropped.push(filename) };
}

async function send(...files: [name: string, said: string][]): Promise<string> {
  const form = new FormData();
  for (const [name, said] of files) form.append('files', new Blob([said]), name);
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: form })).text();
}

test('returns the files of a form in their sent order, whichever was stored first', async () => {
  expect(await send(['first', 'a'], ['second', 'b'], ['last', 'c'])).toBe('first=a first=a second=b last=c');
});

test('drops all files of a form when one is refused, including those stored later', async () => {
  expect(await send(['first', 'a'], ['second', 'b'], ['last', 'bad'])).toBe('It is bad.');
  expect(dropped.toSorted()).toEqual(['first', 'second']);
});
