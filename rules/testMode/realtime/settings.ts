import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../providers/provider.ts';
import { newId } from './protocol.ts';

const FORMAT = { type: 'audio/pcm', rate: 24_000 };
const DETECTION = {
  type: 'server_vad',
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 500,
  create_response: true,
  interrupt_response: true,
};

/** The initial settings of a session. */
export const newSession = (model: string): Json => ({
  id: newId('sess'),
  object: 'realtime.session',
  type: 'realtime',
  model,
  output_modalities: ['audio'],
  instructions: '',
  tools: [],
  tool_choice: 'auto',
  max_output_tokens: 'inf',
  truncation: 'auto',
  tracing: null,
  include: null,
  prompt: null,
  audio: {
    input: { format: FORMAT, transcription: null, noise_reduction: null, turn_detection: DETECTION },
    output: { format: FORMAT, voice: 'alloy', speed: 1 },
  },
});

/** The same with a client's overrides. */
export function changedSession(session: Json, over: Json): Json {
  const changed = merged(session, over);
  const { audio } = changed as { audio: { input: Json } };
  const { turn_detection: said } = audio.input;
  const turn_detection = isObject(said) ? { ...DETECTION, ...said } : null;
  return { ...changed, audio: { ...audio, input: { ...audio.input, turn_detection } } };
}

// Null switches these off; in other members it leaves the setting unchanged.
const SWITCHES = new Set(['turn_detection', 'transcription', 'noise_reduction', 'tracing']);

function merged(value: Json, over: Json): Json {
  const said = Object.entries(over).filter(([name, member]) => member !== null || SWITCHES.has(name));
  const members = said.map(([name, member]) => {
    const before = value[name];
    return [name, isObject(member) && isObject(before) ? merged(before, member) : member];
  });
  return { ...value, ...(Object.fromEntries(members) as Json) };
}
