import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { assertContained } from '../../../tools/sandbox/escapeSuite.ts';
import { openSandbox, SandboxError, type Ending, type Sandbox } from '../../../tools/sandbox/sandbox.ts';
import { withPython } from '../../../tools/sandbox/withPython.ts';
import { makeFolder } from '../../support/folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');

describe('a tier that is not installed', () => {
  const { PATH, SANDBOX_BWRAP, SANDBOX_RUNSC } = process.env;
  beforeEach(() => {
    process.env.PATH = '/nowhere';
    delete process.env.SANDBOX_BWRAP;
    delete process.env.SANDBOX_RUNSC;
  });
  afterEach(() => {
    Object.assign(process.env, { PATH });
    if (SANDBOX_BWRAP) process.env.SANDBOX_BWRAP = SANDBOX_BWRAP;
    if (SANDBOX_RUNSC) process.env.SANDBOX_RUNSC = SANDBOX_RUNSC;
  });

  test.each([
    ['bwrap', /install the package "bubblewrap", or set SANDBOX_BWRAP/],
    ['gvisor', /install runsc .* or set SANDBOX_RUNSC/],
  ] as const)('is refused with instructions to install it: %s', async (tier, words) => {
    await expect(openSandbox({ tier })).rejects.toMatchObject({
      name: 'SandboxError',
      message: expect.stringMatching(words),
    });
  });

  test('is not needed by the default, which then is QuickJS without a jail', async () => {
    const sandbox = await openSandbox({ tier: 'quickjs' });
    expect(sandbox).toMatchObject({ tier: 'quickjs', languages: ['javascript'] });
    expect(sandbox.description).not.toContain('bubblewrap');
    await expect(
      sandbox.run({ language: 'python', code: '1', files: [] }, new AbortController().signal),
    ).rejects.toMatchObject({ name: 'SandboxError', message: 'The quickjs sandbox runs javascript, not python.' });
    await expect(
      sandbox.run(
        { language: 'javascript', code: '1', files: [{ path: '../a', bytes: Buffer.of() }] },
        new AbortController().signal,
      ),
    ).rejects.toMatchObject({ name: 'SandboxError' });
    await sandbox.close();
  });
});

describe('Python beside QuickJS', () => {
  const sandboxOf = (language: 'javascript' | 'python', closed: string[] = []): Sandbox => ({
    tier: language === 'python' ? 'bwrap' : 'quickjs',
    languages: [language],
    description: language,
    run: async ({ code }) => ({ ...outcome, ending: 'ok', stdout: `${language}: ${code}` }),
    close: async () => void closed.push(language),
  });
  const run = (sandbox: Sandbox, language: 'javascript' | 'python') =>
    sandbox.run({ language, code: 'x', files: [] }, new AbortController().signal);

  test('runs each program in the sandbox of its language, and closes both', async () => {
    const closed: string[] = [];
    const both = await withPython(
      Promise.resolve(sandboxOf('javascript', closed)),
      Promise.resolve(sandboxOf('python', closed)),
    );
    expect(both).toMatchObject({ tier: 'quickjs', languages: ['javascript', 'python'] });
    expect([(await run(both, 'python')).stdout, (await run(both, 'javascript')).stdout]).toEqual([
      'python: x',
      'javascript: x',
    ]);
    await both.close();
    expect(closed.toSorted()).toEqual(['javascript', 'python']);
  });

  test('is left out, with the reason, where its sandbox does not hold', async () => {
    const fails = Promise.reject(new SandboxError('python reached the host'));
    const alone = await withPython(Promise.resolve(sandboxOf('javascript')), fails);
    expect(alone).toMatchObject({
      languages: ['javascript'],
      description: 'javascript; no Python: python reached the host',
    });
  });

  test('does not stand in for QuickJS', async () => {
    const closed: string[] = [];
    const fails = Promise.reject(new SandboxError('an endless loop could not be stopped'));
    await expect(withPython(fails, Promise.resolve(sandboxOf('python', closed)))).rejects.toThrow('endless loop');
    expect(closed).toEqual(['python']);
  });
});

const outcome = { stdout: '', stderr: '', result: null, files: [], durationMs: 1 };

describe('the escape suite', () => {
  /** A sandbox that gives an unsafe result for programs that contain the word. */
  const sandboxThat = (word: string, ending: Ending, stdout = ''): Sandbox => ({
    tier: 'bwrap',
    languages: ['javascript', 'python'],
    description: '',
    close: async () => undefined,
    run: async ({ code }) => {
      if (code.includes(word)) return { ...outcome, ending, stdout };
      if (code.includes('reached')) return { ...outcome, ending: 'ok', stdout: 'reached: nothing\n' };
      if (/console\.log|while True/.test(code)) return { ...outcome, ending: 'output_limit' };
      return { ...outcome, ending: code.includes('held') ? 'out_of_memory' : 'cancelled' };
    },
  });

  test('passes a safe sandbox', async () => {
    await expect(assertContained(sandboxThat('no such word', 'ok'))).resolves.toBeUndefined();
  });

  test.each([
    ['reached', 'ok', 'reached: /etc/passwd', /javascript reached the host .*\/etc\/passwd/],
    ['for (;;);', 'ok', '', /an endless loop could not be stopped/],
    ['indexOf', 'ok', '', /a long built-in could not be stopped/],
    ['x', 'ok', 'reached: nothing', /output is not bounded/],
    ['Uint8Array', 'ok', '', /memory is not bounded/],
    ['create_connection', 'ok', 'reached: the network', /python reached the host .*the network/],
    ['pow', 'ok', '', /a long built-in of Python could not be stopped/],
    ['while True', 'ok', '', /output of Python is not bounded/],
    ['held = [b', 'ok', '', /memory of Python is not bounded/],
    ['fork', 'ok', 'forked', /processes of Python are not bounded/],
  ] as const)('fails one from which %s escapes', async (word, ending, stdout, words) => {
    await expect(assertContained(sandboxThat(word, ending, stdout))).rejects.toMatchObject({
      name: 'SandboxError',
      message: expect.stringMatching(words),
    });
  });
});

test('QuickJS works in an installation whose packages are a link to others', async () => {
  const folder = await makeFolder();
  try {
    for (const name of ['tools/sandbox', 'base', 'package.json'])
      await cp(join(root, name), join(folder.path, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
    const script = `
      const { openSandbox } = await import(${JSON.stringify(join(folder.path, 'tools', 'sandbox', 'sandbox.ts'))});
      const sandbox = await openSandbox({ tier: 'quickjs' });
      console.log(sandbox.tier);
      await sandbox.close();`;
    const env = { PATH: '/nowhere' };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
    expect(stdout).toBe('quickjs\n');
  } finally {
    await folder.remove();
  }
});
