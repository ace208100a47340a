import { z } from 'zod';
import { EVENT_GROUPS, type EventGroup, RUN_EVENT_TYPES } from '../db/events/eventTypes.ts';
import { AGENT_NAME, AGENT_REFERENCE, VERSION_NAME } from '../base/agentNames.ts';
import { isWholeNanos } from '../db/money.ts';
import { responseFormat } from '../db/agents/modelSettings.ts';
import type { NewRun } from '../db/runs/createRun.ts';
import { METADATA_PAIRS_MAX } from '../base/limits.ts';
import { flowMembers, isTimedOnce, TIMED_TWICE } from './flow.ts';
import { id, input } from './inputItems.ts';
import { state, user } from './stateOfOrder.ts';
import { record } from '../base/record.ts';

const DAY_SECONDS = 86_400;

/** The name of an agent. */
export const agentName = z.string().max(200).regex(AGENT_NAME, 'An agent is <namespace>/<slug>.');
/** The agent of an order, with the channel or version that it may name. */
export const agentReference = z
  .string()
  .max(200)
  .regex(AGENT_REFERENCE, 'An agent is <namespace>/<slug>, or <namespace>/<slug>@<channel or version>.')
  .describe('`<namespace>/<slug>`, or with `@` and a channel or a version: `acme/poet@beta`.');
export const version = z
  .string()
  .regex(
    VERSION_NAME,
    'A version is its date or its id, aver_…. A channel belongs to the agent’s name: <namespace>/<slug>@beta.',
  );
export const costUsd = z
  .number()
  .positive()
  .max(1_000_000)
  .refine(isWholeNanos, 'An amount has at most nine decimals.')
  .describe('US dollars.');

/** Up to so many pairs of a caller’s own. */
export const metadata = record(z.string().max(64), z.string().max(512)).refine(
  (pairs) => Object.keys(pairs).length <= METADATA_PAIRS_MAX,
  `At most ${METADATA_PAIRS_MAX} pairs.`,
);

const RUN_EVENTS = Object.keys(RUN_EVENT_TYPES) as [keyof typeof RUN_EVENT_TYPES];
const webhookEvents = z.enum(RUN_EVENTS);

/** A group of events that a reader may choose. */
export const eventGroup = z.enum(Object.keys(EVENT_GROUPS) as [EventGroup]);

/** What choosing groups means, for bodies and queries. */
export const INCLUDE =
  'Of the groups `steps`, `deltas` (pieces of text), `reasoning` and `cost`, only these; other events always come. Pieces that the reader ' +
  'has not fetched yet come as one, with the id of the last. When left out, everything, piece by piece.';

/** The common members of an order: a run of a published agent, or a test of a draft. */
export const members = {
  session_id: id('ses').optional().describe('A new session when left out.'),
  input,
  response_format: responseFormat
    .optional()
    .describe('The schema of this run’s `output_data`, for agents with `accepts_response_format`.'),
  max_cost_usd: costUsd.optional().describe('The agent’s maximum when left out.'),
  on_limit: z
    .enum(['stop', 'pause'])
    .default('stop')
    .describe('With `pause` the run waits for a higher limit, while it is below the agent’s maximum.'),
  if_session_busy: z.enum(['reject', 'enqueue', 'interrupt']).default('reject'),
  ...flowMembers,
  timeout_seconds: z.int().min(1).max(DAY_SECONDS).default(3600),
  metadata: metadata.prefault({}),
  user: user.optional(),
  state: state.optional(),
  stream: z.boolean().default(false).describe('Answers with the run’s events.'),
  include: z.array(eventGroup).max(4).optional().describe(`For \`stream\`. ${INCLUDE}`),
  on_disconnect: z
    .enum(['continue', 'cancel'])
    .optional()
    .describe('`cancel` only with `stream`; `continue` when left out.'),
  webhook_url: z
    .string()
    .max(2048)
    .optional()
    .describe(
      'The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there.',
    ),
  webhook_events: z
    .array(webhookEvents)
    .max(5)
    .optional()
    .describe('Which events go to `webhook_url`; all of these when left out.'),
};

interface Streaming {
  on_disconnect?: string | undefined;
  stream: boolean;
}

/** Whether the requested behaviour on disconnect is possible for this kind of answer. */
export const canNotice = (order: Streaming) => order.on_disconnect !== 'cancel' || order.stream;
export const MUST_STREAM = {
  path: ['on_disconnect'],
  message: 'Only a run that is streamed can notice that its caller has disconnected: send "stream": true.',
};

/** Whether a choice of events has events to choose from. */
export const hasEvents = (order: { include?: unknown; stream: boolean }) => order.include === undefined || order.stream;
export const EVENTS_STREAM = {
  path: ['include'],
  message: 'Only the events of a run that is streamed can be chosen: send "stream": true.',
};

/** Whether an order names a version at most once: with the agent, or as `version`. */
export const namesOneRelease = ({ agent, version: named }: { agent: string; version?: string | undefined }): boolean =>
  named === undefined || !agent.includes('@');
export const NAME_ONE_RELEASE = {
  path: ['version'],
  message: 'The agent’s name has a channel or a version already, after its @: leave this out.',
};

/** Where the order of a run has data of any form. */
export const ORDER_DATA = [['input'], ['state']] as const;

/** The body of `POST /v1/runs`, and the common form of every other order. */
export const RunOrder = z
  .strictObject({
    agent: agentReference,
    version: version.optional().describe('A date label or `aver_…`; the current one when left out.'),
    visibility: z.enum(['public', 'private']).default('public'),
    quote_id: id('quote').optional().describe('Runs the version of this quote at its price, while the quote holds.'),
    ...members,
    start_after_seconds: z
      .int()
      .min(0)
      .max(7 * DAY_SECONDS)
      .default(0),
    source: z.enum(['api', 'chat', 'workstream']).default('api'),
  })
  .refine(canNotice, MUST_STREAM)
  .refine(hasEvents, EVENTS_STREAM)
  .refine(isTimedOnce, TIMED_TWICE)
  .refine(namesOneRelease, NAME_ONE_RELEASE);

/** An order of a run; callers cannot choose the last four sources. */
export type Order = Omit<z.output<typeof RunOrder>, 'source' | 'input'> & {
  source: z.output<typeof RunOrder>['source'] | 'test' | 'schedule' | 'agent' | 'review';
  input: NewRun['input'];
};

/** The defaults of an order without a follower, whose run gets a new session. */
export const UNATTENDED = {
  on_limit: 'stop',
  if_session_busy: 'reject',
  priority: 0,
  start_after_seconds: 0,
  stream: false,
  metadata: {},
} satisfies Partial<Order>;
