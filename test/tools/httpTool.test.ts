import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { createGuardedAgent, type Egress } from '../../tools/guardedAgent.ts';
import type { Resolve } from '../../tools/lookUp.ts';
import { httpTool, type HttpToolSource } from '../../tools/httpTool.ts';
import { createStreamReader } from '../../tools/streamedResult.ts';
import type { ToolCaller, ToolProgress } from '../../tools/tool.ts';
import { MIB } from '../../base/limits.ts';
import { contextOf, failureOf } from './toolStage.ts';
import { resolverOf, startSite } from './webStage.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const earlier = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const caller: ToolCaller = {
  runId: 'run_1',
  stepId: 'step_1',
  agentId: 'agent_1',
  agent: 'acme/clerk',
  version: '2026-11-26',
  mode: 'live',
};

type Answer = (response: ServerResponse, sent: { body: string; tries: number }) => void;

let answer: Answer;
let received: { headers: IncomingMessage['headers']; body: string }[];
const site = await startSite((request, response) => {
  void (async () => {
    const body = await text(request);
    received.push({ headers: request.headers, body });
    answer(response, { body, tries: received.length });
  })();
});
afterAll(() => site.stop());
beforeEach(() => {
  received = [];
  answer = (response) => response.setHeader('content-type', 'application/json').end('{"state":"shipped"}');
});

interface Calling {
  args?: unknown;
  source?: Partial<HttpToolSource>;
  egress?: Egress;
  resolve?: Resolve;
  signal?: AbortSignal;
}

async function call({ args = { order: 'A-1' }, source = {}, egress, resolve, signal }: Calling = {}) {
  const allowed: Egress = egress ?? { allowPrivate: 'loopback' };
  const agent = createGuardedAgent(allowed, resolve);
  const whole = {
    name: 'find_order',
    description: 'Finds an order.',
    input_schema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    url: `http://127.0.0.1:${site.port}/orders`,
    ...source,
  };
  const tool = httpTool(whole, { agent, egress: allowed, secretsOf: async () => [secret, earlier], firstDelayMs: 1 });
  const progress: ToolProgress[] = [];
  try {
    const context = { ...contextOf(undefined, signal), caller, onProgress: (one: ToolProgress) => progress.push(one) };
    return { ...(await tool.run(args, context)), progress };
  } finally {
    await agent.destroy();
  }
}

describe('a call', () => {
  test('is signed by each secret as Standard Webhooks say, with the step as its idempotency key', async () => {
    expect(await call()).toMatchObject({ text: '{"state":"shipped"}', isError: false, sandboxMs: 0 });
    const [{ headers, body }] = received as [(typeof received)[number]];
    for (const one of [secret, earlier]) expect(new Webhook(one).verify(body, headers as never)).toBeTruthy();
    expect(headers).toMatchObject({ 'idempotency-key': 'step_1', 'webhook-id': 'step_1' });
    expect(JSON.parse(body)).toEqual({
      type: 'tool.call',
      id: 'step_1',
      tool: 'find_order',
      arguments: { order: 'A-1' },
      run_id: 'run_1',
      agent: 'acme/clerk',
      version: '2026-11-26',
      mode: 'live',
    });
  });

  test('with arguments that do not fit the schema is not sent', async () => {
    expect(await failureOf(call({ args: { order: 7 } }))).toMatch(/do not fit.*order/);
    expect(await failureOf(call({ args: ['A-1'] }))).toMatch(/one JSON object/);
    expect(received).toEqual([]);
  });

  test.each([429, 500, 503])('that is answered %i is tried again, with the same body and key', async (status) => {
    answer = (response, { tries }) => response.writeHead(tries < 3 ? status : 200).end('Shipped.');
    expect(await call()).toMatchObject({ text: 'Shipped.', isError: false });
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['step_1', 'step_1', 'step_1']);
  });

  test('whose connection breaks off is tried again', async () => {
    answer = (response, { tries }) => (tries < 2 ? response.destroy() : response.end('Shipped.'));
    expect(await call()).toMatchObject({ text: 'Shipped.', isError: false });
  });

  test('ends with the last error after six tries', async () => {
    for (const [said, sentence] of [
      ['Busy.', 'Busy.'],
      ['ok', 'ok.'],
      ['"Why?"', '"Why?"'],
    ]) {
      received.length = 0;
      answer = (response) => response.writeHead(503).end(said);
      const text = `The tool find_order answered 503: ${sentence} It was tried 6 times.`;
      expect(await call()).toMatchObject({ text, isError: true });
      expect(received).toHaveLength(6);
    }
  });

  test('that would wait beyond its time is not repeated', async () => {
    answer = (response) => response.writeHead(503, { 'retry-after': '30' }).end();
    expect((await call({ source: { timeout_seconds: 5 } })).text).toBe('The tool find_order answered 503.');
    expect(received).toHaveLength(1);
  });

  test.each([
    ['a date', () => new Date(Date.now() + 30_000).toUTCString(), 1],
    ['a date that has passed', () => 'Wed, 21 Oct 2015 07:28:00 GMT', 2],
    ['no time', () => 'soon', 2],
  ])('waits as long as `Retry-After` says, also as %s', async (_name, said, tries) => {
    answer = (response, { tries }) =>
      tries === 1 ? response.writeHead(503, { 'retry-after': said() }).end() : response.end('Shipped.');
    await call({ source: { timeout_seconds: 5 } });
    expect(received).toHaveLength(tries);
  });

  test('that gets no answer in its time is an error for the model', async () => {
    answer = () => {};
    expect(await call({ source: { timeout_seconds: 1 } })).toMatchObject({
      text: 'The tool find_order did not answer within 1 second.',
      isError: true,
    });
  });

  test('ends with its signal, and its request too', async () => {
    const cancel = new AbortController();
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        void once(response, 'close').then(() => resolve());
        cancel.abort('cancelled');
      };
    });
    await expect(call({ signal: cancel.signal })).rejects.toBe('cancelled');
    await closed;
  });
});

