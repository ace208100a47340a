import { afterEach, afterAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createAnswerWatch, faultOfValue } from '../../tools/foreignJson.ts';
import { openPlugin, PluginUnavailable, type Plugin } from '../../tools/plugin.ts';
import { resultOf } from '../../tools/pluginResult.ts';
import { ToolFailure } from '../../tools/tool.ts';
import { contextOf } from './toolStage.ts';
import { startSite } from './webStage.ts';

const secret = 'canary-4be1c0';
const tool = { name: 'look', inputSchema: { type: 'object' } };

/** The server's answer to each method, as JSON text; `initialize` is answered correctly. */
let answers: { list: string; call: string; error?: string };

const site = await startSite((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    const { id, method, params } = (body ? JSON.parse(body) : {}) as {
      id?: unknown;
      method?: string;
      params?: { protocolVersion?: string };
    };
    if (id === undefined) {
      response.writeHead(request.method === 'GET' ? 405 : 202).end();
      return;
    }
    const initialised = JSON.stringify({
      protocolVersion: params?.protocolVersion ?? '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    });
    const result = { initialize: initialised, 'tools/list': answers.list, 'tools/call': answers.call }[method!];
    const unknown = '"error":{"code":-32601,"message":"no such method"}';
    const told = method === 'tools/call' && answers.error ? answers.error : result ? `"result":${result}` : unknown;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${told}}`);
  });
});
afterAll(() => site.stop());
afterEach(() => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const open = () =>
  openPlugin({
    id: 'odd',
    version: '1',
    url: `http://127.0.0.1:${site.port}/mcp`,
    headers: { authorization: `Bearer ${secret}` },
  });
const listOf = (...tools: unknown[]) => JSON.stringify({ tools });
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

async function callWith(call: string, error?: string) {
  answers = { list: listOf(tool), call, error };
  const plugin = await open();
  try {
    return await plugin.tools[0]!.run({}, contextOf());
  } finally {
    await plugin.close();
  }
}

describe('a plugin is unavailable when it offers', () => {
  test.each([
    ['a schema that is nested too deep', `{"type":"object","x":${deep(64)}}`, 'nested deeper than 64 levels'],
    [
      'one that is nested as deep as memory allows',
      `{"type":"object","x":${deep(1_000_000)}}`,
      'nested deeper than 64 levels',
    ],
    [
      'one with a member that is a prototype',
      '{"type":"object","x":{"__proto__":{"polluted":1}}}',
      "a member named '__proto__'",
    ],
    [
      'one that is too long',
      JSON.stringify({ type: 'object', description: 'x'.repeat(40_000) }),
      'longer than 32768 characters',
    ],
    ['no schema', '7', 'expected object'],
  ])('%s', async (_, schema, why) => {
    answers = { list: `{"tools":[{"name":"look","inputSchema":${schema}}]}`, call: '{}' };
    const error = await open().catch((reason: unknown) => reason as Error);
    expect(error).toBeInstanceOf(PluginUnavailable);
    expect(`${(error as Error).message} ${String((error as Error).cause)}`).toContain(why);
  });

  test('more schemas than a prompt should contain', async () => {
    const inputSchema = { type: 'object', description: 'x'.repeat(30_000) };
    const tools = Array.from({ length: 10 }, (_, at) => ({ name: `t${at}`, inputSchema }));
    answers = { list: listOf(...tools), call: '{}' };
    await expect(open()).rejects.toThrow('the schemas of its tools are longer than 262144 characters');
  });
});

describe("of a plugin's answer", () => {
  test('the credential that it quotes is removed, in results, errors and logged causes', async () => {
    const quoted = `you sent Bearer ${secret}, that is ${secret}`;
    const result = await callWith(JSON.stringify({ content: [{ type: 'text', text: quoted }] }));
    expect(result.text).toBe('you sent [credential], that is [credential]');
    const refused = callWith('{}', `"error":{"code":-32000,"message":${JSON.stringify(quoted)}}`);
    await expect(refused).rejects.toThrow('you sent [credential], that is [credential]');
    answers = { list: JSON.stringify({ tools: quoted }), call: '{}' };
    const failure = await open().catch((error: unknown) => error as Error);
    expect(String((failure as Error).cause)).not.toContain(secret);
    expect(String((failure as Error).cause).length).toBeLessThanOrEqual(520);
  });

  test('an output schema is not executed', async () => {
    const outputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } }, required: ['a'] };
    answers = {
      list: listOf({ ...tool, outputSchema }),
      call: JSON.stringify({ content: [], structuredContent: { a: `${'a'.repeat(64)}!` } }),
    };
    const plugin = await open();
    expect((await plugin.tools[0]!.run({}, contextOf())).text).toContain('aaaa');
    await plugin.close();
  });

  test.each([
    ['nested as deep as memory allows', `{"content":[],"structuredContent":{"a":${deep(1_000_000)}}}`],
    ['no object', '"text"'],
    ['null', 'null'],
    ['content of another type', '{"content":{"type":"text"}}'],
    ['a text that is not a string', '{"content":[{"type":"text","text":{"a":1}}]}'],
    ['an unknown kind of content', '{"content":[{"type":"film"}]}'],
    ['sound without bytes', '{"content":[{"type":"audio","mimeType":"audio/wav"}]}'],
  ])('what is %s ends the call as a failure for the model', async (_, call) => {
    const outcome = await callWith(call).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(ToolFailure);
  });

  test('names and addresses are limited in length', async () => {
    const long = 'x'.repeat(100_000);
    const content = [{ type: 'resource_link', name: long, uri: `https://a.example/${long}` }];
    expect((await callWith(JSON.stringify({ content }))).text.length).toBeLessThan(2_100);
  });
});

