import { afterEach, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { functionName } from '../../../clients/typescript/cli/agents/agentModule.ts';
import { typeText } from '../../../clients/typescript/cli/agents/typeText.ts';
import { safeName } from '../../../clients/typescript/cli/files/saveFile.ts';
import { span, usd } from '../../../clients/typescript/cli/format.ts';
import { columnsOf, cutTo } from '../../../clients/typescript/cli/terminal/columns.ts';
import { safeText } from '../../../clients/typescript/cli/safeText.ts';

const main = join(import.meta.dirname, '../../../clients/typescript/cli/main.ts');
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The command line against a server that answers as it likes. */
async function start(args: string[], answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = [];
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, LEDGERLINE_API_KEY: 'sk-1', LEDGERLINE_BASE_URL: `http://127.0.0.1:${port}` };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = once(child, 'close');
  return {
    child,
    asked,
    said: async (text: string) => {
      while (!stderr.includes(text)) await once(child.stderr, 'data');
    },
    printed: async (lines: number) => {
      while (stdout.split('\n').length <= lines) await once(child.stdout, 'data');
      return stdout.trimEnd().split('\n');
    },
    ended: async () => ((await closed) as [number])[0],
  };
}

const json = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

test.each([
  [['run', 'acme/poet', 'Rain.']],
  [['run', 'acme/poet', 'Rain.', '--detach']],
  [['runs', 'rerun', 'run_0', '--from-step', '1']],
])('Ctrl-C while the order of %j is on its way cancels its run', async (args) => {
  let arrived: (response: ServerResponse) => void = () => {};
  const order = new Promise<ServerResponse>((resolve) => (arrived = resolve));
  const cli = await start(args, ({ url }, response) =>
    url!.endsWith('/cancel') ? json(response, { id: 'run_1', status: 'cancelled' }) : arrived(response),
  );
  const response = await order;
  cli.child.kill('SIGINT');
  await cli.said('Cancelling the order.');
  json(response, { id: 'run_1', status: 'queued' }, 202);
  expect(await cli.ended()).toBe(130);
  expect(cli.asked.at(-1)).toBe('POST /v1/runs/run_1/cancel');
});

test('requests --follow loses nothing when a page fails', async () => {
  const settled_at = '2026-11-26T10:00:00Z';
  const pages: Record<string, object> = {
    first: { data: [{ id: 'req_3', settled_at }], has_more: true, next_cursor: 'second' },
    second: { data: [{ id: 'req_2', settled_at }], has_more: false, next_cursor: null },
  };
  let failures = 3;
  const cli = await start(['requests', '--follow', '--from', '2026-11-01', '--json'], ({ url }, response) => {
    const cursor = new URL(url!, 'http://here').searchParams.get('cursor') ?? 'first';
    if (cursor === 'second' && (failures -= 1) >= 0) return response.writeHead(503, { 'retry-after-ms': '1' }).end();
    return json(response, pages[cursor]!);
  });
  const ids = (await cli.printed(2)).map((line) => (JSON.parse(line) as { id: string }).id);
  cli.child.kill();
  await cli.ended();
  expect(ids).toEqual(['req_2', 'req_3']);
});

test('a text of somebody else cannot steer the terminal', () => {
  expect(safeText('a\x1b]52;c;eA==\x07b\x1b[2Jc\rd\u009be\u202ef')).toBe('a�]52;c;eA==�b�[2Jc�d�e�f');
  expect(safeText('\x1b[32m✓\x1b[39m\tdone\r\n\x1b[8mhidden')).toBe('\x1b[32m✓\x1b[39m\tdone\n�[8mhidden');
  expect(safeText('日本 👩‍👩‍👧 שלום')).toBe('日本 👩‍👩‍👧 שלום');
});

test('a file is saved under a plain name, whatever it is called', () => {
  const names = ['../../etc/passwd', 'a\\..\\b.txt', '.npmrc', ' ..', '', 'x\u202etxt.exe', 'ok (1).csv'];
  expect(names.map(safeName)).toEqual(['passwd', 'b.txt', 'npmrc', 'file', 'file', 'xtxt.exe', 'ok (1).csv']);
});

test('a schema cannot bring code into a module', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string; import("evil")' }, b: { type: ['null', 'x//'] } },
  };
  expect(typeText(schema)).toBe('{\n  a?: unknown;\n  b?: null | unknown;\n}');
});

test('a function is not called as what its module imports', () => {
  expect(['define-agent', 'z', 'class', 'poet'].map(functionName)).toEqual([
    'defineAgentAgent',
    'zAgent',
    'classAgent',
    'poet',
  ]);
});

test('amounts and spans are shown as they are', () => {
  expect([0, 3e-7, 0.000123, 0.5, 12.5, -0.00000002].map(usd)).toEqual([
    '$0.00',
    '$0.0000003',
    '$0.000123',
    '$0.50',
    '$12.50',
    '-$0.00000002',
  ]);
  expect([400, 9_960, 59_700, 119_600].map(span)).toEqual(['0.4 s', '10 s', '1 min 0 s', '2 min 0 s']);
});

test('wide characters and marks count as the columns that they take', () => {
  expect(['abc', '日本', '👩‍👩‍👧', 'e\u0301', '\u200b', '\x1b[1m한\x1b[22m'].map(columnsOf)).toEqual([3, 4, 2, 1, 0, 2]);
  expect([cutTo('日本語', 5), cutTo('a👩‍👩‍👧b', 2), cutTo('abc', 5)]).toEqual(['日本', 'a', 'abc']);
});