describe('an answer', () => {
  test.each([
    [400, 'No such order.', 'The tool find_order answered 400: No such order.'],
    [404, '', 'The tool find_order answered 404.'],
    [302, '', 'The tool find_order redirected (302). Redirects are not followed.'],
  ])('of the status %i is an error for the model, at once', async (status, body, expected) => {
    answer = (response) => response.writeHead(status, { location: 'http://127.0.0.1/secret' }).end(body);
    expect(await call()).toMatchObject({ text: expected, isError: true });
    expect(received).toHaveLength(1);
  });

  test('without content says so', async () => {
    answer = (response) => response.writeHead(204).end();
    expect(await call()).toMatchObject({ text: '[No content.]', isError: false });
  });

  test.each([
    ['image/png', Buffer.from('PNG'), /'image\/png', which is not text/],
    ['text/plain', Buffer.from([0, 1, 0, 2]), /not text/],
    ['text/plain', Buffer.alloc(MIB + 1, 'a'), /more than 1 MiB/],
  ])('of the type %s that no model can read is an error', async (type, bytes, expected) => {
    answer = (response) => response.setHeader('content-type', type).end(bytes);
    const { text: said, isError } = await call();
    expect([said, isError]).toEqual([expect.stringMatching(expected), true]);
  });

  test.each(['gzip', 'br'])('compressed with %s is refused', async (encoding) => {
    answer = (response) => response.setHeader('content-encoding', encoding).end('x');
    expect((await call()).text).toMatch(/compressed/);
  });
});

