import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { Agent, fetch } from 'undici';
import { startScripted } from '../../rules/scripted/startScripted.ts';
import { balanceOf, makeAccount } from '../support/account.ts';
import { makeCertificate } from '../support/certificate.ts';
import { collect } from '../support/streams.ts';
import { makeDatabase, openTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { startApiProcess, textModel as model, type RunningApi } from '../support/startApi.ts';
import { until } from '../support/until.ts';

const identity = makeCertificate();
const trusting = new Agent({ connect: { ca: identity.cert } });

const apis: RunningApi[] = [];
const removals: (() => Promise<void>)[] = [];

const [database, folder] = await Promise.all([makeDatabase(), makeFolder()]);
removals.push(
  () => database.drop(),
  () => folder.remove(),
);
const db = await openTestDatabase({ url: database.url, spends: false });
const upstream = await startScripted();
const secure = await encrypt(upstream.url);
const tls = { TLS_CERT_FILE: join(folder.path, 'cert.pem'), TLS_KEY_FILE: join(folder.path, 'key.pem'), TLS_PORT: '0' };
await Promise.all([writeFile(tls.TLS_CERT_FILE, identity.cert), writeFile(tls.TLS_KEY_FILE, identity.key)]);
const start = (env: Record<string, string>) =>
  startApiProcess({ databaseUrl: database.url, upstreamUrl: secure.url, env: { ...tls, ...env } });
apis.push(await start({ NODE_EXTRA_CA_CERTS: tls.TLS_CERT_FILE }), await start({}));
afterAll(async () => {
  await trusting.destroy();
  await Promise.all(apis.map((api) => api.stop()));
  await upstream.stop();
  secure.server.close();
  await db.close();
  for (const remove of removals) await remove();
});

/** A TLS server in front of an address. */
async function encrypt(address: string) {
  const { port, hostname, pathname } = new URL(address);
  const server = createServer(identity, (socket) => {
    const inner = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, inner],
      [inner, socket],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}` };
}

/** The official client, on the encrypted listener. */
async function clientOf(api: RunningApi, apiKey: string): Promise<OpenAI> {
  const line = () => api.lines.find((text) => text.includes('"url":"https:'));
  await until(() => line() !== undefined);
  const { url } = JSON.parse(line()!) as { url: string };
  const trustingFetch = ((input: string, init: object) => fetch(input, { ...init, dispatcher: trusting })) as unknown;
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, fetch: trustingFetch as typeof globalThis.fetch });
}

const asking = (text: string) => [{ role: 'user' as const, content: JSON.stringify({ scripted: { text } }) }];

test('a stream over TLS passes through from an upstream over TLS', async () => {
  const account = await makeAccount(db, { creditUsd: '1' });
  const client = await clientOf(apis[0]!, account.secret);
  const stream = await client.chat.completions.create({ model, stream: true, messages: asking('Grüße über TLS') });
  const chunks = await collect(stream);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Grüße über TLS');
  expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('stop');
  expect(upstream.calls()).toHaveLength(1);
});

test('nothing is sent to an upstream with an untrusted certificate, and nothing is billed', async () => {
  const account = await makeAccount(db, { creditUsd: '1' });
  const client = await clientOf(apis[1]!, account.secret);
  upstream.reset();
  const refused = client.chat.completions.create({ model, messages: asking('Hi') });
  await expect(refused).rejects.toMatchObject({ status: 502, code: 'provider_failed' });
  expect(upstream.calls()).toEqual([]);
  expect(await balanceOf(db, account.workspaceId)).toBe(1_000_000_000n);
});
