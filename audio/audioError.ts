/** Why sound could not be read or written. */
export type AudioFault =
  | 'not_audio' // the bytes are of no type that is known, or hold no sound
  | 'damaged' // they start as sound, and break off or make no sense
  | 'empty' // sound of no length
  | 'too_long' // more than the longest duration allowed
  | 'too_large' // more bytes than allowed
  | 'too_slow' // reading it took longer than allowed
  | 'too_heavy'; // reading it took more memory than allowed

/** The one error of this folder. `message` is a sentence that the sender of the audio may see. */
export class AudioError extends Error {
  readonly reason: AudioFault;

  constructor(reason: AudioFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AudioError';
    this.reason = reason;
  }
}
