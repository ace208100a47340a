import { openBwrap } from './bwrap.ts';
import { assertContained } from './escapeSuite.ts';
import { isFilePath } from './files.ts';
import { openGvisor } from './gvisor.ts';
import { MIB, PROGRAM_MS_MAX } from '../../base/limits.ts';
import type { Limits } from './limits.ts';
import { languagesOf } from './languages.ts';
import { openQuickjs } from './quickjs.ts';
import { runInChild } from './runInChild.ts';
import { startChild, type Child } from './startChild.ts';
import { type Sandbox, type SandboxTier, SandboxError, type Outcome, type Program, type Tier } from './types.ts';
import { withPython } from './withPython.ts';

export { SandboxError } from './types.ts';
export type { Limits } from './limits.ts';
export type { Ending, Language, Outcome, Program, ProgramFile, Sandbox, SandboxTier } from './types.ts';

export const DEFAULT_LIMITS: Limits = {
  cpuMs: 10_000,
  wallMs: PROGRAM_MS_MAX,
  memoryBytes: 256 * MIB,
  processes: 64,
  outputBytes: MIB,
  diskBytes: 16 * MIB,
};

/**
 * Opens a tier and runs its escape suite. Throws `SandboxError` when the tier is missing or any escape works: a caller must then run no
 * program at all, and never gets a weaker tier than requested. Beside QuickJS, Python runs in bubblewrap if available.
 */
export async function openSandbox({
  tier,
  limits: changes = {},
}: {
  tier: SandboxTier;
  limits?: Partial<Limits>;
}): Promise<Sandbox> {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  const sandbox = openTested(openTier(tier, limits), limits);
  if (tier !== 'quickjs' || !languagesOf(tier).includes('python')) return sandbox;
  return withPython(sandbox, openTested(openPython(limits), limits));
}

const openPython = async (limits: Limits): Promise<Tier> => ({ ...(await openBwrap(limits)), languages: ['python'] });

async function openTested(tier: Promise<Tier>, limits: Limits): Promise<Sandbox> {
  const sandbox = createSandbox(await tier, limits);
  try {
    await assertContained(sandbox);
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function openTier(tier: SandboxTier, limits: Limits) {
  switch (tier) {
    case 'quickjs':
      return openQuickjs(limits);
    case 'bwrap':
      return openBwrap(limits);
    case 'gvisor':
      return openGvisor(limits);
    default:
      return tier satisfies never;
  }
}

/** A sandbox of a tier. It keeps one started child for the next program; each child runs only one program. */
export function createSandbox(tier: Tier, limits: Limits): Sandbox {
  const frameBytesMax = limits.diskBytes + limits.outputBytes;
  let spare: Promise<Child> | undefined;
  let isClosed = false;

  async function start(): Promise<Child> {
    const launch = await tier.prepare().catch((error: unknown) => {
      throw new SandboxError(`The ${tier.name} sandbox could not be prepared: ${(error as Error).message}`, {
        cause: error,
      });
    });
    return startChild(launch, frameBytesMax);
  }

  async function take(): Promise<Child> {
    const kept = spare;
    spare = undefined;
    const child = await kept?.catch(() => undefined);
    return child?.alive() ? child : start();
  }

  /** A child, or undefined if the call is cancelled before one has started: that child is kept for the next call. */
  async function takenUnlessAborted(signal: AbortSignal): Promise<Child | undefined> {
    const taken = take();
    if (await settlesBefore(taken, signal)) return taken;
    if (isClosed || spare) taken.then((child) => child.kill()).catch(() => undefined);
    else keep(taken);
    return undefined;
  }

  function keepOneReady(): void {
    if (isClosed || spare) return;
    keep(start());
  }

  function keep(starting: Promise<Child>): void {
    spare = starting;
    // The call that takes it checks whether it started.
    spare.catch(() => undefined);
  }

  async function run(program: Program, signal: AbortSignal): Promise<Outcome> {
    assertRunnable(program, tier);
    if (signal.aborted) return emptyOutcome('cancelled', '');
    const givenBytes = program.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (givenBytes > limits.diskBytes) return emptyOutcome('disk_limit', tooLarge(givenBytes, limits));
    const child = await takenUnlessAborted(signal);
    if (!child) return emptyOutcome('cancelled', '');
    try {
      return await runInChild(child, program, { limits, overheadBytes: tier.overheadBytes, signal });
    } finally {
      keepOneReady();
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    const child = await spare?.catch(() => undefined);
    spare = undefined;
    child?.kill();
    await child?.ended;
  }

  return { tier: tier.name, languages: tier.languages, description: tier.description, run, close };
}

function assertRunnable({ language, files }: Program, tier: Tier): void {
  if (!tier.languages.includes(language)) {
    throw new SandboxError(`The ${tier.name} sandbox runs ${tier.languages.join(' and ')}, not ${language}.`);
  }
  const wrong = files.find(({ path }) => !isFilePath(path));
  if (wrong) throw new SandboxError(`'${wrong.path}' is not a valid path in a sandbox.`);
}

function settlesBefore(promise: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const onAbort = () => resolve(false);
    const onSettled = () => {
      signal.removeEventListener('abort', onAbort);
      resolve(true);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(onSettled, onSettled);
  });
}

const tooLarge = (givenBytes: number, { diskBytes }: Limits) =>
  `The files given to the program have ${givenBytes} bytes, its disk ${diskBytes}.\n`;

const emptyOutcome = (ending: Outcome['ending'], stderr: string): Outcome => ({
  ending,
  stdout: '',
  stderr,
  result: null,
  files: [],
  durationMs: 0,
});
