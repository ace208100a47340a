import type { Queryable } from '../postgres/queryable.ts';

/** A payment page at Stripe is open for a day. */
const PAGE_HOURS = 25;

/** The payment pages of a workspace that may still be paid. */
export async function listOpenCheckouts(
  pool: Queryable,
  { workspaceId, livemode }: { workspaceId: string; livemode: boolean },
): Promise<{ id: string; sessionId: string }[]> {
  const { rows } = await pool.query<{ id: string; sessionId: string }>(LIST, [workspaceId, livemode]);
  return rows;
}

const LIST = `
select id, session_id as "sessionId" from topups where workspace_id = $1 and livemode = $2 and origin = 'checkout' and status = 'open'
  and session_id is not null and created_at > now() - interval '${PAGE_HOURS} hours'`;

/** The payment page of this order has ended, or there never was one. An order that was paid all the same is credited by its payment. */
export async function endOpenCheckout(pool: Queryable, id: string): Promise<void> {
  await pool.query(`update topups set status = 'expired' where id = $1 and origin = 'checkout' and status = 'open'`, [
    id,
  ]);
}

/** Ends orders whose page has ended by now: Stripe was not asked for one, or its event was lost. Returns their number. */
export async function endOldCheckouts(pool: Queryable): Promise<number> {
  return (await pool.query(END_OLD)).rowCount ?? 0;
}

const END_OLD = `
update topups set status = 'expired' where origin = 'checkout' and status = 'open' and created_at < now() - interval '${PAGE_HOURS} hours'`;
