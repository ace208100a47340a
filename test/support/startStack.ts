import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeFolder, type TestFolder } from './folder.ts';
import { steadyPort } from './network.ts';
import { findTestBinary } from './temporal.ts';

const projectDir = join(import.meta.dirname, '..', '..');

/** Variables that a developer's environment may have set. */
const UNSET = {
  DATABASE_URL: '',
  TEMPORAL_ADDRESS: '',
  EMBEDDED_URL: '',
  EMBEDDED_MODEL: '',
  BOOTSTRAP_API_KEY: '',
  PLUGIN_SECRETS_KEY: '',
  STRIPE_SECRET_KEY: '',
  SMTP_URL: '',
};

/** The output of `npm start` once the API is up. */
export interface Installation {
  apiUrl: string;
  signInUrl: string | null;
  key: string | null;
  textModel: string;
  temporalUiUrl: string;
  modelComplaint?: string;
  isWorking: boolean;
}

export interface LaunchedStack {
  process: ChildProcess;
  /** Its output until all of it was up. */
  lines: string[];
  installation: Installation;
}

/** A data folder for a new installation. Large constant files are shared with the checkout. */
export async function makeDataFolder(): Promise<TestFolder> {
  const folder = await makeFolder();
  await findTestBinary();
  for (const name of ['bin', 'models']) {
    await mkdir(join(projectDir, '.data', name), { recursive: true });
    await symlink(join(projectDir, '.data', name), join(folder.path, name));
  }
  // Two installations that start at once would both choose Temporal's default port, and one of them the other's server.
  await mkdir(join(folder.path, 'temporal'));
  for (const name of ['port', 'uiPort'])
    await writeFile(join(folder.path, 'temporal', name), `${await steadyPort()}\n`);
  return folder;
}

/** Runs `npm start` on a data folder until everything is up. `onUp` is called when the API answers, before the rest is up. */
export async function launchStack(
  dataDir: string,
  { env = {}, onUp }: { env?: NodeJS.ProcessEnv; onUp?: (installation: Installation) => Promise<void> } = {},
): Promise<LaunchedStack> {
  const child = spawn(process.execPath, ['ops/stack/main.ts', '--json'], {
    cwd: projectDir,
    env: { ...process.env, ...UNSET, DATA_DIR: dataDir, PORT: '0', ...env },
    stdio: 'pipe',
  });
  const lines: string[] = [];
  let installation: Installation | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith('{"event":"up"')) {
      installation = JSON.parse(line) as Installation;
      await onUp?.(installation);
    }
    if (line.startsWith('{"event":"complete"')) return { process: child, lines, installation: installation! };
  }
  throw new Error(`the installation did not come up:\n${lines.join('\n')}`);
}

/** An installation by `npm start`, on new data, once all of it is up. */
export async function startStack(env: NodeJS.ProcessEnv = {}): Promise<Installation & { stop(): Promise<void> }> {
  const folder = await makeDataFolder();
  const { process: child, installation } = await launchStack(folder.path, { env });
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    await folder.remove();
  };
  return { ...installation, stop };
}
