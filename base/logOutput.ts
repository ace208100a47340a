import type { Writable } from 'node:stream';

// Lines are batched: one system call per line would be the most expensive part of a request.
const BATCH_CHARS = 16_000;
const COLLECT_MS = 100;

// Memory limit while the reader does not read. Beyond it, lines are dropped.
const WAITING_CHARS_MAX = 2_000_000;

/**
 * The output of a process's log: standard output, in batches, without ever blocking on its reader. When the reader does not read, lines
 * are dropped and counted in the log; after EPIPE, nothing more is written. Lines still waiting at exit are written as far as that does
 * not block. Pino's own destination is not used: its write blocks a thread while the pipe is full, which delays both drain and exit.
 */
export function createLogOutput(stream: Writable = process.stdout) {
  let waiting = '';
  let droppedLines = 0;
  let isWriting = false;
  let isBroken = false;
  let timer: NodeJS.Timeout | undefined;

  stream.on('error', (error: NodeJS.ErrnoException) => (isBroken ||= error.code === 'EPIPE'));
  process.on('exit', () => void stream.write(take()));

  function write(line: string): void {
    if (isBroken) return;
    if (waiting.length + line.length > WAITING_CHARS_MAX) droppedLines += 1;
    else waiting += line;
    schedule();
  }

  function schedule(): void {
    if (isWriting || waiting === '') return;
    if (waiting.length >= BATCH_CHARS) flush();
    else timer ??= setTimeout(flush, COLLECT_MS).unref();
  }

  /** Writes the waiting lines, unless an earlier write is still in progress. */
  function flush(): void {
    if (isWriting || waiting === '') return;
    isWriting = true;
    stream.write(take(), () => {
      isWriting = false;
      schedule();
    });
  }

  function take(): string {
    clearTimeout(timer);
    timer = undefined;
    const text = isBroken ? '' : waiting + gap();
    waiting = '';
    return text;
  }

  function gap(): string {
    if (droppedLines === 0) return '';
    const line = {
      level: 40,
      time: new Date().toISOString(),
      droppedLines,
      msg: 'the reader of the log is too slow: lines are missing',
    };
    droppedLines = 0;
    return `${JSON.stringify(line)}\n`;
  }

  /** Resolves when everything written has reached the reader, cannot reach it, or after `limitMs`. */
  async function end(limitMs: number): Promise<void> {
    const timedOut = Promise.withResolvers<void>();
    const timeout = setTimeout(timedOut.resolve, limitMs);
    await Promise.race([new Promise((resolve) => stream.write(take(), resolve)), timedOut.promise]);
    clearTimeout(timeout);
  }

  return { write, flush, end };
}
