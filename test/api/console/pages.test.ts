import { afterAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createPages } from '../../../api/console/pages.ts';
import type { State } from '../../../api/context.ts';
import { FlatResponse } from '../../../api/http/flatResponse.ts';

const script = 'console.log("the console");'.repeat(50);
const html = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><title>Console</title>';
const page = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

const folder = await mkdtemp(join(tmpdir(), 'ledgerline-pages-'));
const answer = createPages({ pagesDir: folder, publicUrl: 'http://localhost:4000', signIn: [] });
const app = new Koa<State>();
app.use(async (ctx) => {
  ctx.set('cache-control', 'no-store');
  if (!(await answer(ctx))) ctx.status = 404;
});
const handle = app.callback();
const server = createServer({ ServerResponse: FlatResponse }, (req, res) => void handle(req, res)).listen(0);
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const ask = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init);

/** Sends a Host header, which fetch forbids. */
async function send(path: string, headers: Record<string, string>) {
  const [response] = (await once(get(`${url}${path}`, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  const { statusCode: status, headers: answered } = response;
  return { status, location: answered.location };
}

test('before the build a person gets an explanation, and a program gets no page', async () => {
  const response = await ask('/keys', page);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('3');
  expect(await response.text()).toContain('The console is being built');
  expect(response.headers.get('content-security-policy')).toContain("; img-src 'self'; form-action 'none'; ");
  expect((await ask('/keys')).status).toBe(404);
  expect((await ask('/assets/a.js')).status).toBe(404);
});

test('each page address gets the document with its own nonce; other addresses get none', async () => {
  await build(html);
  const answers = await Promise.all(['/', '/keys', '/requests/req_1'].map((path) => ask(path, page)));
  const nonces = new Set<string>();
  for (const response of answers) {
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const nonce = /nonce="([^"]+)"/.exec(await response.text())![1]!;
    nonces.add(nonce);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain('frame-src blob:;');
    expect(policy).not.toContain('unsafe');
  }
  expect(nonces.size).toBe(3);
  for (const path of ['/v1/nothing', '/platform/v1/x', '/console/v1/x', '/textapi/v1/x', '/assets/none.js'])
    expect([path, (await ask(path, page)).status]).toEqual([path, 404]);
  expect((await ask('/keys', { ...page, method: 'POST' })).status).toBe(404);
  expect((await ask('/')).status).toBe(200);
});

test('files are cached for a year and sent compressed, and nothing outside of the folder is sent', async () => {
  await build(html);
  const plain = await ask('/assets/app-1.js', { headers: { 'accept-encoding': 'identity' } });
  expect(await plain.text()).toBe(script);
  expect(plain.headers.get('cache-control')).toBe('public,max-age=31536000,immutable');
  expect(plain.headers.get('content-type')).toContain('javascript');
  const small = await ask('/assets/app-1.js', { headers: { 'accept-encoding': 'gzip' } });
  expect(small.headers.get('content-encoding')).toBe('gzip');
  expect(await small.text()).toBe(script);
  await writeFile(join(folder, '..', 'ledgerline-outside.js'), 'secret');
  for (const path of ['/assets/../../ledgerline-outside.js', '/assets/..%2f..%2fledgerline-outside.js', '/assets/%00'])
    expect((await ask(path)).status).toBe(404);
  await rm(join(folder, '..', 'ledgerline-outside.js'));
});

test('a file that a newer build removes after the list was read is missing, and the process goes on', async () => {
  await build(html);
  await writeFile(join(folder, 'assets', 'old-1.js'), script);
  await writeFile(join(folder, 'assets', 'old-1.js.gz'), gzipSync(script));
  await utimes(join(folder, 'index.html'), new Date(), new Date(Date.now() + 1_000));
  await ask('/', page);
  for (const name of ['old-1.js', 'old-1.js.gz']) await rm(join(folder, 'assets', name));
  for (const encoding of ['gzip', 'identity']) {
    const response = await ask('/assets/old-1.js', { headers: { 'accept-encoding': encoding } });
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
  }
  expect((await ask('/favicon.svg', { method: 'HEAD' })).headers.get('content-length')).toBe('6');
});

test('the icon, whose name is always the same, is cached for a day', async () => {
  await build(html);
  const response = await ask('/favicon.svg');
  expect([response.status, await response.text()]).toEqual([200, '<svg/>']);
  expect(response.headers.get('cache-control')).toBe('public,max-age=86400');
});

test('the usual address of an icon leads to the icon, and crawlers may read the documentation alone', async () => {
  const icon = await ask('/favicon.ico', { redirect: 'manual' });
  expect([icon.status, icon.headers.get('location')]).toEqual([301, '/favicon.svg']);
  const robots = await ask('/robots.txt');
  expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(await robots.text()).toBe('User-agent: *\nAllow: /docs\nDisallow: /\n');
  for (const one of [icon, robots]) expect(one.headers.get('cache-control')).toBe('public,max-age=86400');
  expect((await ask('/robots.txt', { method: 'POST' })).status).toBe(404);
});

test('a newer build is served without a restart', async () => {
  await build(html);
  await ask('/', page);
  await build(html.replace('Console', 'Newer'));
  await utimes(join(folder, 'index.html'), new Date(), new Date(Date.now() + 5_000));
  expect(await (await ask('/', page)).text()).toContain('Newer');
});

async function build(document: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets', 'app-1.js'), script);
  await writeFile(join(folder, 'assets', 'app-1.js.gz'), gzipSync(script));
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'index.html'), document);
}

test('a page at this machine’s address leads to its name, with its path; a program’s call does not', async () => {
  await build(html);
  const ofMachine = await send('/keys?create=1', { accept: 'text/html', host: '127.0.0.1:4000' });
  expect(ofMachine).toEqual({ status: 302, location: 'http://localhost:4000/keys?create=1' });
  for (const host of ['localhost:4000', '127.0.0.1:4001', 'example.com'])
    expect(await send('/keys', { accept: 'text/html', host })).toMatchObject({ status: 200 });
  expect(await send('/v1/x', { accept: 'text/html', host: '127.0.0.1:4000' })).toMatchObject({ status: 404 });
});
