import { expect } from '@jest/globals';
import { read } from '../../support/http.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';

export interface Managed {
  id: string;
  name: string;
  prefix: string;
  key: string;
  scopes: string[];
  previous_expires_at: string | null;
  [member: string]: unknown;
}

/** The API, and workspaces whose owner manages keys with a key of the scope `manage`. */
export async function setKeyStage() {
  const stage: GuardStage = await setGuardStage();

  /** Calls key management as the holder of a key. */
  const call = (secret: string, method: string, path = '', body?: object, headers: Record<string, string> = {}) =>
    stage.ask(`/console/v1/keys${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...headers },
      body: body && JSON.stringify(body),
    });

  return {
    ...stage,
    call,
    manager: (options: Parameters<typeof stage.account>[0] = {}) =>
      stage.account({ name: 'operations', scopes: ['manage'], ...options }),
    /** Creates a key. */
    make: async ({ secret }: { secret: string }, body: object = {}) =>
      read<Managed>(call(secret, 'POST', '', { name: 'made', ...body }), 201),
    /** The status of a product request with this secret. */
    use: async (secret: string, url = stage.api.url) => {
      const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } });
      await response.body?.cancel();
      return response.status;
    },
    audit: async ({ workspaceId }: { workspaceId: string }) => {
      const sql =
        'select action, subject_id, key_id, detail from audit_entries where workspace_id = $1 order by created_at, id';
      return (await stage.db.pool.query(sql, [workspaceId])).rows;
    },
  };
}

/** Repeats a request until it gets the status; fails if a request sent a second after `sinceMs` (now) still does not. */
export async function expectWithinASecond(
  status: () => Promise<number>,
  wanted: number,
  sinceMs = performance.now(),
): Promise<void> {
  for (;;) {
    const askedAtMs = performance.now();
    const answered = await status();
    if (answered === wanted) return;
    expect({ answered, isLate: askedAtMs > sinceMs + 1_000 }).toEqual({ answered, isLate: false });
  }
}
