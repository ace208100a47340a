import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { waitAtMost } from '../../base/waiting.ts';
import { environmentWith } from '../config.ts';
import { ProviderError } from '../../providers/provider.ts';
import { pythonFolder } from '../fetching/engine.ts';

/** The model's result for one window. Times are seconds from its beginning; each word has its tokens. */
export interface HeardWindow {
  words: [text: string, start: number, end: number, confidence: number, tokens: number[]][];
  logprob: number;
  noSpeech: number;
}

/** Audio that the model sees as a window of so many seconds. */
export interface WindowOrder {
  samples: Int16Array;
  seconds: number;
  /** The preceding text, or words that may occur in it. */
  prompt?: string;
}

const program = fileURLToPath(new URL('./whisper.py', import.meta.url));
const LOAD_TIMEOUT_MS = 60_000;
// A window takes a second; a window decoded in pieces takes several; on a busy machine, many.
const WINDOW_TIMEOUT_MS = 120_000;

/**
 * A process with the model in its memory. It processes one window at a time; a broken or stalled process is ended, and cannot be reused.
 */
export class WhisperChild {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  #hasEnded = false;

  private constructor(folder: string) {
    const env = environmentWith({ PYTHONPATH: pythonFolder(folder), OMP_NUM_THREADS: '1' });
    this.#child = spawn('python3', ['-B', program, folder], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.once('error', () => (this.#hasEnded = true)).once('close', () => (this.#hasEnded = true));
    // Data written to an ended process is lost; its missing answer reports that.
    this.#child.stdin.on('error', () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Resolves when the model is loaded. */
  static async start(folder: string): Promise<WhisperChild> {
    const child = new WhisperChild(folder);
    await child.#answer(LOAD_TIMEOUT_MS);
    return child;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** @throws ProviderError `failed` or `stalled`; the process has ended then. */
  async recognise({ samples, seconds, prompt }: WindowOrder): Promise<HeardWindow> {
    const { stdin } = this.#child;
    stdin.write(`${JSON.stringify({ samples: samples.length, seconds, prompt })}\n`);
    stdin.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
    return JSON.parse(await this.#answer(WINDOW_TIMEOUT_MS)) as HeardWindow;
  }

  /** An idle process keeps nothing else alive: it ends when its input does. */
  setIdle(isIdle: boolean): void {
    const { stdin, stdout } = this.#child as unknown as Record<'stdin' | 'stdout', { ref(): void; unref(): void }>;
    for (const handle of [this.#child, stdin, stdout]) {
      if (isIdle) handle.unref();
      else handle.ref();
    }
  }

  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.setIdle(false);
    const closed = once(this.#child, 'close').catch(() => undefined);
    this.#child.kill('SIGKILL');
    this.#child.stdout.destroy();
    await closed;
  }

  async #answer(timeoutMs: number): Promise<string> {
    try {
      const line = this.#lines.next();
      if (!(await waitAtMost(timeoutMs, line))) throw new ProviderError('stalled', 'the recogniser did not answer');
      const { done, value } = await line;
      if (!done) return value;
      throw new ProviderError('failed', 'the recogniser ended without an answer');
    } catch (error) {
      await this.end();
      throw error;
    }
  }
}
