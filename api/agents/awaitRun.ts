import { findRun } from '../../db/runs/findRun.ts';
import { isTerminal, type RunRow } from '../../db/runs/runRow.ts';
import type { Context } from '../context.ts';
import { keyEnded } from '../errors.ts';
import type { Services } from '../services.ts';

/** The run as it is when it has ended, when the wait is over, or when its caller has gone. Throws 401 when the caller's key ends meanwhile. */
export async function awaitRun(ctx: Context, { db }: Services, run: RunRow, waitMs: number): Promise<RunRow> {
  const place = { workspaceId: run.workspace_id, runId: run.id };
  const feed = db.runFollows.open(place, { after: run.last_sequence, reached: run.last_sequence });
  const stop = () => feed.close();
  const timer = setTimeout(stop, waitMs);
  ctx.res.on('close', stop);
  let hasKeyEnded = false;
  const stopWatchingKey = db.keys.watch(ctx.state.key.keyId, () => {
    hasKeyEnded = true;
    stop();
  });
  try {
    let current = run;
    while (!isTerminal(current.status) && (await feed.next()) !== undefined)
      current = (await findRun(db.orm, run.workspace_id, run.id)) ?? current;
    if (hasKeyEnded) throw keyEnded();
    return current;
  } finally {
    clearTimeout(timer);
    stopWatchingKey();
    feed.close();
  }
}
