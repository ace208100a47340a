import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { openPlugin, PluginUnavailable, type PluginAddress } from '../../tools/plugin.ts';
import { retime } from '../support/clock.ts';
import { productGlobal } from '../support/productRealm.ts';
import { contextOf, failureOf } from './toolStage.ts';
import { startSite } from './webStage.ts';
import { startEverythingServer } from './everythingServer.ts';

const server = await startEverythingServer();
const plugin = await openPlugin({ id: 'every', version: '1', url: server.url });
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await plugin.close();
  await server.stop();
});

const toolOf = (name: string) => plugin.tools.find(({ definition }) => definition.name === `every__${name}`)!;
const run = (name: string, args: unknown, signal?: AbortSignal) => toolOf(name).run(args, contextOf(undefined, signal));

describe('the tools of a plugin', () => {
  test("have the plugin's name, description and schema", () => {
    expect(toolOf('get-sum').definition).toMatchObject({
      name: 'every__get-sum',
      description: expect.stringMatching(/sum of two numbers/),
      parameters: {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'number' }, b: { type: 'number' } },
      },
    });
    for (const { definition } of plugin.tools) expect(definition.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  test('answer with text', async () => {
    expect(await run('echo', { message: 'hi' })).toEqual({ text: 'Echo: hi', isError: false, sandboxMs: 0 });
    expect((await run('get-sum', { a: 2, b: 40 })).text).toBe('The sum of 2 and 40 is 42.');
  });

  test('describe content that is not text', async () => {
    expect((await run('get-tiny-image', {})).text).toMatch(/\[image: image\/png, \d+ bytes, not shown\]/);
  });

  test('answer with resources as text, and with links', async () => {
    const text = await run('get-resource-reference', { resourceType: 'Text', resourceId: 1 });
    expect(text.text).toMatch(/\[resource: demo:\/\/[^\]]+\]\n.*plaintext/);
    const blob = await run('get-resource-reference', { resourceType: 'Blob', resourceId: 1 });
    expect(blob.text).toMatch(/\[resource: demo:\/\/[^\]]+ \d+ bytes, not shown\]/);
    expect((await run('get-resource-links', { count: 2 })).text).toMatch(/\[link: [^\]]+, demo:\/\/[^\]]+\]/);
  });

  test('answer with structured content', async () => {
    const { text } = await run('get-structured-content', { location: 'New York' });
    expect(JSON.parse(text)).toMatchObject({ temperature: expect.any(Number) });
  });

  test('report invalid arguments as an error for the model', async () => {
    const { text, isError } = await run('get-sum', { a: 'two' });
    expect(isError).toBe(true);
    expect(text).toMatch(/invalid/i);
    expect(await failureOf(run('get-sum', [1, 2]))).toBe('The arguments must be one JSON object.');
  });

  test('run concurrently', async () => {
    const sums = await Promise.all(Array.from({ length: 20 }, (_, a) => run('get-sum', { a, b: 1 })));
    expect(sums.map(({ text }) => text)).toEqual(sums.map((_, a) => `The sum of ${a} and 1 is ${a + 1}.`));
  });

  test('end when the call is aborted, with its reason', async () => {
    const abort = new AbortController();
    const { fetch } = productGlobal;
    // The server is working once it has sent the head of a stream.
    jest.spyOn(productGlobal, 'fetch').mockImplementationOnce(async (...given) => {
      const answer = await fetch(...given);
      setImmediate(() => abort.abort(new Error('cancelled')));
      return answer;
    });
    const running = run('trigger-long-running-operation', { duration: 60, steps: 60 }, abort.signal);
    await expect(running).rejects.toThrow('cancelled');
    expect((await run('echo', { message: 'still here' })).text).toBe('Echo: still here');
  });

  test('end after a minute', async () => {
    retime({ fromMs: 60_000, toMs: 50 });
    const failure = failureOf(run('trigger-long-running-operation', { duration: 60, steps: 60 }));
    expect(await failure).toBe('The plugin every did not answer within 60 seconds.');
  });
});

describe('a plugin is unavailable', () => {
  const refusal = async (address: Partial<PluginAddress>) => {
    const opening = openPlugin({ id: 'every', version: '1', url: server.url, ...address });
    const error = await opening.then(
      (opened) => opened.close(),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(PluginUnavailable);
    return (error as Error).message;
  };

  test('when no server listens', async () => {
    const site = await startSite(() => undefined);
    await site.stop();
    expect(await refusal({ url: `http://127.0.0.1:${site.port}/mcp` })).toMatch(/it cannot be reached$/);
  });

  test.each([301, 302, 303, 307, 308])(
    'when its server redirects with %i to another origin, which gets nothing',
    async (status) => {
      const [other, hit] = [await startSite((_, response) => response.end()), jest.fn()];
      const site = await startSite((request, response) => {
        hit(request.url, request.headers['x-plugin-key']);
        const location = request.url === '/mcp' ? '/moved' : `http://localhost:${other.port}/mcp`;
        response.writeHead(status, { location }).end();
      });
      const url = `http://127.0.0.1:${site.port}/mcp`;
      expect(await refusal({ url, headers: { 'X-Plugin-Key': 'canary' } })).toMatch(/it cannot be reached$/);
      await Promise.all([site.stop(), other.stop()]);
      expect(other.hits).toEqual([]);
      expect(hit).toHaveBeenCalledWith('/mcp', 'canary');
      // Within its origin a redirect is followed if it keeps the method.
      expect(hit.mock.calls.some(([path]) => path === '/moved')).toBe(status >= 307);
    },
  );

  test('when its answer exceeds the memory limit', async () => {
    const site = await startSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(9 * 1024 * 1024)}"`);
    });
    expect(await refusal({ url: `http://127.0.0.1:${site.port}/mcp` })).toMatch(
      /it gave an answer that is longer than 8 MiB$/,
    );
    await site.stop();
  });
});

describe('a plugin that disconnects', () => {
  test("becomes a failure for the model, without the plugin's address", async () => {
    const gone = await startEverythingServer();
    const opened = await openPlugin({ id: 'gone', version: '1', url: gone.url });
    await gone.stop();
    const echo = opened.tools.find(({ definition }) => definition.name === 'gone__echo')!;
    expect(await failureOf(echo.run({ message: 'x' }, contextOf()))).toBe('The plugin gone failed and gave no answer.');
    await opened.close();
  });
});
