import { z } from 'zod';
import { isUnset } from '../../providers/supportedParameters.ts';
import { parseBody } from '../body/parseWith.ts';
import { frameJson } from '../sockets/frameJson.ts';
import { refused, TEXT_CHARS_MAX, VoiceSettingsBody } from '../voice/voiceSchema.ts';

const GenerationConfig = z.strictObject({
  chunk_length_schedule: z
    .array(z.int().min(50).max(500))
    .min(1)
    .max(50)
    .optional()
    .describe(
      'Characters that wait for the first chunk of speech, the second, and so on; the last one is of all others.',
    ),
});

const text = z.string().max(TEXT_CHARS_MAX);

/** A frame that a client sends on `stream-input`. */
const SpeechInputFrame = z.looseObject({
  text: text.describe('Ends with a space where a word ends. An empty text ends the speech.'),
  voice_settings: VoiceSettingsBody.optional().describe('In the first frame.'),
  generation_config: GenerationConfig.optional().describe('In the first frame.'),
  try_trigger_generation: z.boolean().optional().describe('Speaks what waits if it has 50 characters.'),
  flush: z.boolean().optional().describe('Speaks what waits. A frame with `flushed` follows its sound.'),
  x_api_key: z.string().optional().describe('In the first frame, where no header has the key.'),
  xi_api_key: z.string().optional(),
  'xi-api-key': z.string().optional(),
  authorization: z.string().optional(),
});

/** A frame that a client sends on `multi-stream-input`. */
export const MultiSpeechInputFrame = SpeechInputFrame.extend({
  text: text.optional().describe('An empty text keeps its context alive.'),
  context_id: z.string().max(200).optional().describe('Without it, the context of no name.'),
  close_context: z.boolean().optional().describe('Ends the context: what was not flushed is not spoken.'),
  close_socket: z.boolean().optional().describe('Ends all contexts, then the socket.'),
});

export type SpeechInputFrame = z.output<typeof SpeechInputFrame>;
export type MultiSpeechInputFrame = z.output<typeof MultiSpeechInputFrame>;

/** Checks a frame of `stream-input`. Throws what names the member. */
export const parseSpeechInputFrame = parserOf(SpeechInputFrame);

/** The same for `multi-stream-input`. */
export const parseMultiSpeechInputFrame = parserOf(MultiSpeechInputFrame);

/** The key that a first frame carries, in any of the members that clients use. */
export function keyInFrame(frame: SpeechInputFrame | MultiSpeechInputFrame): string | undefined {
  const bearer = frame.authorization?.replace(/^bearer /i, '').trim();
  return [frame.x_api_key, frame.xi_api_key, frame['xi-api-key'], bearer].find(
    (sent) => sent !== undefined && sent !== '',
  );
}

function parserOf<S extends z.ZodObject>(schema: S): (data: string) => z.output<S> {
  const parse = parseBody(schema);
  return (data) => {
    const frame = parse(frameJson(data, 'text'));
    const unknown = Object.entries(frame).find(
      ([name, value]) => !Object.hasOwn(schema.shape, name) && !isUnset(value),
    );
    if (!unknown) return frame;
    throw refused(unknown[0].slice(0, 100), 'This member is not supported. Leave it out.', 'unsupported_parameter');
  };
}
