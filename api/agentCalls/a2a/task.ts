import { readWhole } from '../../../db/files/files.ts';
import type { Rows } from '../../../db/postgres/rows.ts';
import { usdOf } from '../../../db/money.ts';
import { wholeCostNanosOf } from '../../../db/runs/runObject.ts';
import { conversationIn, type RunInput } from '../../../db/runs/runInput.ts';
import { isAnswered, isTerminal, type RunRow, type RunStatus } from '../../../db/runs/runRow.ts';
import { openActionsOf } from '../../../db/runs/waiting/actions.ts';
import { presentRun, type RunOutput } from '../../runs/runAnswers.ts';
import { askedText } from '../asked.ts';

/** A run as a task of the A2A protocol, in its JSON form. */

export type Part = ({ text: string } | { data: unknown } | { raw: string } | { url: string }) & {
  filename?: string;
  mediaType?: string;
  metadata?: object;
};

export interface Artifact {
  artifactId: string;
  name: string;
  parts: Part[];
}

export interface TaskStatus {
  state: string;
  timestamp: string;
  message?: object;
}

export interface Task {
  id: string;
  contextId: string;
  status: TaskStatus;
  artifacts?: Artifact[];
  history?: object[];
  metadata: object;
}

/** The protocol's states. A run that reached its limit has not completed its task, but keeps its output. */
export const STATES: Record<RunStatus, string> = {
  queued: 'TASK_STATE_SUBMITTED',
  in_progress: 'TASK_STATE_WORKING',
  requires_action: 'TASK_STATE_INPUT_REQUIRED',
  cancelling: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  limit_reached: 'TASK_STATE_FAILED',
  cancelled: 'TASK_STATE_CANCELED',
  failed: 'TASK_STATE_FAILED',
};

/** All states of the protocol: no task here is rejected, and the zero value asks for every task. */
export const STATE_NAMES = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;

/** The protocol's state of a run. */
export const stateOf = (status: RunStatus): string => STATES[status];

/** The metadata of a run that names the message that began it. */
export const MESSAGE_ID = 'a2a_message_id';

interface Shown {
  /** The newest messages; all when left out. */
  historyLength?: number | undefined;
  hasArtifacts?: boolean;
}

/** Presents runs as tasks. Small files are embedded; larger ones are addresses. */
export function createTasks(rows: Rows, { publicUrl }: { publicUrl: string }) {
  async function taskOf(row: RunRow, { historyLength, hasArtifacts = true }: Shown = {}): Promise<Task> {
    const { id, session_id: contextId, output } = presentRun(row);
    const history = historyOf(row).slice(historyLength === 0 ? Infinity : -(historyLength ?? 0));
    return {
      id,
      contextId,
      status: statusOf(row),
      ...(hasArtifacts && output.length > 0 && { artifacts: await Promise.all(output.map(artifactOf)) }),
      ...(history.length > 0 && { history }),
      metadata: metadataOf(row),
    };
  }

  async function artifactOf(item: RunOutput, index: number): Promise<Artifact> {
    const artifactId = artifactIdOf(index);
    switch (item.type) {
      case 'output_text':
        return { artifactId, name: 'text', parts: [textPart(item.text)] };
      case 'output_data':
        return { artifactId, name: 'data', parts: [{ data: item.data, mediaType: 'application/json' }] };
      case 'output_file':
        return { artifactId, name: item.filename, parts: [await filePart(item)] };
      default:
        return item satisfies never;
    }
  }

  async function filePart(file: Extract<RunOutput, { type: 'output_file' }>): Promise<Part> {
    const { file_id, filename, media_type: mediaType, size_bytes } = file;
    const about = { filename, mediaType, metadata: { file_id, size_bytes } };
    const bytes = size_bytes <= INLINE_BYTES_MAX ? await bytesOf(file_id, size_bytes) : undefined;
    if (bytes) return { raw: bytes.toString('base64'), ...about };
    return { url: `${publicUrl}/v1/files/${file_id}/content`, ...about };
  }

  // A deleted file keeps its address, which then answers 404.
  const bytesOf = (id: string, sizeBytes: number): Promise<Buffer | undefined> =>
    readWhole(rows, { id, sizeBytes }).catch(() => undefined);

  return { taskOf, artifactOf };
}

