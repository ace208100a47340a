import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { runObject, type RunObject } from '../../db/runs/runObject.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { z } from 'zod';
import type { CallOutcome } from './agentTools.ts';
import type { RunOutput } from '../runs/runAnswers.ts';

/** The answer of a call: the run's output, cost and id. A failed or cancelled run is an error. */
export function resultOf(row: RunRow, { publicUrl }: { publicUrl: string }): CallToolResult {
  const run = runObject(row);
  const outcome: z.output<typeof CallOutcome> = {
    run_id: run.id,
    session_id: run.session_id,
    status: run.status,
    cost_usd: run.usage.total_usd,
  };
  const note = noteOf(run);
  return {
    content: [...outputOf(run, publicUrl), ...(note === null ? [] : [{ type: 'text' as const, text: note }])],
    structuredContent: outcome,
    ...(!GOOD.has(run.status) && { isError: true }),
  };
}

const GOOD = new Set<string>(['completed', 'limit_reached', 'requires_action']);

function outputOf({ output }: RunObject, publicUrl: string): ContentBlock[] {
  const items = output as RunOutput[];
  return items.map((item) => {
    switch (item.type) {
      case 'output_text':
        return { type: 'text', text: item.text };
      case 'output_file': {
        const { file_id, filename, media_type, size_bytes } = item;
        const uri = `${publicUrl}/v1/files/${file_id}/content`;
        return { type: 'resource_link', uri, name: filename, mimeType: media_type, size: size_bytes };
      }
      case 'output_data':
        return { type: 'text', text: JSON.stringify(item.data) };
      default:
        return item satisfies never;
    }
  });
}

/** A note on how the run ended, when the output does not show it. */
function noteOf(run: RunObject): string | null {
  const { id, status, required_action: action } = run;
  const error = run.error as { code: string; message: string } | null;
  const limit = run.limit as { kind: string } | null;
  switch (status) {
    case 'completed':
      return null;
    case 'limit_reached':
      return `The run has reached its limit (${limit?.kind}); its output may be incomplete.`;
    case 'failed':
      return `${error?.code}: ${error?.message}`;
    case 'requires_action':
      return `The run waits for an answer to: ${JSON.stringify(action)}. Send it to POST /v1/runs/${id}/input.`;
    case 'cancelled':
    case 'cancelling':
      return 'The run was cancelled.';
    case 'queued':
    case 'in_progress':
      return `The run continues. Read it at GET /v1/runs/${id}.`;
    default:
      return status satisfies never;
  }
}