const odd = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', -1, 2 ** 53, '', '\ud800', '\0', null, [], {}, true),
  fc.jsonValue(),
);
const block = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('text'), text: fc.string() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('image', 'audio', 'resource', 'film'), data: odd, mimeType: odd, resource: odd }, { requiredKeys: ['type'] }) }, // prettier-ignore
  { weight: 1, arbitrary: odd },
);
const result = fc.oneof(
  { weight: 6, arbitrary: fc.record({ content: fc.oneof(fc.array(block, { maxLength: 3 }), odd), structuredContent: odd, isError: odd, ['__proto__']: odd }, { requiredKeys: [] }) }, // prettier-ignore
  { weight: 1, arbitrary: odd },
);
const offer = fc.record(
  { name: fc.oneof(fc.string(), odd), description: odd, inputSchema: fc.oneof(fc.constant({ type: 'object' }), odd) },
  { requiredKeys: [] },
);

test('whatever a plugin offers, its tools are valid and bounded, or it is unavailable', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(offer, { maxLength: 3 }), async (offers) => {
      answers = { list: listOf(...offers), call: '{}' };
      const plugin = await open().catch((error: unknown) => error);
      if (plugin instanceof PluginUnavailable) return;
      const opened = plugin as Plugin;
      for (const { definition } of opened.tools) {
        expect(definition.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(definition.description.length).toBeLessThanOrEqual(2_000);
        expect(faultOfValue(definition.parameters)).toBeUndefined();
      }
      await opened.close();
    }),
    { numRuns: 60 },
  );
});

test('whatever a plugin answers to a call becomes a text result or a failure for the model', async () => {
  answers = { list: listOf(tool), call: '{}' };
  const plugin = await open();
  await fc.assert(
    fc.asyncProperty(result, async (given) => {
      answers.call = JSON.stringify(given);
      const outcome = await plugin.tools[0]!.run({}, contextOf()).catch((error: unknown) => error);
      if (outcome instanceof ToolFailure) return;
      expect(outcome).toEqual({ text: expect.any(String), isError: expect.any(Boolean), sandboxMs: 0 });
    }),
    { numRuns: 300 },
  );
  await plugin.close();
});

test('structured content that cannot be walked is described', () => {
  const structuredContent = JSON.parse(`{"a":${deep(100_000)}}`) as Record<string, unknown>;
  expect(resultOf({ content: [], structuredContent }).text).toBe(
    '[The content is not shown: it is nested deeper than 64 levels.]',
  );
});

describe('the nesting depth of JSON is measured', () => {
  test('correctly, however the bytes are split', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 70 }), fc.integer({ min: 1, max: 9 }), (value, around, size) => {
        const text = Buffer.from('['.repeat(around) + JSON.stringify(value) + ']'.repeat(around));
        const watch = createAnswerWatch({ isEvents: false });
        let isDeep = false;
        for (let at = 0; at < text.length && !isDeep; at += size) isDeep = watch(text.subarray(at, at + size)) !== undefined;
        const found = faultOfValue(JSON.parse(text.toString())) === 'it is nested deeper than 64 levels';
        if (!String(text).includes('__proto__')) expect(isDeep).toBe(found);
      }),
      { numRuns: 3_000 },
    ); // prettier-ignore
  });

  test.each([
    ['an event', `event: message\ndata: ${deep(65)}\n\n`, true],
    ['many events', `data: ${deep(40)}\n\n`.repeat(3), false],
    ['an event whose brackets never close', `data: ${'['.repeat(40)}\n\n`.repeat(3), false],
    ['a quote in a comment before it', `: it's "\nevent: "\ndata: ${deep(65)}\n\n`, true],
    ['an event of several lines', `data: ${'['.repeat(40)}\ndata: ${'['.repeat(40)}\n\n`, true],
    ['carriage returns', `: "\rdata: ${deep(65)}\r\r`, true],
    ['lines that end with both', `data: ${'['.repeat(40)}\r\ndata: ${'['.repeat(40)}\r\n\r\n`, true],
    ['brackets in a text', `data: "${'['.repeat(100)}\\"${'['.repeat(100)}"\n\n`, false],
  ])('in %s', (_, text, isDeep) => {
    const fault = isDeep ? 'is nested deeper than 64 levels' : undefined;
    expect(createAnswerWatch({ isEvents: true })(Buffer.from(text))).toBe(fault);
  });
});
