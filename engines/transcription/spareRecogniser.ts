import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Recogniser } from './pocketsphinx.ts';

export type RecogniserChild = ChildProcessByStdio<Writable, Readable, null>;

const program = fileURLToPath(new URL('./transcribe.py', import.meta.url));
const IDLE_MS = 10 * 60_000;

/**
 * At most one recogniser ahead of the calls, which loads its model, a third of a second, before its sound is complete. Each process
 * serves one call, because a recogniser adapts to what it hears. An unused one ends after ten minutes, or with this process.
 */
export function createSpareRecogniser() {
  let spare: RecogniserChild | undefined;
  let timer: NodeJS.Timeout | undefined;

  function forget(): RecogniserChild | undefined {
    const child = spare;
    spare = undefined;
    clearTimeout(timer);
    return child;
  }

  function prepare(recogniser: Recogniser): void {
    if (spare) return;
    const child = start(recogniser);
    setIdle(child, true);
    const lost = () => void (child === spare && forget());
    // Not its close: that comes only when its output has been read.
    child.once('error', lost).once('exit', lost);
    spare = child;
    timer = setTimeout(() => void close(), IDLE_MS).unref();
  }

  async function close(): Promise<void> {
    const child = forget();
    if (!child) return;
    setIdle(child, false);
    const closed = once(child, 'close').catch(() => undefined);
    child.kill('SIGKILL');
    child.stdout.destroy();
    await closed;
  }

  return {
    /** A process for one call: the spare one, or a new one. */
    take: (recogniser: Recogniser): RecogniserChild => {
      const child = forget();
      if (!child) return start(recogniser);
      setIdle(child, false);
      return child;
    },
    /** Starts the spare one unless there is one. */
    prepare,
    close,
  };
}

function start({ command, env }: Recogniser): RecogniserChild {
  return spawn(command, ['-B', program], { env, stdio: ['pipe', 'pipe', 'ignore'] });
}

/** An idle process keeps nothing else alive: it ends when its input does. */
function setIdle(child: RecogniserChild, isIdle: boolean): void {
  for (const handle of [child, child.stdin, child.stdout] as { ref?(): void; unref?(): void }[]) {
    if (isIdle) handle.unref?.();
    else handle.ref?.();
  }
}
