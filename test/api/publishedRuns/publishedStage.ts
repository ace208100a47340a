import { beginStep } from '../../../db/runs/steps/beginStep.ts';
import type { BegunStep } from '../../../db/runs/stepFacts.ts';
import { finishStep } from '../../../db/runs/steps/steps.ts';
import { finishRun, type RunEnding } from '../../../db/runs/states/finishRun.ts';
import { setRunRouteStage } from '../../support/runRouteStage.ts';

/** A text in everything that callers and models write, and in nothing else. */
export const planted = 'Zanzibar77';

export const FAILED: RunEnding = {
  status: 'failed',
  fault: 'agent',
  code: 'output_invalid',
  message: `The output does not fit: ${planted}.`,
};

/** A publisher with an agent, a caller whose runs the test drives, and another publisher. */
export async function setPublishedStage() {
  const stage = await setRunRouteStage();
  const publisher = await stage.account({ scopes: ['llm', 'publisher'], creditUsd: '10' });
  const stranger = await stage.account({ scopes: ['llm', 'publisher'] });
  const lookUp = {
    name: 'look_up',
    description: 'Looks up.',
    input_schema: { type: 'object' },
    url: 'https://tools.example.com/',
  };
  const name = await stage.publish({ tools: ['fetch_url'], http_tools: [lookUp] }, publisher);
  const { rows } = await stage.db.pool.query<{ id: string; versionId: string }>(
    `select a.id, v.id as "versionId" from agents a join agent_versions v on v.agent_id = a.id where a.workspace_id = $1`,
    [publisher.workspaceId],
  );
  const agent = { ...rows[0]!, name };
  const runs = `/v1/publisher/agents/${agent.id}/runs`;

  /** A run of the agent with a step of the model and two of tools, all of which say the planted text. */
  async function end(ending: RunEnding, key = stage.mine.secret): Promise<string> {
    const order = { agent: agent.name, input: `Look for ${planted}.`, metadata: { note: planted } };
    const { id: runId } = await stage.create(order, { key });
    const { pool } = stage.db;
    const call = { id: 'c1', name: 'fetch_url', arguments: JSON.stringify({ url: `https://${planted}.example` }) };
    const made = { id: 'c2', name: `ask_${planted}`, arguments: '{}' };
    const own = { id: 'c3', name: 'look_up', arguments: '{}' };
    await step(
      { runId, step: 1, kind: 'model', name: 'scripted' },
      {
        text: planted,
        toolCalls: [
          { step: 2, ...call },
          { step: 3, ...made },
          { step: 4, ...own },
        ],
      },
      { model_input_tokens: 20_000, model_output_tokens: 5_000 },
    );
    await step({ runId, step: 2, kind: 'tool', name: call.name }, { text: planted, isError: false });
    await step(
      { runId, step: 3, kind: 'tool', name: made.name },
      { text: `No tool ${planted}.`, isError: true },
      {},
      'tool_error',
    );
    await step({ runId, step: 4, kind: 'tool', name: own.name }, { text: planted, isError: true }, {}, 'tool_error');
    if (ending.status === 'cancelled')
      await pool.query(`update runs set cancel_reason = $2 where id = $1`, [runId, planted]);
    await finishRun(stage.db, runId, ending);
    return runId;

    async function step(
      order: Parameters<typeof beginStep>[1],
      result: object,
      quantities: Record<string, number> = {},
      reason?: string,
    ) {
      const started = (await beginStep(pool, order)) as { begun: BegunStep };
      const output = order.step === 1 ? [{ type: 'output_text', text: planted }] : [];
      const failure = reason === undefined ? undefined : { reason, message: planted };
      await finishStep(pool, started.begun, { state: 'completed', result, quantities, output, failure });
    }
  }

  const readAs = async (path: string, key = publisher.secret) => {
    const answer = await stage.call(path, { key });
    return { status: answer.status, text: await answer.text() };
  };

  return { ...stage, publisher, stranger, agent, runs, end, readAs };
}
