import { ApplicationFailure, log } from '@temporalio/activity';
import { storableJson } from '../../base/json.ts';
import { needsApproval } from '../../db/agents/approvals.ts';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { readRunRow } from '../../db/runs/childRuns.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { readToolCall, type ToolCall } from '../../db/runs/steps/stepRecords.ts';
import { argumentsIn } from '../../db/runs/waiting/actions.ts';
import { askCaller, type Asked, type Waiting } from '../../db/runs/waiting/askCaller.ts';
import { questionIn, readQuestion } from '../../db/runs/waiting/question.ts';
import { refusal, takeAnswers, type WaitOrder } from '../../db/runs/waiting/takeAnswers.ts';
import { faultOfValue } from '../../tools/foreignJson.ts';
import { ASK_USER_NAME, CALL_AGENT_NAME, type ToolDefinition } from '../../tools/tool.ts';
import type { RunDependencies } from '../dependencies.ts';
import { expectedCostOf } from './approvalCost.ts';
import { callAgentTool } from './calledAgent.ts';
import { hasCaller } from './modelRequest.ts';

/** The activities of a run that waits for its caller's answers: ask, and take what has been answered. Each is idempotent. */
export function waitingActivities(dependencies: RunDependencies) {
  const { db } = dependencies;
  return {
    /** Asks all questions and approvals of a turn together. */
    async askCaller(order: WaitOrder): Promise<Waiting> {
      const { runId, modelStep, steps } = order;
      const run = (await readRunRow(db.pool, runId))!;
      const calls = await Promise.all(steps.map((step) => readToolCall(db.pool, { runId, modelStep, step })));
      const definitions = await definitionsOf(dependencies, run, calls);
      const asked = calls.map(async (call, at): Promise<Asked> => {
        const step = steps[at]!;
        if (call.name === ASK_USER_NAME) return { step, ...questionOf(run, call) };
        return { step, ...(await approvalOf(dependencies, { run, call, definitions })) };
      });
      return askCaller(db, runId, await Promise.all(asked));
    },

    takeAnswers: (order: WaitOrder): Promise<Waiting> => takeAnswers(db, order),
  };
}

/** Only a bug reaches a tool that nobody has approved. */
export function refuseUnapproved({ name, approval, configuration }: ToolCall): void {
  if (approval !== null || !needsApproval(configuration, name)) return;
  throw ApplicationFailure.nonRetryable(`the call of ${name} was not approved`, 'platform');
}

type Part<T> = T extends unknown ? Omit<T, 'step'> : never;

const settled = (name: string, text: string, isError: boolean): Part<Asked> => ({ name, result: { text, isError } });

function questionOf(run: RunRow, { name, arguments: written, configuration }: ToolCall): Part<Asked> {
  if (!configuration.question_forms) return { action: { type: 'text', question: questionIn(written) } };
  const read = readQuestion(written);
  if ('fault' in read) return settled(name, `The question was not asked. ${read.fault}.`, true);
  const { timeoutSeconds, ...asked } = read;
  // Nobody waits at the runs of a schedule: they take the default at once.
  if (run.source === 'schedule' && asked.default !== undefined) {
    const text = typeof asked.default === 'string' ? asked.default : JSON.stringify(asked.default);
    return settled(name, text, false);
  }
  const { schema, default: chosen, question } = asked;
  const action = schema
    ? { type: 'form' as const, question, schema, ...(chosen !== undefined && { default: chosen as object }) }
    : { type: 'text' as const, question, ...(chosen !== undefined && { default: chosen as string }) };
  return { action, ...(timeoutSeconds !== undefined && { limitMs: timeoutSeconds * 1000 }) };
}

const NOBODY = 'nobody can approve it in this run. Do without it.';

async function approvalOf(
  dependencies: RunDependencies,
  { run, call, definitions }: { run: RunRow; call: ToolCall; definitions: ToolDefinition[] },
): Promise<Part<Asked>> {
  const { name } = call;
  const args = argumentsIn(call.arguments);
  if (!args) return settled(name, 'The arguments are not valid JSON. Call the tool again with one JSON object.', true);
  const fault = faultOfValue(args);
  if (fault) return settled(name, `The arguments cannot be used: ${fault}.`, true);
  if (!hasCaller(run)) return settled(name, refusal(NOBODY), true);
  const definition = definitions.find((one) => one.name === name);
  const cost = await expectedCostOf(dependencies, { run, call, args });
  const input_schema = definition?.parameters ?? null;
  return { action: { type: 'tool_approval', name, arguments: storableJson(args), input_schema, ...cost } };
}

/** The definitions of the tools that are called. A plugin that cannot be opened now is opened again when the call is made. */
async function definitionsOf(dependencies: RunDependencies, run: RunRow, calls: ToolCall[]): Promise<ToolDefinition[]> {
  const names = calls.map(({ name }) => name).filter((name) => name !== ASK_USER_NAME);
  if (names.length === 0) return [];
  const { configuration } = calls[0]!;
  const agent = names.includes(CALL_AGENT_NAME)
    ? await callAgentTool(dependencies, run, configuration.agents ?? [])
    : undefined;
  const others = names.filter((name) => name !== CALL_AGENT_NAME);
  const opened =
    others.length === 0 ? [] : await openedTools(dependencies, run, withoutIdlePlugins(configuration, others));
  return [...(agent ? [agent] : []), ...opened];
}

const withoutIdlePlugins = (configuration: AgentConfiguration, names: string[]): AgentConfiguration => ({
  ...configuration,
  plugins: configuration.plugins.filter(({ plugin_id: id }) => names.some((name) => name.startsWith(`${id}__`))),
});

async function openedTools(
  { openTools }: RunDependencies,
  { workspace_id: workspaceId }: RunRow,
  configuration: AgentConfiguration,
): Promise<ToolDefinition[]> {
  try {
    const toolbox = await openTools(configuration, workspaceId);
    await toolbox.close();
    return toolbox.definitions;
  } catch (error) {
    log.warn('the schemas of tools are unknown', { error });
    return [];
  }
}
