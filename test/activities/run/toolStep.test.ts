import { describe, expect, test } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import type { RunDependencies } from '../../../activities/dependencies.ts';
import type { Bound, Rows } from '../../../db/postgres/rows.ts';
import { createToolFiles, createToolStep } from '../../../activities/run/toolStep.ts';

const paths = ['a.txt', 'b.txt', 'c.txt'];

/** A database with three files, which records its queries. */
function stage() {
  const asked: string[] = [];
  const query = async ({ name, values }: { name: string; values: string[] }) => {
    asked.push(`${name} ${values[0]}`);
    if (name === 'file_bytes') return { rows: [{ bytes: Buffer.from(values[0]!) }] };
    return { rows: paths.map((path) => ({ path, fileId: `file of ${path}`, mediaType: 'text/plain', sizeBytes: 1 })) };
  };
  const bound = { client: { query }, workspaceId: 'ws_1' } as unknown as Bound;
  const statement = (work: (rows: Bound) => unknown) => work(bound);
  const { files } = createToolFiles({ statement } as unknown as Rows, 'ses_1');
  return { files, asked };
}

test('a call that reads every file of its session queries the list once', async () => {
  const { files, asked } = stage();
  for (const { path } of await files.list()) expect(String(await files.read(path))).toBe(`file of ${path}`);
  expect(await files.read('d.txt')).toBeUndefined();
  expect(asked).toEqual(['session_files ses_1', ...paths.map((path) => `file_bytes file of ${path}`)]);
});

test('files written by a call are listed and read unchanged', async () => {
  const { files } = stage();
  await files.list();
  await files.write({ path: 'b.txt', bytes: Buffer.from('mine'), mediaType: 'text/plain' });
  expect((await files.list()).map(({ path }) => path)).toEqual(['a.txt', 'c.txt', 'b.txt']);
  expect(String(await files.read('b.txt'))).toBe('mine');
});

describe('a tool that ends with its result', () => {
  /** Runs a tool whose worker loses the step, or gets a cancellation, while the tool ends. Returns its outcome and its stored result. */
  async function endTool(stop: 'lost' | 'cancelled' | undefined) {
    const cancel = new AbortController();
    const stored: string[] = [];
    const run = { real_at: new Date(), at: new Date(), last_sequence: 4, rate_card: { meters: [] }, meters: {} };
    const rowsOf: Record<string, object[]> = {
      runs_tool_call: [
        { workspaceId: 'ws_1', name: 'look', arguments: '{}', configuration: {}, prices: { meters: [] } },
      ],
      run_steps_begin_new: [run],
    };
    const query = async ({ name }: { name: string }) => {
      stored.push(name);
      return { rows: rowsOf[name] ?? [] };
    };
    const connect = async () => {
      stored.push('transaction');
      throw new Error('nothing can be stored here');
    };
    const toolbox = {
      kindOf: () => 'tool',
      run: async () => {
        if (stop) cancel.abort();
        return { text: 'Seen.', isError: false, sandboxMs: 0 };
      },
      close: () => Promise.resolve(),
    };
    const context = {
      cancellationSignal: cancel.signal,
      cancellationDetails: { cancelRequested: stop === 'cancelled' },
      heartbeat: () => {},
      info: { attempt: 1 },
      log: { warn: () => {} },
    } as unknown as Context;
    const toolStep = createToolStep({
      db: { pool: { query, connect }, write: () => ({}), notices: { listen: () => () => {} } },
      models: { runningModelOf: () => undefined },
      openTools: async () => toolbox,
      retryDelayMaxMs: 1,
    } as unknown as RunDependencies);
    const order = { runId: 'run_a', step: 2, modelStep: 1, deadlineMs: Date.now() + 60_000 };
    const outcome = await asyncLocalStorage.run(context, () => toolStep(order)).catch((error: Error) => error.name);
    return { outcome, stored };
  }

  test('stores nothing when another worker carries its step', async () => {
    const { outcome, stored } = await endTool('lost');
    expect([outcome, stored]).toEqual(['CancelledFailure', ['runs_tool_call', 'run_steps_begin_new']]);
  });

  test.each([undefined, 'cancelled'] as const)('stores it when it is %s', async (stop) => {
    expect((await endTool(stop)).stored).toContain('transaction');
  });
});
