import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drained } from '../../base/waiting.ts';
import { AudioError, type AudioFault } from './audioError.ts';
import type { EncodedStream, EncodeOptions, Piece } from './encodedStream.ts';
import { hasFfmpeg } from './ffmpeg.ts';
import type { AudioFormat } from './formats.ts';

/**
 * Encodes audio as a stream: the bytes yielded after a piece contain nearly all of that piece. The sample rate is that of the first piece.
 * The header of a WAV stream has the largest length, as FFmpeg writes it, because the length is unknown. Without pieces the file has no
 * audio. The codec library is large and is loaded at first use.
 */
export async function* encodeAudio(
  pieces: AsyncIterable<Piece>,
  format: AudioFormat,
  options: EncodeOptions = {},
): AsyncGenerator<Buffer> {
  const stream = await openEncodedStream(format, options);
  try {
    // The header, and a short piece, may produce no output.
    yield* nonEmpty(stream.begin());
    for await (const piece of pieces) {
      for (const slice of stream.slicesOf(piece)) {
        yield* nonEmpty(stream.push(slice));
        await setImmediate();
      }
    }
    yield* nonEmpty(stream.end());
  } finally {
    stream.close();
  }
}

function* nonEmpty(bytes: Buffer): Generator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

/**
 * An encoder that is given its sound piece by piece: see `encodeAudio`.
 * @throws AudioError `no_encoder` for a compressed format, or another speed, where FFmpeg is missing.
 */
export async function openEncodedStream(format: AudioFormat, options: EncodeOptions = {}): Promise<EncodedStream> {
  if (hasFfmpeg) {
    const { FfmpegStream } = await import('./encoder.ts');
    return new FfmpegStream(format, options);
  }
  const { PlainStream } = await import('./plain/plainStream.ts');
  return new PlainStream(format, options);
}

interface DecodeLimits {
  /** Limit of the file as sent. */
  bytesMax: number;
  /** Limit of the decoded audio; the length that the file declares does not count. */
  secondsMax: number;
  /** Total time that the decoding process may spend between reads. */
  waitMsMax: number;
  /** Memory limit of the decoding process, including its code and the file. */
  memoryBytesMax: number;
}

const DEFAULT_DECODE_LIMITS: DecodeLimits = {
  bytesMax: 100_000_000,
  secondsMax: 4 * 3600,
  waitMsMax: 60_000,
  memoryBytesMax: 600_000_000,
};

export interface DecodeOptions {
  limits?: Partial<DecodeLimits>;
  /** Removes steady noise and frequencies below any voice. */
  removeNoise?: boolean;
}

const SAMPLE_RATE = 16_000;
const program = fileURLToPath(new URL('./decoderMain.ts', import.meta.url));

/**
 * Decodes a file of any common type (MP3, WAV, FLAC, Ogg, AAC, MP4, WebM and so on) to 16-bit mono samples at 16 kHz, in pieces of up to
 * half a second. The content decides the type, not the name or the declared type. A separate process decodes it with backpressure, and ends
 * when the caller stops.
 * @throws AudioError with the reason, possibly after some pieces; or the signal's reason.
 */
export async function* decodeAudio(
  file: AsyncIterable<Uint8Array>,
  options: DecodeOptions,
  signal: AbortSignal,
): AsyncGenerator<Int16Array> {
  signal.throwIfAborted();
  const limits = { ...DEFAULT_DECODE_LIMITS, ...options.limits };
  const child = startDecoder(options.removeNoise === true);
  const ended = once(child, 'close').catch(() => undefined);
  let verdict: Error | undefined;
  const stop = (reason: Error) => {
    verdict ??= reason;
    child.kill('SIGKILL');
  };
  const onAbort = () => stop(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  const memory = watchMemory(child.pid ?? 0, limits.memoryBytesMax, () =>
    stop(new AudioError('too_heavy', 'Reading the file takes too much memory.')),
  );
  try {
    const ending = text(child.stdio[3] as Readable).catch(() => '');
    const wait = withinMs(limits.waitMsMax, () => stop(new AudioError('too_slow', 'Reading the file takes too long.')));
    await send(child.stdin!, file, limits.bytesMax, wait);
    yield* received(child.stdout!, limits.secondsMax, wait);
    if (verdict) throw verdict;
    check(await ending);
  } catch (error) {
    throw verdict ?? error;
  } finally {
    memory.stop();
    signal.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
    // Unread output keeps a pipe open, and the child would not count as ended.
    for (const pipe of child.stdio) pipe?.destroy();
    await ended;
  }
}

/** The child gets no environment variables. */
function startDecoder(removeNoise: boolean): ChildProcess {
  const args = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=128', program];
  const child = spawn(process.execPath, removeNoise ? [...args, '--remove-noise'] : args, {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  });
  // Writing to a dead child fails; the end of its output reports the failure.
  child.stdin!.on('error', () => undefined);
  child.on('error', () => undefined);
  return child;
}

type Wait = <Value>(promise: Promise<Value>) => Promise<Value>;

/** Counts waiting time; when the total exceeds the limit, `onTooLong` must end the wait. */
function withinMs(msMax: number, onTooLong: () => void): Wait {
  let msLeft = msMax;
  return async (promise) => {
    const since = performance.now();
    const timer = setTimeout(onTooLong, msLeft);
    const value = await promise.finally(() => clearTimeout(timer));
    msLeft = Math.max(1, msLeft - (performance.now() - since));
    return value;
  };
}

async function send(input: Writable, file: AsyncIterable<Uint8Array>, bytesMax: number, wait: Wait): Promise<void> {
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new AudioError('too_large', `The file has more than ${bytesMax} bytes.`);
    if (!input.writable) return;
    if (!input.write(chunk)) await wait(drained(input));
  }
  if (bytes === 0) throw new AudioError('empty', 'The file is empty.');
  input.end();
}

async function* received(output: Readable, secondsMax: number, wait: Wait): AsyncGenerator<Int16Array> {
  let samplesLeft = secondsMax * SAMPLE_RATE;
  const pieces = wholeSamples(output);
  for (;;) {
    const { value, done } = await wait(pieces.next());
    if (done) return;
    samplesLeft -= value.length;
    if (samplesLeft < 0) throw new AudioError('too_long', `The sound is longer than ${secondsMax} seconds.`);
    yield value;
  }
}

/** A pipe may split a sample's two bytes: they are joined again. */
async function* wholeSamples(output: Readable): AsyncGenerator<Int16Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of output as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const length = bytes.length & ~1;
    rest = bytes.subarray(length);
    if (length === 0) continue;
    yield new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length) as ArrayBuffer);
  }
}

function check(ending: string): void {
  if (ending === '') throw new AudioError('damaged', 'The file broke the program that reads it.');
  const { reason, message } = JSON.parse(ending) as { reason?: AudioFault; message?: string };
  if (reason) throw new AudioError(reason, message ?? reason);
}

const INTERVAL_MS = 50;
const PAGE_BYTES = 4096;

/** Watches the resident memory of a process, and calls back once when it exceeds the limit. Does nothing where there is no /proc. */
function watchMemory(pid: number, bytesMax: number, onTooMuch: () => void): { stop: () => void } {
  const timer = setInterval(() => void look(), INTERVAL_MS);
  timer.unref();
  async function look(): Promise<void> {
    const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0');
    if (Number(statm.split(' ')[1]) * PAGE_BYTES <= bytesMax) return;
    clearInterval(timer);
    onTooMuch();
  }
  return { stop: () => clearInterval(timer) };
}
