import { afterEach, describe, expect, test } from '@jest/globals';
import { BUILT_IN_TOOL_NAMES } from '../../tools/tool.ts';
import { PluginUnavailable } from '../../tools/plugin.ts';
import { openToolbox, type Toolbox, type ToolboxSource } from '../../tools/toolbox.ts';
import { until } from '../support/until.ts';
import { startEverythingServer } from './everythingServer.ts';
import { scriptedSandbox } from './scriptedSandbox.ts';
import { contextOf, MemoryFiles } from './toolStage.ts';

const opened: Toolbox[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((toolbox) => toolbox.close()));
});

async function open(source: Partial<ToolboxSource> = {}): Promise<Toolbox> {
  const { sandbox } = scriptedSandbox();
  const egress = { allowPrivate: false } as const;
  const toolbox = await openToolbox({ names: BUILT_IN_TOOL_NAMES, plugins: [], sandbox, egress, ...source });
  opened.push(toolbox);
  return toolbox;
}

describe('a toolbox', () => {
  test("has the named tools, in OpenAI's form", async () => {
    const toolbox = await open();
    const { definitions } = toolbox;
    expect(definitions.map(({ name }) => name)).toEqual([...BUILT_IN_TOOL_NAMES]);
    for (const { description, parameters } of definitions) {
      expect(description.length).toBeGreaterThan(20);
      expect(parameters).toMatchObject({ type: 'object', properties: {}, additionalProperties: false });
      expect(parameters).not.toHaveProperty('$schema');
    }
    expect(BUILT_IN_TOOL_NAMES.map((name) => toolbox.kindOf(name))).toEqual([
      'sandbox',
      'file',
      'file',
      'file',
      'file',
      'file',
      'file',
      'tool',
      'tool',
      // State and memory.
      ...Array<string>(5).fill('tool'),
    ]);
  });

  test('does not have other tools', async () => {
    const toolbox = await open({ names: ['read_file'] });
    expect(toolbox.definitions.map(({ name }) => name)).toEqual(['read_file']);
    expect(await toolbox.run('run_code', '{"code":"1"}', contextOf())).toEqual({
      text: "There is no tool 'run_code'. The available tools are: read_file.",
      isError: true,
      sandboxMs: 0,
    });
  });

  test('cannot be opened with an unknown tool name', async () => {
    for (const name of ['shell', 'toString', '__proto__']) {
      await expect(open({ names: [name] })).rejects.toThrow(`no tool has the name '${name}'`);
    }
  });

  test('runs a tool with arguments in JSON', async () => {
    const files = new MemoryFiles();
    const toolbox = await open();
    await toolbox.run('write_file', '{"path":"a.txt","content":"x"}', contextOf(files));
    expect(files.textOf('a.txt')).toBe('x');
    expect(await toolbox.run('list_files', '', contextOf(files))).toMatchObject({
      text: 'a.txt (text/plain, 1 bytes)',
    });
  });

  test.each([
    ['{"path":', /not valid JSON/],
    ['[]', /do not fit the tool's schema/],
    ['null', /do not fit the tool's schema/],
    ['{"path":17}', /path: /],
    ['{"path":"../a"}', /is not a valid path of a session file/],
    ['{"path":"a"}', /There is no file 'a'/],
  ])('reports to the model what is wrong with %s', async (argsJsonText, sentence) => {
    const toolbox = await open();
    const { text, isError } = await toolbox.run('read_file', argsJsonText, contextOf());
    expect(text).toMatch(sentence);
    expect(isError).toBe(true);
  });

  test("limits a tool's result, and states the size of the cut part", async () => {
    const { sandbox } = scriptedSandbox(() => ({ stdout: '👍'.repeat(50_000) }));
    const toolbox = await open({ sandbox });
    const { text } = await toolbox.run('run_code', '{"code":"1"}', contextOf());
    expect(text).toMatch(/\n\[The rest is cut: 34464 more characters\.\]$/);
    expect(text.length).toBeLessThan(66_000);
  });

  test.each([
    ['nested too deep', `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'it is nested deeper than 64 levels'],
    ['a prototype', '{"data":{"__proto__":{"polluted":true}}}', "it has a member named '__proto__'"],
  ])('reports invalid arguments to the model: %s', async (_, args, fault) => {
    const toolbox = await open();
    const { text, isError } = await toolbox.run('return_data', args, contextOf());
    expect({ text, isError }).toEqual({ text: `The arguments cannot be used: ${fault}.`, isError: true });
  });

  test('throws internal errors', async () => {
    const files = new MemoryFiles();
    files.list = () => Promise.reject(new Error('the database is away'));
    const toolbox = await open();
    await expect(toolbox.run('list_files', '{}', contextOf(files))).rejects.toThrow('the database is away');
  });

  test('runs nothing for an aborted call', async () => {
    const toolbox = await open();
    const files = new MemoryFiles();
    const call = toolbox.run(
      'write_file',
      '{"path":"a","content":""}',
      contextOf(files, AbortSignal.abort(new Error('gone'))),
    );
    await expect(call).rejects.toThrow('gone');
    expect(files.held.size).toBe(0);
  });

  test('does not fetch private addresses', async () => {
    const toolbox = await open();
    for (const url of ['https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'http://1.1.1.1/']) {
      const { text, isError } = await toolbox.run('fetch_url', JSON.stringify({ url }), contextOf());
      expect(text).toMatch(/has no public address|Only https/);
      expect(isError).toBe(true);
    }
  });
});

describe('a toolbox with plugins', () => {
  test('has their tools beside its own, and closes their sessions', async () => {
    const server = await startEverythingServer();
    const toolbox = await open({ names: ['list_files'], plugins: [{ id: 'every', version: '1', url: server.url }] });
    expect(toolbox.definitions.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_files', 'every__echo']));
    expect(await toolbox.run('every__echo', '{"message":"hi"}', contextOf())).toMatchObject({ text: 'Echo: hi' });
    expect(await toolbox.run('echo', '{"message":"hi"}', contextOf())).toMatchObject({ isError: true });
    await toolbox.close();
    await until(() => server.lines.some((line) => line.startsWith('Received session termination')));
    await server.stop();
  });

  test('cannot be opened when one of them is unavailable', async () => {
    const server = await startEverythingServer();
    const plugins = [
      { id: 'every', version: '1', url: server.url },
      { id: 'other', version: '1', url: `${server.url}/nowhere` },
    ];
    await expect(open({ plugins })).rejects.toBeInstanceOf(PluginUnavailable);
    await server.stop();
  });
});
