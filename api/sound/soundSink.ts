import type { ServerResponse } from 'node:http';
import { drained } from '../stream/sse.ts';
import type { ErrorBody } from '../errors/apiError.ts';
import type { SpeechChunk } from '../../providers/speech.ts';

export type Marks = NonNullable<SpeechChunk['marks']>;

/** The output of speech: the client's format of audio, timestamps, and failures. */
export interface SoundSink {
  mediaType: string;
  /** Whether a client can use an answer that breaks off: it pays for one that this service had to end. */
  isUsableInPart: boolean;
  /** Takes sound, and the times that became known with it. Waits while the client is slower than the speech. */
  write(res: ServerResponse, sound: Buffer, marks: Marks[]): Promise<void> | undefined;
  /** What follows the sound. */
  end(res: ServerResponse, facts: { characters: number }): void;
  /** Ends an answer that has begun, so that its client can't take it for a whole one. */
  fail(res: ServerResponse, error: ErrorBody): void;
}

/** Sends text or bytes; resolves when there is room for more. */
export function send(res: ServerResponse, data: Buffer | string): Promise<void> | undefined {
  return res.write(data) || res.destroyed ? undefined : drained(res);
}

/** The bare sound. */
export function soundAlone(mediaType: string): SoundSink {
  return {
    mediaType,
    isUsableInPart: true,
    write: (res, sound) => send(res, sound),
    end: (res) => void res.end(),
    // A body of no known length that breaks off is an error to every client.
    fail: (res) => void res.destroy(),
  };
}
