import { expect, test } from '@jest/globals';
import { createSandbox, DEFAULT_LIMITS } from '../../../tools/sandbox/sandbox.ts';
import { openQuickjs } from '../../../tools/sandbox/quickjs.ts';

const program = { language: 'javascript' as const, code: '6 * 7', files: [] };

test('a call that is cancelled while its sandbox starts ends at once, and the next call uses that sandbox', async () => {
  const tier = await openQuickjs(DEFAULT_LIMITS);
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  let prepared = 0;
  const prepare = async () => {
    prepared += 1;
    await gate;
    return tier.prepare();
  };
  const sandbox = createSandbox({ ...tier, prepare }, DEFAULT_LIMITS);
  const leaving = new AbortController();
  const cancelled = sandbox.run(program, leaving.signal);
  leaving.abort();
  expect(await cancelled).toMatchObject({ ending: 'cancelled', files: [] });
  const next = sandbox.run(program, new AbortController().signal);
  expect(prepared).toBe(1);
  open();
  expect(await next).toMatchObject({ ending: 'ok', result: '42' });
  await sandbox.close();
});
