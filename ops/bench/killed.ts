import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import { driveUntilGone } from './pacedLoad.ts';
import { goalOf, none, type Row } from './report.ts';

interface Killed {
  answered: number;
  /** Answered, but without a row for the request or without its debit. */
  lost: number;
  holdsLeftByDeath: number;
  holdsLeftAfterSweep: number;
}

const PACE = { connections: 30, perSecond: 300 };

/** Kills the API with SIGKILL under a steady load and compares its answers with the database. */
export async function measureKilled(installation: Installation, request: Buffer, killAfterMs: number): Promise<Killed> {
  const { db } = installation;
  const upstream = await installation.startUpstream(0);
  const api = await installation.startApi(upstream.url);
  const driving = driveUntilGone({ url: api.url, request, ...PACE });
  await sleep(killAfterMs);
  await api.kill();
  const answered = await driving;
  await upstream.stop();
  // Another process posts the settlements that are only on disk.
  await db.ledger.posted();
  const { rows } = await db.pool.query(
    `select count(*)::int as lost from unnest($1::text[]) a(id)
     where not exists (select from requests r where r.id = a.id)
        or not exists (select from ledger_entries e where e.kind = 'debit' and e.subject = a.id)`,
    [answered],
  );
  const holdsLeftByDeath = await openHolds(installation);
  // The sweep treats a process as dead once its lease has expired: here it expires at once. The lease of runs never expires.
  await db.pool.query(
    'update processes set lease_until = clock_timestamp() where reaped_at is null and isfinite(lease_until)',
  );
  await db.ledger.reap();
  const holdsLeftAfterSweep = await openHolds(installation);
  return { answered: answered.length, lost: rows[0].lost, holdsLeftByDeath, holdsLeftAfterSweep };
}

// Only holds of calls: a run's hold belongs to no lease and outlives its process.
async function openHolds({ db, keyId }: Installation): Promise<number> {
  const { rows } = await db.pool.query(
    `select count(*)::int as open from holds where key_id = $1 and state = 'open' and kind <> 'run'`,
    [keyId],
  );
  return rows[0].open;
}

export function rowsOfKilled({ answered, lost, holdsLeftByDeath, holdsLeftAfterSweep }: Killed): Row[] {
  return [
    { ...none, figure: `answers lost by SIGKILL, of ${answered}`, ours: String(lost), ...goalOf(lost, { max: 0 }) },
    {
      ...none,
      figure: `holds left after the sweep, of ${holdsLeftByDeath}`,
      ours: String(holdsLeftAfterSweep),
      ...goalOf(holdsLeftAfterSweep, { max: 0 }),
    },
  ];
}
