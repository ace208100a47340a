import type { Pool } from 'pg';
import type { CallOrder } from './keptCall.ts';

const RELEASE_AGAIN_MS = 1_000;

/** The owner of a call that may be retried. */
export interface ClaimHolder {
  requestId: string;
  bodyHash: string | null;
}

/** The common data of a call's tries. */
type Claimable = CallOrder & { fingerprint: string };

/**
 * Decides which of several equal tries runs: the try with the row in the database. Clocks and the order of request ids decide nothing,
 * because they differ between machines. A claim ends with its call; the claim of a reaped process goes to the next try.
 */
export function createClaims({
  pool,
  processId,
  onError,
}: {
  pool: Pool;
  processId: () => string;
  onError: (error: unknown) => void;
}) {
  const releasing = new Set<Promise<void>>();
  let isClosing = false;

  /** Claims a call. Returns the earlier claimant; undefined: this try has claimed it. */
  async function claim({ workspaceId, fingerprint, requestId, bodyHash }: Claimable): Promise<ClaimHolder | undefined> {
    for (;;) {
      const values = [workspaceId, fingerprint, requestId, bodyHash, processId()];
      const { rowCount } = await pool.query({ name: 'call_claim', text: CLAIM, values });
      if (rowCount === 1) return undefined;
      const { rows } = await pool.query<{ request_id: string; body_hash: string | null }>({
        name: 'call_claim_read',
        text: READ,
        values: [workspaceId, fingerprint],
      });
      // Released in between: try again.
      if (rows[0]) return { requestId: rows[0].request_id, bodyHash: rows[0].body_hash };
    }
  }

  /** Ends a try's claim. Resolves when that is in the database; until then it is repeated. */
  function release(order: Claimable): Promise<void> {
    const released = end(order).finally(() => releasing.delete(released));
    releasing.add(released);
    return released;
  }

  async function end({ workspaceId, fingerprint, requestId }: Claimable): Promise<void> {
    for (;;) {
      try {
        await pool.query({ name: 'call_claim_end', text: END, values: [workspaceId, fingerprint, requestId] });
        return;
      } catch (error) {
        onError(error);
        if (isClosing) return;
        await new Promise((resolve) => setTimeout(resolve, RELEASE_AGAIN_MS).unref());
      }
    }
  }

  /** Deletes the claims of reaped processes. */
  const forgetDead = async (): Promise<void> => void (await pool.query(FORGET));

  async function close(): Promise<void> {
    isClosing = true;
    await Promise.all(releasing);
  }

  return { claim, release, forgetDead, close };
}

// A claim is needed only while its process lives: no call waits for the disk because of it.
const ASYNC = `set_config('synchronous_commit', 'off', true)`;
const IS_DEAD = 'exists (select from processes p where p.id = c.process_id and p.reaped_at is not null)';
const CLAIM = `
insert into call_claims as c (workspace_id, fingerprint, request_id, body_hash, process_id)
select $1, $2, $3, $4, $5 from ${ASYNC}
on conflict (workspace_id, fingerprint) do update set request_id = excluded.request_id, body_hash = excluded.body_hash,
  process_id = excluded.process_id, claimed_at = excluded.claimed_at
where ${IS_DEAD}`;
const READ = 'select request_id, body_hash from call_claims where workspace_id = $1 and fingerprint = $2';
const END = `delete from call_claims c using ${ASYNC}
where c.workspace_id = $1 and c.fingerprint = $2 and c.request_id = $3`;
const FORGET = `delete from call_claims c where claimed_at < now() - interval '1 minute' and ${IS_DEAD}`;
