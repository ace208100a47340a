/** Why audio could not be read or written. */
export type AudioFault =
  | 'not_audio' // the type of the bytes is unknown, or they contain no audio
  | 'damaged' // the bytes start as audio and then are truncated or invalid
  | 'empty' // audio of zero length
  | 'too_long' // longer than the allowed duration
  | 'too_large' // larger than the allowed size
  | 'too_slow' // decoding exceeded its time limit
  | 'too_heavy' // decoding exceeded its memory limit
  | 'no_decoder' // audio of a type that only FFmpeg reads, which is not installed
  | 'no_encoder'; // a format that only FFmpeg writes, which is not installed

/** The only error class of this folder. `message` may be shown to the sender of the audio. */
export class AudioError extends Error {
  readonly reason: AudioFault;
  /** The part of the form in which the sound was sent. */
  part = 'file';

  constructor(reason: AudioFault, message: string) {
    super(message);
    this.name = 'AudioError';
    this.reason = reason;
  }
}

/** An error about sound that was sent in another part than `file`. */
export function inPart(error: unknown, part: string): unknown {
  if (error instanceof AudioError) error.part = part;
  return error;
}
