import { ProviderError } from '../provider.ts';
import type { SpeechChunk } from '../speech.ts';

// What every account may have.
const PLAIN_FORMAT = 'pcm_24000';

/**
 * Draws sound in the format of the answer where the upstream gives it: some formats need a larger plan there. Without one, or after a
 * refusal, it is drawn as plain samples, to be encoded here. What was refused once is not asked for again.
 */
export function createFormatChoice() {
  const refused = new Set<string>();

  async function* plain(
    format: string,
    draw: (format: string) => AsyncIterable<SpeechChunk>,
  ): AsyncGenerator<SpeechChunk> {
    for await (const chunk of draw(PLAIN_FORMAT)) {
      refused.add(format);
      yield chunk;
    }
  }

  return async function* (
    wanted: string | undefined,
    draw: (format: string) => AsyncIterable<SpeechChunk>,
  ): AsyncGenerator<SpeechChunk> {
    // A WAV file is samples behind a head, which is written here.
    const format = wanted?.replace(/^wav_/, 'pcm_') ?? PLAIN_FORMAT;
    if (format === PLAIN_FORMAT || refused.has(format)) {
      yield* draw(PLAIN_FORMAT);
      return;
    }
    let hasBegun = false;
    try {
      for await (const chunk of draw(format)) {
        hasBegun = true;
        yield chunk;
      }
    } catch (error) {
      if (hasBegun || !mayBeOfFormat(error)) throw error;
      yield* plain(format, draw);
    }
  };
}

function mayBeOfFormat(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  const { status = 0, detail } = error;
  return (
    [401, 402, 403].includes(status) || /output_format/.test(`${detail?.message} ${detail?.param} ${detail?.code}`)
  );
}
