import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../support/folder.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { textModel } from '../../support/startApi.ts';
import { installNodeClients } from '../nodeClients.ts';
import { installVenv, runPython } from '../pythonVenv.ts';
import { describeWithPython } from '../withPython.ts';

const snippets = join(import.meta.dirname, '../../../docs/guides/snippets/voice');
const spoken = 'Very well, thank you.';

/** The guide's programs: what they print, and what their account is billed for. */
const PROGRAMS: Record<string, [printed: RegExp, billed: string[]]> = {
  'aiSdk.mjs': [/france/i, ['speech', 'transcription']],
  'livekit.py': [/france/i, ['speech', 'transcription']],
  'livekitRealtime.py': [/^Very well, thank you\.\s*$/, ['realtime']],
  'pipecat.py': [/^Very\nwell,\nthank\nyou\.\n$/, ['speech', 'text']],
};

const [stage, folder] = await Promise.all([setGuardStage(), makeFolder()]);
stage.upstream.script({ text: spoken });
afterAll(async () => {
  await stage.close();
  await folder.remove();
});

/** Writes a program for this installation, with an account of its own. */
async function place(file: string) {
  const program = join(folder.path, `main${extname(file)}`);
  await writeFile(program, (await readFile(join(snippets, file), 'utf8')).replaceAll('MODEL_ID', textModel));
  const account = await stage.account({ balanceNanos: 10_000_000_000n });
  const env = { BASE_URL: stage.url, API_KEY: account.secret, LOGURU_LEVEL: 'ERROR' };
  return { program, env, keyId: account.keyId };
}

/** The products that a key is billed for, in alphabetical order. */
async function billedTo(keyId: string): Promise<string[]> {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query(
    'select distinct product from requests where key_id = $1 and cost_nanos > 0 order by product',
    [keyId],
  );
  return (rows as { product: string }[]).map(({ product }) => product);
}

test('every program of the guide is run here', () => {
  expect(Object.keys(PROGRAMS)).toEqual(readdirSync(snippets).toSorted());
});

describe('for Node', () => {
  beforeAll(async () => {
    const requireClient = await installNodeClients('frameworks');
    await symlink(join(dirname(requireClient.resolve('ai/package.json')), '..'), join(folder.path, 'node_modules'));
  }, 600_000);

  test('aiSdk.mjs works as it is written', async () => {
    const { program, env, keyId } = await place('aiSdk.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      env: { PATH: process.env.PATH, ...env },
    });
    const [printed, billed] = PROGRAMS['aiSdk.mjs']!;
    expect(stdout).toMatch(printed);
    expect(await billedTo(keyId)).toEqual(billed);
  });
});

describeWithPython('for Python', () => {
  let python: string;
  beforeAll(async () => {
    python = await installVenv('venv-voice', 'voice-requirements.txt');
  }, 900_000);

  test.each(Object.keys(PROGRAMS).filter((file) => file.endsWith('.py')))('%s works as it is written', async (file) => {
    const { program, env, keyId } = await place(file);
    const [printed, billed] = PROGRAMS[file]!;
    expect(await runPython(python, [program], env)).toEqual({ status: 0, output: expect.stringMatching(printed) });
    expect(await billedTo(keyId)).toEqual(billed);
  });
});
