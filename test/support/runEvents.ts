import { isDeepStrictEqual } from 'node:util';
import { RunEvent } from '../../api/runs/eventSchemas.ts';
import type { Database } from '../../db/database.ts';
import { eventOf } from '../../db/events/readEvents.ts';

/** Throws unless every event of every run in the database matches OpenAPI exactly, without additional members. */
export async function expectDocumentedEvents({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const { rows } = await pool.query(
    `select run_id as "runId", sequence, type, data, created_at as "createdAt" from run_events`,
  );
  for (const row of rows) {
    const event = eventOf({ ...row, id: null, resourceType: 'run', resourceId: row.runId });
    const parsed = RunEvent.schema.safeParse(event);
    if (parsed.success && isDeepStrictEqual(parsed.data, event)) continue;
    const fault = parsed.success ? `documented is only ${JSON.stringify(parsed.data)}` : parsed.error.message;
    throw new Error(`an event differs from its documentation: ${JSON.stringify(event)}: ${fault}`);
  }
}
