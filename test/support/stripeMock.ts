import { join } from 'node:path';
import { startChild } from '../../ops/stack/process/child.ts';
import { goProgram } from './goProgram.ts';
import { steadyPort } from './network.ts';
import { until } from './until.ts';

const MODULE = 'github.com/stripe/stripe-mock@v0.203.0';
const BUILD_LIMIT_MS = 180_000;
const FOLDER = join(import.meta.dirname, '..', '..', '.data', 'bin');

/** Stripe's own mock, which checks requests against Stripe's API description; or the reason why this machine has none. */
export async function findStripeMock(): Promise<{ program: string } | { reason: string }> {
  try {
    const program = await goProgram(FOLDER, { source: MODULE, name: 'stripe-mock', timeoutMs: BUILD_LIMIT_MS });
    return { program };
  } catch (error) {
    return { reason: `stripe-mock, which was not built: ${(error as Error).message.split('\n')[0]}` };
  }
}

/** Starts it on a free port. */
export async function startStripeMock(program: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await steadyPort();
  const lines: string[] = [];
  const child = await startChild({
    command: program,
    args: ['-http-port', String(port)],
    onStdout: (line) => lines.push(line),
    onStderr: (line) => lines.push(line),
    stopSignal: 'SIGTERM',
  });
  await until(() => lines.some((line) => line.includes('Listening')));
  return { url: `http://127.0.0.1:${port}`, stop: () => child.stop(5_000) };
}
