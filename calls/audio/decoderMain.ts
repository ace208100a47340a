import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { AudioError } from './audioError.ts';
import type { AudioFault } from './audioError.ts';
import { hasFfmpeg } from './ffmpeg.ts';

/**
 * The process that decodes one file: reads it completely from standard input, and writes samples to standard output. The third pipe gets
 * the result as JSON, `{}` or `{reason, message}`.
 */
const file = Buffer.concat(await process.stdin.toArray());
const ending = createWriteStream('', { fd: 3 });

try {
  for await (const samples of await decoded({ removeNoise: process.argv.includes('--remove-noise') })) {
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
  }
  process.stdout.end();
  ending.end('{}');
} catch (error) {
  ending.end(JSON.stringify(complaintOf(error)));
}
await once(ending, 'finish');
process.stdout.end(() => process.exit(0));

async function decoded(options: { removeNoise: boolean }): Promise<Iterable<Int16Array> | AsyncIterable<Int16Array>> {
  if (hasFfmpeg) return (await import('./decoder.ts')).decode(file, options);
  return (await import('./plain/wavDecoder.ts')).decodeWav(file, options);
}

function complaintOf(error: unknown): { reason: AudioFault; message: string } {
  if (error instanceof AudioError) return { reason: error.reason, message: error.message };
  // FFmpeg reports a fault of its input.
  if ((error as Error | null)?.name === 'FFmpegError')
    return { reason: 'damaged', message: 'The file’s sound makes no sense.' };
  throw error;
}
