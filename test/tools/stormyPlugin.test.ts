import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { openPlugin, PluginUnavailable } from '../../tools/plugin.ts';
import { retime } from '../support/clock.ts';
import { productGlobal } from '../support/productRealm.ts';
import { contextOf, failureOf } from './toolStage.ts';
import { startSite } from './webStage.ts';

type Sent = { id?: unknown; method?: string; params?: { protocolVersion?: string; cursor?: string } };

const result = (id: unknown, value: object) => JSON.stringify({ jsonrpc: '2.0', id, result: value });
const textOf = (text: string) => ({ content: [{ type: 'text', text }] });
const event = (data: string, more = '') => `${more}data: ${data}\n\n`;
const tool = { name: 'look', inputSchema: { type: 'object' } };

/** How the server answers; `resumed` counts the requests that resume a stream. */
let call: (id: unknown, response: ServerResponse, resumed: number) => void;
let list: (cursor: number) => object;
let seen: { replies: number; resumed: number; opened: number; callId: unknown };

const site = await startSite((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.method === 'GET') {
      if (request.headers['last-event-id'] === undefined) seen.opened += 1;
      else return call(seen.callId, response, (seen.resumed += 1));
    }
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString() || '{}') as Sent;
    if (id === undefined) return response.writeHead(request.method === 'GET' ? 405 : 202).end();
    if (method === undefined) {
      seen.replies += 1;
      return response.writeHead(202).end();
    }
    if (method === 'tools/call') {
      seen.callId = id;
      return call(id, response, 0);
    }
    const { protocolVersion } = params ?? {};
    const capabilities = { tools: {} };
    const serverInfo = { name: 'stormy', version: '1' };
    const known: Record<string, () => object> = {
      initialize: () => ({ protocolVersion, capabilities, serverInfo }),
      'tools/list': () => list(Number(params?.cursor ?? 0)),
    };
    const unknown = { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } };
    const made = known[method]?.();
    json(response).end(made ? result(id, made) : JSON.stringify(unknown));
  });
});
afterAll(() => site.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

const json = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' });
const events = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

const open = (given: typeof list = () => ({ tools: [tool] })) => {
  list = given;
  seen = { replies: 0, resumed: 0, opened: 0, callId: undefined };
  return openPlugin({ id: 'odd', version: '1', url: `http://127.0.0.1:${site.port}/mcp` });
};

async function callWith(given: typeof call) {
  call = given;
  const plugin = await open();
  try {
    return await plugin.tools[0]!.run({}, contextOf());
  } finally {
    await plugin.close();
  }
}

describe('the call of a plugin ends at once, with its reason, when the plugin', () => {
  const ping = (at: number) => event(JSON.stringify({ jsonrpc: '2.0', id: `p${at}`, method: 'ping' }));

  test('asks and asks for something instead of answering', async () => {
    const pings = Array.from({ length: 5_000 }, (_, at) => ping(at)).join('');
    const failure = await failureOf(callWith((_, response) => events(response).write(pings)));
    expect(failure).toBe('The plugin odd asked more than 100 times for something.');
    expect(seen.replies).toBeLessThanOrEqual(100);
  });

  test.each([
    ['events', (response: ServerResponse) => events(response).write(event('{}').repeat(10_001))],
    ['empty events', (response: ServerResponse) => events(response).write('\n'.repeat(10_001))],
    ['messages in a list', (response: ServerResponse) => json(response).write(`[${'{},'.repeat(10_001)}`)],
  ])('sends a storm of %s', async (_, storm) => {
    const failure = await failureOf(callWith((_id, response) => storm(response)));
    expect(failure).toBe('The plugin odd gave an answer that has more than 10000 messages.');
  });

  test.each([
    ['a stream', (response: ServerResponse) => events(response)],
    ['a text', (response: ServerResponse) => json(response)],
  ])('sends %s without an end', async (_, head) => {
    const part = 'x'.repeat(1024 * 1024);
    const failure = await failureOf(
      callWith((_id, response) => {
        head(response).write('data: "');
        for (let at = 0; at < 9; at += 1) response.write(part);
      }),
    );
    expect(failure).toBe('The plugin odd gave an answer that is longer than 8 MiB.');
  });

  test('sends a longer answer in pieces, each of a stream that is resumed', async () => {
    retime({ fromMs: 500, toMs: 1 });
    const piece = `: ${'x'.repeat(1024 * 1024)}\n`;
    const failure = await failureOf(
      callWith((_, response, resumed) => events(response).end(`id: ${resumed}\nretry: 0\ndata:\n${piece}\n`)),
    );
    expect(failure).toBe('The plugin odd gave an answer that is longer than 8 MiB.');
    expect(seen.resumed).toBeLessThan(10);
  });
});

test.each([
  [0, 500],
  [99_999_999_999, 5_000],
])(
  'a stream is resumed neither in a loop nor never: after %i ms as the plugin says, after %i here',
  async (retry, ms) => {
    retime({ fromMs: ms, toMs: 1 });
    const { text } = await callWith((id, response, resumed) => {
      const last = resumed === 3 ? event(result(id, textOf('here'))) : '';
      events(response).end(`retry: ${retry}\nid: ${resumed}\ndata:\n\n${last}`);
    });
    expect([text, seen.resumed]).toEqual(['here', 3]);
    // Other timers of this process may have the same length.
    const timers = jest.mocked(productGlobal.setTimeout).mock.calls.filter(([{ name }]) => name === 'reconnect');
    expect(timers.map(([, delayMs]) => delayMs)).toEqual([ms, ms, ms]);
  },
);

test('no stream is opened for what a plugin says outside of calls', async () => {
  await (await open()).close();
  expect(seen.opened).toBe(0);
});

describe('a plugin is unavailable when the list of its tools', () => {
  test.each([
    ['has no end', () => [], 'its list of tools has more than 20 pages'],
    [
      'is long, all pages together',
      () => [{ ...tool, description: 'x'.repeat(3 * 1024 * 1024) }],
      'it gave an answer that is longer than 8 MiB',
    ],
  ])('%s', async (_, toolsOf, why) => {
    const opening = open((cursor) => ({ tools: toolsOf(), nextCursor: `${cursor + 1}` }));
    const error = await opening.catch((reason: unknown) => reason as Error);
    expect(error).toBeInstanceOf(PluginUnavailable);
    expect((error as Error).message).toBe(`the plugin odd 1 cannot be used: ${why}`);
  });
});
