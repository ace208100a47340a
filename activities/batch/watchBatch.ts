import { Context } from '@temporalio/activity';
import type { BatchEnding } from '../../db/batches/batchStates.ts';
import type { BatchRow } from '../../db/batches/batches.ts';
import type { Rows } from '../../db/postgres/rows.ts';

const POLL_MS = 500;

/** Whether the batch's caller, its time or this worker's shutdown ends a window. */
export interface BatchWatch {
  readonly ending: BatchEnding | undefined;
  /** This worker shuts down, or another one has taken the window over. */
  readonly isLost: boolean;
  /** Ends the heartbeats. */
  end(): void;
}

/** Watches a batch while its lines run, and sends the heartbeats of their activity. */
export async function watchBatch(everywhere: Rows<undefined>, id: string): Promise<BatchWatch> {
  const context = Context.current();
  let ending = await readEnding(everywhere, id);
  const poll = async () => {
    context.heartbeat();
    // While the database is down, what runs goes on.
    const found = await readEnding(everywhere, id).catch(() => undefined);
    // Kept: an older look may be answered after a newer one.
    ending ??= found;
  };
  const timer = setInterval(() => void poll(), POLL_MS);
  return {
    get ending() {
      return ending;
    },
    get isLost() {
      return context.cancellationSignal.aborted;
    },
    end: () => clearInterval(timer),
  };
}

async function readEnding(everywhere: Rows<undefined>, batchId: string): Promise<BatchEnding | undefined> {
  const query = { name: 'batch_state', text: STATE, values: [batchId] };
  const { rows } = await everywhere.statement(({ client }) => client.query<State>(query));
  return endingOf(rows[0]!);
}

type State = Pick<BatchRow, 'status'> & { expired: boolean };

// Raw: read twice a second, by the database's clock or the test workspace's.
const STATE = 'select status, expires_at <= ledger_now(workspace_id) as expired from batches where id = $1';

function endingOf({ status, expired }: State): BatchEnding | undefined {
  if (status === 'cancelling') return 'cancelled';
  // All lines of a finalizing batch were run in time, however late its files are written.
  return expired && status !== 'finalizing' ? 'expired' : undefined;
}
