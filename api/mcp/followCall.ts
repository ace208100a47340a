import type { ServerContext } from '@modelcontextprotocol/server';
import type { EventText } from '../../db/runs/events/readEvents.ts';
import { findRun, isTerminal, type RunRow } from '../../db/runs/runRow.ts';
import { cancelAndNotify } from '../runs/cancelAndNotify.ts';
import { openKeyedFeed } from '../runs/keyedFeed.ts';
import { keyEnded } from '../errors/keyErrors.ts';
import type { Services } from '../services.ts';

interface Followed {
  request: ServerContext['mcpReq'];
  signal: AbortSignal;
  /** The caller's. */
  keyId: string;
}

/**
 * The run as it is when it has ended or asks something, or when this process ends. Tells a client that wants to know how it gets on; a
 * call that is cancelled cancels its run. Throws 401 when the caller's key ends meanwhile.
 */
export async function followCall(
  services: Services,
  run: RunRow,
  { request, signal, keyId }: Followed,
): Promise<RunRow> {
  const { db } = services;
  const place = { workspaceId: run.workspace_id, runId: run.id };
  const feed = openKeyedFeed(services, keyId, { ...place, after: 0, reached: run.last_sequence });
  signal.addEventListener('abort', feed.close, { once: true });
  if (signal.aborted) feed.close();
  let current = run;
  try {
    while (!needsCaller(current)) {
      const events = await feed.next();
      if (!events) break;
      await notifyProgress(request, events);
      current = (await findRun(db.orm, run.workspace_id, run.id)) ?? current;
    }
  } finally {
    feed.close();
  }
  if (feed.hasKeyEnded()) throw keyEnded();
  if (signal.aborted && !isTerminal(current.status)) await cancelAndNotify(services, { ...place, ...ABANDONED });
  return current;
}

const ABANDONED = { mode: 'immediate' as const, reason: 'the call over MCP was cancelled' };

const needsCaller = ({ status }: RunRow) => isTerminal(status) || status === 'requires_action';

/** Progress messages for a waiting client. The output itself is in the answer. */
const PROGRESS_TEXTS: Record<string, string> = {
  'run.queued': 'Waits for its turn.',
  'run.in_progress': 'Works.',
  'run.step.started': 'Takes a step',
  'run.cancelling': 'Is being cancelled.',
  'run.budget.warning': 'Comes near its limit.',
};

async function notifyProgress({ _meta: meta, notify }: ServerContext['mcpReq'], events: EventText[]): Promise<void> {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return;
  for (const { type, json, sequence } of events) {
    const message = PROGRESS_TEXTS[type];
    if (message === undefined) continue;
    const params = { progressToken, progress: sequence, message: message + stepIn(type, json) };
    await notify({ method: 'notifications/progress', params });
  }
}

function stepIn(type: string, json: string): string {
  if (type !== 'run.step.started') return '';
  const { data } = JSON.parse(json) as { data: { name: string } };
  return `: ${data.name}.`;
}
