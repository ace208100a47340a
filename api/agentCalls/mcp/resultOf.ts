import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { JsonSchema } from '../../../base/jsonSchema.ts';
import { usdOf } from '../../../db/money.ts';
import { wholeCostNanosOf } from '../../../db/runs/runObject.ts';
import type { RunRow } from '../../../db/runs/runRow.ts';
import { presentRun, type RunOutput } from '../../runs/runAnswers.ts';
import { askedText } from '../asked.ts';
import type { CallOutcome } from './agentTools.ts';
import { uriOf } from './resources.ts';

type RunObject = ReturnType<typeof presentRun>;

/** How programs read a call's result: by the agent's own schema, if it has one. */
interface Reader {
  publicUrl: string;
  outputSchema: JsonSchema | null;
}

/** The answer of a call: the run's output and cost. A run without the output that its agent declares is an error. */
export function resultOf(row: RunRow, { publicUrl, outputSchema }: Reader): CallToolResult {
  const run = presentRun(row);
  const note = noteOf(run);
  const outcome = outcomeOf(run);
  const { run_id: id, session_id, status, cost_usd } = outcome;
  const structured = outputSchema ? (outcome.data as Record<string, unknown> | undefined) : outcome;
  const isGood = outputSchema ? run.status === 'completed' && structured !== undefined : GOOD.has(run.status);
  return {
    content: [
      ...run.output.map((item) => blockOf(item, publicUrl)),
      ...(note === null ? [] : [{ type: 'text' as const, text: note }]),
    ],
    ...(structured && { structuredContent: structured }),
    ...(!isGood && { isError: true }),
    _meta: { 'ledgerline/run': { id, session_id, status, cost_usd } },
  };
}

const GOOD = new Set<string>(['completed', 'limit_reached', 'requires_action']);

function outcomeOf(run: RunObject): z.output<typeof CallOutcome> {
  const texts = run.output.flatMap((item) => (item.type === 'output_text' ? [item.text] : []));
  const data = run.output.findLast((item) => item.type === 'output_data')?.data;
  const question = run.required_action?.question;
  return {
    text: texts.join('\n\n'),
    ...(data !== undefined && { data }),
    files: run.output.flatMap((item) =>
      item.type === 'output_file'
        ? [{ uri: uriOf(item.file_id), name: item.filename, media_type: item.media_type, size_bytes: item.size_bytes }]
        : [],
    ),
    ...(question !== undefined && { question }),
    ...(run.required_actions.length > 0 && { required_actions: run.required_actions }),
    run_id: run.id,
    session_id: run.session_id,
    status: run.status,
    cost_usd: usdOf(wholeCostNanosOf(run)),
  };
}

function blockOf(item: RunOutput, publicUrl: string): ContentBlock {
  switch (item.type) {
    case 'output_text':
      return { type: 'text', text: item.text };
    case 'output_file': {
      const { file_id, filename, media_type, size_bytes } = item;
      const _meta = { 'ledgerline/url': `${publicUrl}/v1/files/${file_id}/content` };
      return {
        type: 'resource_link',
        uri: uriOf(file_id),
        name: filename,
        mimeType: media_type,
        size: size_bytes,
        _meta,
      };
    }
    case 'output_data':
      return { type: 'text', text: JSON.stringify(item.data) };
    default:
      return item satisfies never;
  }
}

/** A note on how the run ended and what to do, when the output does not show it. */
function noteOf({
  id,
  status,
  status_reason,
  required_action: action,
  required_actions: actions,
  error,
  limit,
}: RunObject) {
  switch (status) {
    case 'completed':
      return null;
    case 'limit_reached':
      return `The run has reached its limit (${limit?.kind ?? status_reason}); its output may be incomplete.`;
    case 'failed':
      return `${error?.code}: ${error?.message}`;
    case 'requires_action':
      return typeof action?.message === 'string'
        ? `${action.message} Then wait for the run with the tool get_run and run_id "${id}".`
        : `${actions.map(asksFor).join('\n')} Answer with the tool answer_run and run_id "${id}".`;
    case 'cancelled':
    case 'cancelling':
      return 'The run was cancelled.';
    case 'queued':
    case 'in_progress':
      return `The run continues. Wait for it with the tool get_run and run_id "${id}".`;
    default:
      return status satisfies never;
  }
}

/** One action, and what answers it where that is no text. */
function asksFor(action: RunObject['required_actions'][number]): string {
  const { type, step_id: id } = action;
  const asked = askedText(action);
  if (type === 'text') return `The agent asks: ${JSON.stringify(asked)}.`;
  if (type === 'form') return `The agent asks for data (step_id "${id}"): ${asked}\n`;
  return type === 'tool_approval' ? `${asked} It needs a decision, approve or refuse (step_id "${id}").` : asked;
}
