import { ProviderError } from '../provider.ts';
import type { SpeechChunk } from '../speech.ts';

/** An upstream's audio formats. */
interface UpstreamFormats {
  /** Plain samples, which every upstream and account supports. */
  plain: string;
  /** Whether a failure may be about the requested format, so that plain samples may work. */
  mayBeOfFormat: (error: ProviderError) => boolean;
}

/**
 * Requests audio in the answer's format when the upstream supports it. Without a format, or after a refusal, plain samples are requested
 * and encoded here. A refused format is not requested again.
 */
export function createFormatChoice({ plain, mayBeOfFormat }: UpstreamFormats) {
  const refused = new Set<string>();

  async function* drawPlain(
    format: string,
    draw: (format: string) => AsyncIterable<SpeechChunk>,
  ): AsyncGenerator<SpeechChunk> {
    for await (const chunk of draw(plain)) {
      refused.add(format);
      yield chunk;
    }
  }

  return async function* (
    format: string = plain,
    draw: (format: string) => AsyncIterable<SpeechChunk>,
  ): AsyncGenerator<SpeechChunk> {
    if (format === plain || refused.has(format)) {
      yield* draw(plain);
      return;
    }
    let hasBegun = false;
    try {
      for await (const chunk of draw(format)) {
        hasBegun = true;
        yield chunk;
      }
    } catch (error) {
      if (hasBegun || !(error instanceof ProviderError) || !mayBeOfFormat(error)) throw error;
      yield* drawPlain(format, draw);
    }
  };
}

/** Whether a refusal names a member of the request. */
export const names = ({ detail }: ProviderError, member: string): boolean =>
  `${detail?.message} ${detail?.param} ${detail?.code}`.includes(member);
