import { z } from 'zod';
import { isObject, parseExact } from '../../../base/json.ts';
import { METADATA_PAIRS_MAX } from '../../../base/limits.ts';
import type { Json } from '../../../providers/provider.ts';
import { explainIssue } from '../../../calls/text/parameters/explainIssue.ts';
import { firstIssue } from '../../../calls/text/parameters/firstIssue.ts';
import { InvalidRequest, invalidValue, unsupportedParameter } from '../../../base/errors/invalidRequest.ts';
import { NewItem, soundsIn, type Sound } from './items.ts';
import { refuseOtherFormats } from './sentAudio.ts';
import { AudioOutput, MANNER } from './sessionConfig.ts';

const id = z.string().min(1).max(64);

/** What one response may say differently from its session. */
const ResponseInput = z.strictObject({
  ...MANNER,
  audio: z.strictObject({ output: AudioOutput.nullish() }).nullish(),
  conversation: z
    .enum(['auto', 'none'])
    .nullish()
    .describe('`none`: the answer does not become part of the conversation.'),
  input: z
    .array(z.union([z.strictObject({ type: z.literal('item_reference'), id }), NewItem]))
    .max(256)
    .nullish()
    .describe('What the answer is about, in place of the conversation.'),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  // Of the earlier protocol.
  temperature: z.number().min(0).max(2).nullish(),
});

export type ResponseInput = z.infer<typeof ResponseInput>;

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), event_id: z.string().max(512).nullish(), ...shape });

const EVENTS = [
  event('session.update', { session: z.looseObject({}) }),
  event('input_audio_buffer.append', { audio: z.string() }),
  event('input_audio_buffer.commit', {}),
  event('input_audio_buffer.clear', {}),
  event('conversation.item.create', { item: NewItem, previous_item_id: id.nullish() }),
  event('conversation.item.retrieve', { item_id: id }),
  event('conversation.item.delete', { item_id: id }),
  event('conversation.item.truncate', { item_id: id, content_index: z.int().min(0), audio_end_ms: z.int().min(0) }),
  event('response.create', { response: ResponseInput.nullish() }),
  event('response.cancel', { response_id: id.nullish() }),
] as const;

/** An event of a client. */
export type ClientEvent = z.infer<(typeof EVENTS)[number]>;

const Typed = z.looseObject({ type: z.string() });
const byType = new Map<string, z.ZodObject>(EVENTS.map((schema) => [schema.shape.type.value, schema]));

/** Reads a message as a JSON object; throws `InvalidRequest`. */
export function readJson(message: Buffer, isBinary: boolean): Json {
  let value: unknown;
  try {
    value = isBinary ? undefined : parseExact(message.toString());
  } catch {
    // Refused below.
  }
  if (!isObject(value)) throw new InvalidRequest('invalid_json', null, 'An event is a JSON object, in a text message.');
  return value;
}

/** Checks an event of a client; throws `InvalidRequest` that names the faulty member. */
export function checkEvent(sent: Json): ClientEvent {
  // Most events are these: they are not worth a walk through a schema.
  if (sent.type === 'input_audio_buffer.append' && typeof sent.audio === 'string') return sent as ClientEvent;
  const schema = schemaOf(sent);
  if (isObject(sent.response)) refuseOthers(sent.response);
  const found = firstIssue(schema, sent);
  if (found !== null) throw explainIssue(found);
  const event = sent as ClientEvent;
  if (event.type === 'response.create') soundsInInput(event.response?.input ?? []);
  return event;
}

/** The schema of an event's type. Throws `InvalidRequest` for a type that clients do not send. */
export function schemaOf(sent: Json): z.ZodObject {
  if (sent.type === 'output_audio_buffer.clear')
    throw unsupportedParameter(
      'type',
      "'output_audio_buffer.clear' is for WebRTC and SIP: here a program stops playing by itself, and the event",
    );
  const untyped = firstIssue(Typed, sent);
  if (untyped !== null) throw explainIssue(untyped);
  const type = String(sent.type);
  const schema = byType.get(type);
  if (!schema) {
    const known = [...byType.keys()].map((name) => `'${name}'`).join(', ');
    throw invalidValue('type', `Invalid value: '${type.slice(0, 100)}'. Supported values are: ${known}.`);
  }
  return schema;
}

/** The sounds in the input of a response that have no transcript yet. Throws `InvalidRequest` for what is not sound. */
export function soundsInInput(input: NonNullable<ResponseInput['input']>): Sound[] {
  return input.flatMap((item, at) => (item.type === 'item_reference' ? [] : soundsIn(item, `response.input[${at}]`)));
}

function refuseOthers({ metadata, audio }: Json): void {
  if (isObject(metadata) && Object.keys(metadata).length > METADATA_PAIRS_MAX)
    throw invalidValue('response.metadata', `Metadata have at most ${METADATA_PAIRS_MAX} pairs.`);
  refuseOtherFormats({ audio }, 'response');
}
