import { spawn } from 'node:child_process';
import { once } from 'node:events';

const STDERR_CHARS_MAX = 4_000;

/**
 * Runs Python to its end. When the signal aborts, Python and all its child processes are ended before this rejects: the program `python3`
 * may be a script that starts Python.
 * @throws its error output, or the signal's reason.
 */
export async function runPython(
  args: string[],
  { signal, env }: { signal: AbortSignal; env?: NodeJS.ProcessEnv },
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn('python3', args, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-STDERR_CHARS_MAX);
  });
  const end = () => endGroup(child.pid);
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`python3 ${args.slice(0, 3).join(' ')} failed: ${complaint.trim()}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