const INLINE_BYTES_MAX = 256 * 1024;

/** Names an output by its place in the run, in streams too. */
export const artifactIdOf = (index: number): string => `output-${index}`;

export const textPart = (text: string): Part => ({ text, mediaType: 'text/plain' });

/** The state of a run, with its question or the reason of its end. */
export function statusOf(row: RunRow): TaskStatus {
  const { created_at, started_at, completed_at, status, required_action: action } = presentRun(row);
  const text = messageTextOf(row);
  return {
    state: waitingStateOf(row) ?? STATES[status],
    timestamp: completed_at ?? started_at ?? created_at,
    ...(text !== null && { message: agentMessage(row, text, { metadata: action ?? {}, data: waitingData(row) }) }),
  };
}

/** A plugin's secrets and sign-ins are supplied outside of the task. */
const waitingStateOf = (row: RunRow): string | undefined =>
  row.status === 'requires_action' && !isAnswered(row) && isPluginAction(row.required_action)
    ? 'TASK_STATE_AUTH_REQUIRED'
    : undefined;

/** Whether a run waits for a plugin's secret or sign-in, which no message can supply. */
export const isPluginAction = (action: RunRow['required_action']): boolean =>
  Boolean(action?.type.startsWith('plugin_'));

function messageTextOf(row: RunRow): string | null {
  const { status, required_action: action, error, limit, status_reason } = presentRun(row);
  if (status === 'requires_action')
    return action?.type === 'raise_limit'
      ? 'The run has reached its limit: send a message of this task with metadata.max_cost_usd.'
      : openActionsOf(row).map(askedText).join('\n\n');
  if (status === 'failed') return `${error?.code}: ${error?.message}`;
  if (status === 'limit_reached')
    return `The run has reached its limit (${limit?.kind ?? status_reason}); its output may be incomplete.`;
  return null;
}

/** The forms and approvals of a waiting run, for clients that show them: they answer with a data part. */
function waitingData(row: RunRow): object | undefined {
  const { required_actions: actions } = presentRun(row);
  const isPlain = actions.every(({ type }) => type !== 'form' && type !== 'tool_approval');
  return isPlain ? undefined : { required_actions: actions };
}

const agentMessage = (
  row: RunRow,
  text: string,
  { metadata, data }: { metadata: object; data: object | undefined },
) => ({
  messageId: `${row.id}-${row.last_sequence}`,
  contextId: row.session_id,
  taskId: row.id,
  role: 'ROLE_AGENT',
  parts: [textPart(text), ...(data ? [{ data, mediaType: 'application/json' }] : [])],
  metadata,
});

/** The user's message, as the run keeps it; of a conversation, its messages. */
function historyOf(row: RunRow): object[] {
  if (row.input === null) return [];
  const about = { contextId: row.session_id, taskId: row.id };
  const id = row.metadata[MESSAGE_ID] ?? `${row.id}-0`;
  const conversation = conversationIn(row.input);
  if (!conversation) return [{ messageId: id, ...about, role: 'ROLE_USER', parts: partsOf(row.input) }];
  return conversation.flatMap((item, at) => {
    if (item.type !== 'message') return [];
    const role = item.role === 'assistant' ? 'ROLE_AGENT' : 'ROLE_USER';
    return [{ messageId: `${id}-${at}`, ...about, role, parts: partsOf(item.content), metadata: { role: item.role } }];
  });
}

function partsOf(input: RunInput): Part[] {
  if (typeof input === 'string') return [textPart(input)];
  return input.flatMap((item): Part[] => {
    if (item.type === 'input_text') return [textPart(item.text)];
    if (item.type === 'input_data') return [{ data: item.data, mediaType: 'application/json' }];
    return item.type === 'input_file' ? [{ data: { file_id: item.file_id }, metadata: { file_id: item.file_id } }] : [];
  });
}

/** Metadata without an equivalent in the protocol: the agent, the run's own state, and its cost. */
export function metadataOf(row: RunRow) {
  const { agent, version, status, usage } = presentRun(row);
  return { agent, version, status, cost_usd: usdOf(wholeCostNanosOf({ usage })), settled: isTerminal(row.status) };
}