describe('an endless answer', () => {
  test.each([
    ['heads of the status 103', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
    ['the reason of its status', 'HTTP/1.1 200 O', 'O'],
    ['an extension of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;a=', 'b'],
  ])('of %s is an error, long before the time is up', async (_, beginning, part) => {
    const parts = part.repeat(1_000);
    answer = ({ socket }) => {
      const goOn = () => {
        while (!socket!.destroyed && socket!.write(parts));
        socket!.once('drain', goOn);
      };
      socket!.write(beginning);
      goOn();
    };
    const said = 'The tool find_order answered with more than 1 MiB.';
    expect(await call({ source: { timeout_seconds: 600 } })).toMatchObject({ text: said, isError: true });
    expect(received).toHaveLength(1);
  });
});

describe('a streamed answer', () => {
  const progress = [
    { message: 'Half', percentage: 50 },
    { message: 'Nearly', percentage: null },
  ];

  test('of events brings progress, then the result with all digits', async () => {
    const result = '{"state":"shipped","order_id":12345678901234567891}';
    answer = (response) => {
      response.setHeader('content-type', 'text/event-stream; charset=utf-8');
      response.write(': hello\n\nevent: progress\ndata: {"message":"Half","percentage":50}\n\n');
      response.write('event: other\ndata: {}\n\nevent: progress\r\ndata: Nearly\r\n\r\n');
      response.end(`event: result\ndata: {"result":${result}}\n\n`);
    };
    expect(await call()).toMatchObject({ text: result, isError: false, progress });
  });

  test.each(['application/x-ndjson', 'application/jsonl'])('of lines (%s) too', async (type) => {
    answer = (response) => {
      response.setHeader('content-type', type);
      response.write('{"type":"progress","message":"Half","percentage":50}\n{"type":"progress","mess');
      response.write('age":"Nearly","percentage":120}\n\n{"type":"later"}\n');
      response.end('{"type":"result","result":"Shipped."}');
    };
    expect(await call()).toMatchObject({ text: 'Shipped.', isError: false, progress });
  });

  test('ends with its result, whatever follows', async () => {
    answer = (response) => {
      response.setHeader('content-type', 'application/x-ndjson');
      response.write('{"type":"result","result":"Shipped."}\n{"type":"error","message":"Late."}\n');
    };
    expect(await call()).toMatchObject({ text: 'Shipped.', isError: false });
  });

  test.each([
    ['{"type":"error","message":"No such order."}\n', 'The tool find_order failed: No such order.'],
    ['{"type":"progress","message":"Half"}\n', 'The tool find_order ended its stream without a result.'],
    [`{"type":"result","result":${'['.repeat(70)}${']'.repeat(70)}}\n`, /cannot be used: it is nested deeper/],
    ['{"type":"result","result":[1e999]}\n', /cannot be used: it has a number/],
  ])('%s is an error', async (body, expected) => {
    answer = (response) => response.setHeader('content-type', 'application/x-ndjson').end(body);
    const { text: said, isError } = await call();
    expect([said, isError]).toEqual([expect.stringMatching(expected), true]);
  });

  test('of one long line in tiny pieces is not read anew with each piece', () => {
    const reader = createStreamReader('application/x-ndjson', () => {});
    const split = jest.spyOn(String.prototype, 'split');
    try {
      reader.push(Buffer.from('{"type":"result","result":"'));
      for (let count = 0; count < 1_000; count += 1) reader.push(Buffer.from('x'));
      expect(reader.push(Buffer.from('"}\n'))).toBe(true);
      expect(split.mock.calls.length).toBeLessThan(10);
    } finally {
      split.mockRestore();
    }
    expect(reader.end()).toEqual({ text: 'x'.repeat(1_000), isError: false });
  });

  test('that breaks off is asked for again, with the same key', async () => {
    answer = (response, { tries }) => {
      response.setHeader('content-type', 'application/x-ndjson');
      if (tries > 1) response.end('{"type":"result","result":"Shipped."}\n');
      else response.write('{"type":"progress","message":"Half","percentage":50}\n', () => response.destroy());
    };
    expect(await call()).toMatchObject({ text: 'Shipped.', isError: false });
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['step_1', 'step_1']);
  });
});

describe('an address', () => {
  test.each([
    ['http://example.com/', { 'example.com': ['93.184.216.34'] }],
    ['https://127.0.0.1/', {}],
    ['https://inside.example.com/', { 'inside.example.com': ['10.0.0.7'] }],
  ])('%s is not called', async (url, names) => {
    const refused = await call({ source: { url }, egress: { allowPrivate: false }, resolve: resolverOf(names) });
    expect(refused).toMatchObject({ text: 'The tool find_order has no public https address.', isError: true });
    expect(site.hits.filter((hit) => !hit.startsWith('/orders'))).toEqual([]);
  });

  test('that does not exist says so, without a retry', async () => {
    const source = { url: 'https://gone.example.com/' };
    const refused = await call({ source, egress: { allowPrivate: false }, resolve: resolverOf({}) });
    expect(refused.text).toBe('The tool find_order has a host name that does not exist.');
  });
});
