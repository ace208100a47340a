import { z } from 'zod';
import { isObject } from '../../../base/json.ts';
import type { AgentConfiguration } from '../../../db/agents/configuration.ts';
import { dataIn } from '../../../db/agents/modelSettings.ts';
import type { SentFile } from '../sentFiles.ts';
import { sentenceOf } from '../../body/fastApiWords.ts';
import { RunOrder } from '../../../orders/order.ts';
import { contentNotSupported, invalidMessage, pushNotSupported } from './a2aErrors.ts';
import { MESSAGE_ID } from './task.ts';

const PARTS_MAX = 64;
const ID_CHARACTERS_MAX = 200;
/** Time limit of a run that a message starts. */
const TIMEOUT_SECONDS = 3_600;

/** An object whose unknown members are allowed, but not looked at: a tenth of a million of them would take a quarter of a second. */
const open = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object(shape).meta({ additionalProperties: {} });

// Clients with generated types send empty texts for members without a value.
const id = z
  .string()
  .max(ID_CHARACTERS_MAX)
  .optional()
  .transform((value) => value || undefined);
const metadata = open({ max_cost_usd: z.number().optional(), agent: z.string().optional(), user: id }).optional();

const part = open({
  text: z.string().optional(),
  raw: z.string().optional().describe('A file as base64.'),
  url: z
    .string()
    .optional()
    .describe('Of a file at this server: `/v1/files/{file_id}/content`. No other address is fetched.'),
  data: z.unknown().optional(),
  filename: z.string().max(255).optional(),
  mediaType: z.string().max(200).optional(),
});

export const MessageRequest = open({
  tenant: id.describe('The agent, at the platform’s own address.'),
  message: open({
    messageId: z.string().min(1).max(ID_CHARACTERS_MAX).describe('A repeated message does not begin another task.'),
    contextId: id.describe('Continues the context of an earlier task.'),
    taskId: id.describe('Answers a task that requires input.'),
    role: z.enum(['ROLE_USER', 'user']).default('ROLE_USER'),
    parts: z.array(part).min(1).max(PARTS_MAX),
    metadata,
  }),
  configuration: open({
    acceptedOutputModes: z.array(z.string()).optional(),
    taskPushNotificationConfig: z.unknown().optional(),
    historyLength: z.int().min(0).optional(),
    returnImmediately: z.boolean().optional().describe('Answers at once, with the task as it is.'),
  }).optional(),
  metadata: metadata.describe(
    '`max_cost_usd`: the most that the task may cost. `user`: the end user for whom the agent remembers.',
  ),
});

export type MessageRequest = z.output<typeof MessageRequest>;

/** The cost limit that a message sets for its task. */
export const maxCostOf = ({ message, metadata: outer }: MessageRequest): number | undefined =>
  outer?.max_cost_usd ?? message.metadata?.max_cost_usd;

/** Refuses unsupported options of a message. */
export function checkConfiguration({ configuration = {} }: MessageRequest, outputModes: string[]): void {
  if (configuration.taskPushNotificationConfig) throw pushNotSupported();
  const { acceptedOutputModes: accepted = [] } = configuration;
  const fits = (mode: string) =>
    accepted.some((one) => one === mode || one === '*/*' || one === `${mode.split('/')[0]}/*`);
  if (accepted.length === 0 || outputModes.some(fits)) return;
  const place = 'configuration.acceptedOutputModes';
  throw contentNotSupported(place, `this agent answers in ${outputModes.join(', ')}.`);
}

/** The order of the run that a message starts, and the files in the message. */
export function orderOfMessage(
  agent: { agent: string; configuration: AgentConfiguration },
  request: MessageRequest,
  { publicUrl }: { publicUrl: string },
) {
  const { message } = request;
  const items = message.parts.map((one, at) => itemOf(one, at, publicUrl));
  const sent = items.flatMap((item) => ('base64' in item ? [item] : []));
  const withFiles = (ids: string[]) => {
    const left = [...ids];
    const stored = items.map((item) =>
      'base64' in item ? { type: 'input_file', file_id: left.shift() ?? 'file_0' } : item,
    );
    return checked({
      agent: agent.agent,
      input: typed(stored as Item[], agent.configuration),
      session_id: message.contextId,
      max_cost_usd: maxCostOf(request),
      user: request.metadata?.user ?? message.metadata?.user,
      timeout_seconds: TIMEOUT_SECONDS,
      metadata: { [MESSAGE_ID]: message.messageId },
    });
  };
  withFiles([]);
  return { sent, withFiles };
}

type Item = { type: 'input_text'; text: string } | { type: 'input_data'; data: unknown } | { type: 'input_file' };

function itemOf(given: z.output<typeof part>, at: number, publicUrl: string): Item | SentFile {
  const place = `message.parts[${at}]`;
  const { text, raw, url, data, filename, mediaType } = given;
  if (text !== undefined) return { type: 'input_text', text };
  if (raw !== undefined) return { base64: raw, filename, mediaType, place: ['message', 'parts', at, 'raw'] };
  if (url !== undefined) {
    const own = `${publicUrl}/v1/files/`;
    const [fileId, rest] = url.startsWith(own) ? url.slice(own.length).split('/') : [];
    if (rest === 'content') return { type: 'input_file', file_id: fileId } as Item;
    throw contentNotSupported(
      `${place}.url`,
      `no other address is fetched: send the file as raw, or ${own}{file_id}/content.`,
    );
  }
  if (data !== undefined) return { type: 'input_data', data };
  throw invalidMessage(place, 'a part has a text, raw bytes, a url or data.');
}

/** A typed agent takes one object, also as JSON text; other agents read data as text. */
function typed(items: Item[], { input_schema: schema }: AgentConfiguration): object[] {
  return items.map((item) => {
    if (schema && item.type === 'input_text') {
      const data = dataIn(item.text);
      return isObject(data) ? { type: 'input_data', data } : item;
    }
    return !schema && item.type === 'input_data' ? { type: 'input_text', text: JSON.stringify(item.data) } : item;
  });
}

// The run's schema uses its own member names; in the message they are elsewhere.
const PLACES: Record<string, string> = {
  input: 'message.parts',
  session_id: 'message.contextId',
  max_cost_usd: 'metadata.max_cost_usd',
};

function checked(order: object): z.output<typeof RunOrder> {
  const parsed = RunOrder.safeParse(order);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw invalidMessage(placeOf(issue.path.join('.')), sentenceOf(issue, order));
}

/** The path in the message of a member of the run's order. */
export function placeOf(param: string): string {
  const [name, ...rest] = param.split('.');
  return [PLACES[name!] ?? name, ...rest].join('.');
}
