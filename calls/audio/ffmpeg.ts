import { existsSync } from 'node:fs';

/**
 * Whether FFmpeg is installed. Images that may be passed on omit it (THIRD_PARTY.md): they read and write WAV, PCM, mu-law and A-law. What an
 * upstream encodes itself passes through in any format.
 */
export const hasFfmpeg = existsSync(new URL('../../node_modules/node-av/package.json', import.meta.url));

/** What to do where it is missing. */
export const WITHOUT_FFMPEG =
  'this installation has no FFmpeg. Operators: use the image that was built with FFMPEG=with (docs/operate/containers.md)';
