import { storableText } from '../../base/json.ts';
import { StorageRefused } from '../../db/files/upload.ts';
import { forgetMemory, insertMemory, MEMORIES_PER_USER_MAX, recallMemories } from '../../db/memories/memories.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { ToolCall } from '../../db/runs/steps/stepRecords.ts';
import type { BegunStep } from '../../db/runs/stepFacts.ts';
import { claimStep } from '../../db/runs/steps/steps.ts';
import { changeState, readState } from '../../db/sessions/sessionState.ts';
import { ToolFailure } from '../../tools/tool.ts';
import type { ToolMemory, ToolState } from '../../tools/toolData.ts';

/** One call of a tool. */
interface Called {
  rows: Rows;
  call: ToolCall;
  begun: BegunStep;
}

/** The state of the session as one tool call sees it. A change is stored under its step: another attempt of the step finds it. */
export function createToolState({ rows, call: { sessionId }, begun }: Called): ToolState {
  return {
    read: () => readable(readState(rows, sessionId)),
    merge: (patch) => {
      const by = { runId: begun.runId, stepId: begun.id, claim: claimOf(begun) };
      return readable(changeState(rows, { sessionId, edit: { merge: patch }, by }));
    },
  };
}

/** The memories of the run's user as one tool call sees them; null for a run without a user. */
export function createToolMemory({ rows, call, begun }: Called): ToolMemory | null {
  const { agent, agentId, projectId, endUser, configuration } = call;
  if (endUser === null) return null;
  const space = { agentId, projectId, endUser };
  const { runId, id: stepId } = begun;
  return {
    remember: async (written) => {
      const text = storableText(written);
      const days = configuration.memory_days ?? null;
      const id = await insertMemory(rows, space, { agent, text, runId, stepId, days, claim: claimOf(begun) });
      if (id !== undefined) return { id };
      throw new ToolFailure(`${MEMORIES_PER_USER_MAX} memories are kept of this user, the most allowed. Forget some.`);
    },
    recall: ({ query, limit }) => recallMemories(rows, space, { query: query && storableText(query), limit }),
    forget: (id) => forgetMemory(rows, space, storableText(id)),
  };
}

const claimOf =
  (begun: BegunStep) =>
  (client: Parameters<typeof claimStep>[0]): Promise<void> =>
    claimStep(client, begun);

/** What a session refuses is the model's to read. */
async function readable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StorageRefused ? new ToolFailure(error.message) : error;
  }
}
