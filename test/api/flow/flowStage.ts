import { createTurns } from '../../../orders/turns.ts';
import { finishRun, type RunEnding } from '../../../db/runs/states/finishRun.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { setRunRouteStage } from '../../support/runRouteStage.ts';
import { until } from '../../support/until.ts';

/** A run as its answer has it. */
export type Shown = Omit<RunObject, 'queue'> & {
  queue: { waits_for: string; position: number | null; key: string | null; starts_at: string | null } | null;
};

/** The stage of runs, without Temporal: an admitted run is one that does not wait any more. */
export async function setFlowStage() {
  const stage = await setRunRouteStage({ env: { OPEN_RUNS_MAX: '200' } });
  const { db } = stage;
  const turns = createTurns({ everywhere: db.everywhere, start: () => {}, onError: () => {} });

  const order = (key: string, members: object = {}): Promise<Shown> => stage.create(members, { key });

  const show = (id: string, key: string): Promise<Shown> => stage.getRun(id, key);

  /** The workspace's runs that have been admitted and are open, oldest first. */
  async function admittedOf(workspaceId: string): Promise<string[]> {
    const { rows } = await db.pool.query<{ id: string }>(
      'select id from runs where workspace_id = $1 and not waiting and settled_at is null order by created_at, id',
      [workspaceId],
    );
    return rows.map(({ id }) => id);
  }

  return {
    ...stage,
    /** The body of an order. */
    bodyOf: stage.order,
    order,
    show,
    admittedOf,
    turns,
    isAdmitted: async (id: string): Promise<boolean> =>
      (await db.pool.query('select waiting from runs where id = $1', [id])).rows[0].waiting === false,
    untilAdmitted: (id: string) =>
      until(
        async () => (await db.pool.query('select waiting from runs where id = $1', [id])).rows[0].waiting === false,
      ),
    untilMany: (workspaceId: string, count: number) =>
      until(async () => (await admittedOf(workspaceId)).length === count),
    /** Ends a run as its workflow does, and takes the next turns as its worker does. */
    end: async (workspaceId: string, runId: string, ending: RunEnding = { status: 'completed' }): Promise<void> => {
      await finishRun(db, runId, ending);
      await turns.take({ workspaceId, runId });
    },
    finish: (runId: string) => finishRun(db, runId, { status: 'completed' }),
    cancel: (id: string, key: string) => stage.call(`/v1/runs/${id}/cancel`, { key, method: 'POST' }),
    /** Lets time pass for the workspace's runs: all that happened is longer ago. Nobody looks at them yet. */
    age: async (workspaceId: string, seconds: number): Promise<void> => {
      for (const sql of AGE) await db.pool.query(sql, [workspaceId, seconds]);
    },
    /** The same, and lets those start whose time has come. */
    wait: async (workspaceId: string, seconds: number): Promise<void> => {
      for (const sql of AGE) await db.pool.query(sql, [workspaceId, seconds]);
      await turns.take({ workspaceId });
    },
    rule: (key: string, members: object) => stage.call('/platform/v1/flow-rules', { key, body: members }),
    close: async () => {
      turns.close();
      await stage.close();
    },
  };
}

const ago = (column: string) => `${column} = ${column} - $2 * interval '1 second'`;

const AGE = [
  `update runs set ${ago('created_at')}, ${ago('start_at')} where workspace_id = $1`,
  `update flow_places set ${ago('ranked_at')}, ${ago('since')}, ${ago('admitted_at')} where workspace_id = $1`,
];
