import { z } from 'zod';
import { expanded } from '../../calls/audio/plain/companding.ts';
import { parseBody } from '../body/parseWith.ts';
import { frameJson } from '../sockets/frameJson.ts';
import { refused } from '../voice/voiceSchema.ts';

/** The one frame that a client sends. */
const SoundFrame = z.strictObject({
  message_type: z.literal('input_audio_chunk'),
  audio_base_64: z.string().describe('Empty keeps the socket alive.'),
  commit: z.boolean().default(false).describe('Ends the turn behind this sound.'),
  sample_rate: z.int().optional(),
  previous_text: z.string().max(40_000).optional().describe('Changes nothing.'),
});

const parse = parseBody(SoundFrame);

/** How the sound of a socket is written. */
export interface SoundForm {
  codec: 'pcm' | 'ulaw';
  sampleRate: number;
}

/** Reads a frame: its sound as 16-bit samples, and whether it ends the turn. Throws what names the member. */
export function parseSoundFrame(data: string, { codec, sampleRate }: SoundForm): { bytes: Buffer; commit: boolean } {
  const { audio_base_64: audio, commit, sample_rate: sentRate } = parse(frameJson(data, 'message_type'));
  if (sentRate !== undefined && sentRate !== sampleRate)
    throw refused('sample_rate', `The socket was opened for ${sampleRate} Hz. Open another one.`);
  const bytes = Buffer.from(audio, 'base64');
  if (bytes.length === 0 && audio !== '') throw refused('audio_base_64', 'The sound is not base64.');
  if (codec === 'ulaw') return { bytes: samplesOf(bytes), commit };
  if (bytes.length % 2 !== 0) throw refused('audio_base_64', 'The sound is not base64 of 16-bit samples.');
  return { bytes, commit };
}

function samplesOf(telephone: Buffer): Buffer {
  const samples = Int16Array.from(telephone, (code) => expanded(code, 'ulaw'));
  return Buffer.from(samples.buffer);
}
