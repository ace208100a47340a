import { z } from 'zod';
import type { NamedSchema, RouteDoc } from '../../http/documentedRoute.ts';
import { A2aError } from './a2aErrors.ts';
import { AgentCard } from './card.ts';
import { MessageRequest } from './message.ts';
import { TasksQuery } from './operations.ts';

const Task = {
  id: 'A2aTask',
  schema: z.looseObject({
    id: z.string().describe('The id of the run.'),
    contextId: z.string().describe('The id of its session.'),
    status: z.looseObject({ state: z.string(), timestamp: z.string() }),
    artifacts: z.array(z.looseObject({ artifactId: z.string(), parts: z.array(z.looseObject({})) })).optional(),
    history: z.array(z.looseObject({})).optional(),
  }),
} satisfies NamedSchema;

const TaskPage = {
  id: 'A2aTaskPage',
  schema: z.object({ tasks: z.array(Task.schema), nextPageToken: z.string(), pageSize: z.int(), totalSize: z.int() }),
} satisfies NamedSchema;

const StreamItem = {
  id: 'A2aStreamItem',
  schema: z
    .looseObject({
      task: Task.schema.optional(),
      statusUpdate: z.looseObject({}).optional(),
      artifactUpdate: z.looseObject({}).optional(),
    })
    .describe('One of its members.'),
} satisfies NamedSchema;

const text = 'Write an announcement of our new opening hours.';
const message = { messageId: 'message-1', role: 'ROLE_USER', parts: [{ text }] };
const request = { message, metadata: { agent: 'ledgerline/writer', max_cost_usd: 0.2 } };

const rpc = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
const Rpc: NamedSchema = { id: 'A2aRpcRequest', schema: rpc };
const RpcAnswer: NamedSchema = { id: 'A2aRpcAnswer', schema: z.looseObject({ jsonrpc: z.literal('2.0') }) };

const ERRORS = 'Errors have the protocol’s own form, `google.rpc.Status`.';
const HTTP = {
  answerHeaders: { 'a2a-version': 'The version of the protocol.' },
  errorForm: { body: A2aError, statuses: [400], insteadOf: { 422: 400 } },
} as const;
const TAG = 'Agents';

/** Documentation of the A2A server: each route at the platform's address and at an agent's address. */
export const a2aDocs = {
  agentCard: {
    tag: TAG,
    summary: 'Read an agent’s A2A card',
    description: 'The AgentCard of the A2A protocol, version 1.0, for agents that discover other agents. Needs no key.',
    answer: AgentCard,
    errors: [422],
  },
  platformCard: {
    tag: TAG,
    summary: 'Read the platform’s A2A card',
    description: 'The public agents as skills of one agent. Needs no key.',
    answer: AgentCard,
  },
  rpc: {
    tag: TAG,
    summary: 'Use agents over A2A (JSON-RPC)',
    description:
      'The JSON-RPC binding of A2A 1.0: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, ' +
      'SubscribeToTask. A task is a run, ' +
      'held and billed like one; its `messageId` makes a message idempotent. Push notifications are refused: register a webhook endpoint.',
    input: { ...Rpc, example: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: request } },
    answerHeaders: HTTP.answerHeaders,
    answer: RpcAnswer,
    stream: { when: 'With SendStreamingMessage and SubscribeToTask.', event: RpcAnswer },
  },
  send: {
    ...HTTP,
    tag: TAG,
    summary: 'Send a message over A2A',
    description: `Answers when the task has ended or requires input, or at once with configuration.returnImmediately. ${ERRORS}`,
    input: { id: 'A2aMessageRequest', schema: MessageRequest, example: request },
    answer: { id: 'A2aSendAnswer', schema: z.object({ task: Task.schema }) },
    isPaid: true,
    errors: [409],
  },
  stream: {
    ...HTTP,
    tag: TAG,
    summary: 'Send a message over A2A and stream its task',
    description: ERRORS,
    input: { id: 'A2aMessageRequest', schema: MessageRequest, example: request },
    stream: { when: 'Always.', event: StreamItem },
    isPaid: true,
    errors: [409],
  },
  listTasks: {
    ...HTTP,
    tag: TAG,
    summary: 'List tasks over A2A',
    description: ERRORS,
    query: TasksQuery,
    answer: TaskPage,
  },
  getTask: {
    ...HTTP,
    tag: TAG,
    summary: 'Read a task over A2A',
    description: ERRORS,
    query: z.object({ historyLength: z.int().min(0).optional() }),
    answer: Task,
  },
  cancelTask: { ...HTTP, tag: TAG, summary: 'Cancel a task over A2A', description: ERRORS, answer: Task },
  subscribe: {
    ...HTTP,
    tag: TAG,
    summary: 'Follow a task over A2A',
    description: `From its current state to its end. ${ERRORS}`,
    stream: { when: 'Always.', event: StreamItem },
  },
  refusedPush: {
    ...HTTP,
    tag: TAG,
    summary: 'Push notifications over A2A: refused',
    description: `Register a webhook endpoint instead. ${ERRORS}`,
    statuses: [],
  },
  refusedCard: {
    ...HTTP,
    tag: TAG,
    summary: 'Extended cards over A2A: refused',
    description: `The card without a key is the whole card. ${ERRORS}`,
    statuses: [],
  },
} satisfies Record<string, RouteDoc>;
