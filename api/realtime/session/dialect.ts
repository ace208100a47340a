import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../providers/provider.ts';
import { PCM_FORMAT } from './sentAudio.ts';

/** How events are written and read: with the names of today, or with those before. */
export interface Dialect {
  /** An event of the service as its client knows it: none, one or two. */
  write(event: Json): Json[];
  /** An event of the client with the names of today. */
  read(event: Json): Json;
}

/** The protocol as it is now. */
const CURRENT: Dialect = { write: (event) => [event], read: (event) => event };

/** The dialect of a client: the earlier one for clients that ask for it in `OpenAI-Beta`, or as a subprotocol. */
export function dialectOf({ 'openai-beta': beta, 'sec-websocket-protocol': protocols }: IncomingHttpHeaders): Dialect {
  const isEarlier = String(beta ?? '').includes('realtime=v1') || protocols?.includes('openai-beta.realtime-v1');
  return isEarlier ? EARLIER : CURRENT;
}

/** Names of today, and the same before. */
const TYPES: [now: RegExp, before: string][] = [
  [/^response\.output_(text|audio|audio_transcript)\./, 'response.$1.'],
  [/^conversation\.item\.added$/, 'conversation.item.created'],
];
const PARAMS: [now: string, before: string][] = [
  ['audio.input.turn_detection', 'turn_detection'],
  ['audio.input.transcription', 'input_audio_transcription'],
  ['audio.input.noise_reduction', 'input_audio_noise_reduction'],
  ['audio.input.format', 'input_audio_format'],
  ['audio.output.format', 'output_audio_format'],
  ['audio.output.voice', 'voice'],
  ['audio.output.speed', 'speed'],
  ['max_output_tokens', 'max_response_output_tokens'],
  ['output_modalities', 'modalities'],
];
/** Formats as refusals name them. */
const FORMATS_SAID: [now: string, before: string][] = [
  [`'audio/pcm' with a rate of 24000`, `'pcm16'`],
  [`'audio/pcmu'`, `'g711_ulaw'`],
  [`'audio/pcma'`, `'g711_alaw'`],
];
// What was one format by name, and the three of them today.
const FORMATS: Record<string, object> = {
  pcm16: PCM_FORMAT,
  g711_ulaw: { type: 'audio/pcmu' },
  g711_alaw: { type: 'audio/pcma' },
};

/** The protocol before it became final: flat sessions, and other names of some events and parts. */
const EARLIER: Dialect = {
  write(event) {
    if (event.type === 'conversation.item.done') return [];
    const type = TYPES.reduce((name, [now, before]) => name.replace(now, before), String(event.type));
    const written = { ...event, type };
    for (const name of ['item', 'response', 'session', 'error'] as const) {
      const member = event[name];
      if (isObject(member)) Object.assign(written, { [name]: EARLIER_FORMS[name](member) });
    }
    if (event.type !== 'session.created') return [written];
    const conversation = {
      id: String((event.session as Json).id).replace('sess_', 'conv_'),
      object: 'realtime.conversation',
    };
    const created = { type: 'conversation.created', event_id: `${String(event.event_id)}c`, conversation };
    return [written, created];
  },
  read(event) {
    const { session, response, item } = event;
    return {
      ...event,
      ...(isObject(session) && { session: sessionOfToday(session) }),
      ...(isObject(response) && { response: responseOfToday(response) }),
      ...(isObject(item) && { item: itemOfToday(item) }),
    };
  },
};

const EARLIER_FORMS = {
  item: (item: Json) => withParts(item, { output_text: 'text', output_audio: 'audio' }),
  error: ({ param, message, ...error }: Json) => ({
    ...error,
    message: inNamesBefore(FORMATS_SAID.reduce((said, [now, before]) => said.replace(now, before), String(message))),
    param: typeof param === 'string' ? inNamesBefore(param) : null,
  }),
  session: ({ audio, output_modalities, max_output_tokens, ...others }: Json) => {
    const { input = {}, output = {} } = (audio ?? {}) as { input?: Json; output?: Json };
    return {
      ...others,
      modalities: modalitiesBefore(output_modalities),
      voice: output.voice,
      speed: output.speed,
      input_audio_format: 'pcm16',
      output_audio_format: 'pcm16',
      input_audio_transcription: input.transcription ?? null,
      input_audio_noise_reduction: null,
      turn_detection: input.turn_detection ?? null,
      max_response_output_tokens: max_output_tokens,
    };
  },
  response: ({ audio, output_modalities, output, ...others }: Json) => ({
    ...others,
    modalities: modalitiesBefore(output_modalities),
    voice: ((audio as Json | undefined)?.output as Json | undefined)?.voice,
    output_audio_format: 'pcm16',
    output: Array.isArray(output) ? output.filter(isObject).map((item) => EARLIER_FORMS.item(item)) : [],
  }),
};

const inNamesBefore = (text: string): string => PARAMS.reduce((said, [now, before]) => said.replace(now, before), text);

const modalitiesBefore = (modalities: unknown): string[] =>
  Array.isArray(modalities) && modalities[0] === 'audio' ? ['audio', 'text'] : ['text'];

function withParts(item: Json, names: Record<string, string>): Json {
  if (!Array.isArray(item.content) || item.role !== 'assistant') return item;
  return {
    ...item,
    content: (item.content as Json[]).map((part) => ({ ...part, type: names[String(part.type)] ?? part.type })),
  };
}

const itemOfToday = (item: Json): Json => withParts(item, { text: 'output_text', audio: 'output_audio' });

function sessionOfToday(session: Json): Json {
  const {
    modalities,
    voice,
    speed,
    input_audio_format: inputFormat,
    output_audio_format: outputFormat,
    input_audio_transcription: transcription,
    input_audio_noise_reduction: noise_reduction,
    turn_detection,
    max_response_output_tokens: max_output_tokens,
    ...others
  } = session;
  const input = sent({ format: formatOfToday(inputFormat), transcription, noise_reduction, turn_detection });
  const output = sent({ format: formatOfToday(outputFormat), voice, speed });
  return {
    type: 'realtime',
    ...others,
    ...sent({ output_modalities: modalitiesOfToday(modalities), max_output_tokens }),
    audio: { input, output },
  };
}

function responseOfToday(response: Json): Json {
  const { modalities, voice, output_audio_format, max_response_output_tokens, input, ...others } = response;
  const output = sent({ format: formatOfToday(output_audio_format), voice });
  const max_output_tokens = max_response_output_tokens ?? others.max_output_tokens;
  const items = Array.isArray(input) ? input.map((item) => (isObject(item) ? itemOfToday(item) : item)) : input;
  const said = sent({ output_modalities: modalitiesOfToday(modalities), max_output_tokens, input: items });
  return { ...others, ...said, ...(Object.keys(output).length > 0 && { audio: { output } }) };
}

const sent = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const formatOfToday = (format: unknown): unknown =>
  typeof format === 'string' ? (FORMATS[format] ?? { type: format }) : format;

function modalitiesOfToday(modalities: unknown): unknown {
  if (!Array.isArray(modalities)) return modalities;
  return modalities.includes('audio') ? ['audio'] : modalities;
}
