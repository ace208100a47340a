import type { PlaceKind } from '../../entities/flow.ts';
import type { Rows } from '../../postgres/rows.ts';
import type { RunRow } from '../runRow.ts';

/** The most runs ahead that are counted. */
export const AHEAD_MAX = 1_000;

/** What a waiting run waits for, and how many runs come before it there; null where none is counted. */
export interface Queue {
  waitsFor: 'session' | 'concurrency' | 'rate' | 'debounce' | 'start_time';
  ahead: number | null;
  key: string | null;
  limit: number | null;
  periodSeconds: number | null;
  /** When it starts at the earliest, if it waits for a time. */
  startsAt: Date | null;
}

interface Row {
  id: string;
  startAt: Date;
  isEarly: boolean;
  isSessionBusy: boolean;
  aheadInSession: number;
  places: Place[] | null;
}

interface Place {
  kind: PlaceKind;
  key: string | null;
  limit: number | null;
  periodSeconds: number | null;
  admitted: number;
  ahead: number;
}

/** The queues of those of the runs that wait, by run. One query, of a bounded cost for each waiting run. */
export async function readQueues(rows: Rows, runs: RunRow[]): Promise<Map<string, Queue>> {
  const ids = runs.filter(({ waiting, settled_at: settledAt }) => waiting && settledAt === null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await rows.statement(({ client }) => client.query<Row>(QUEUES, [ids, rows.workspaceId]));
  return new Map(found.rows.map((row) => [row.id, queueOf(row)]));
}

const NOTHING = { ahead: null, key: null, limit: null, periodSeconds: null, startsAt: null };

function queueOf({ startAt, isEarly, isSessionBusy, aheadInSession, places }: Row): Queue {
  const debounce = places?.find(({ kind }) => kind === 'debounce');
  if (isEarly && debounce) return { ...NOTHING, waitsFor: 'debounce', key: debounce.key, startsAt: startAt };
  if (isEarly) return { ...NOTHING, waitsFor: 'start_time', startsAt: startAt };
  if (isSessionBusy) return { ...NOTHING, waitsFor: 'session', ahead: aheadInSession };
  const lanes = places?.filter(({ kind }) => kind !== 'debounce') ?? [];
  // The lane that is full, and of several the one with the most runs ahead.
  const [lane] = lanes.toSorted((one, other) => Number(isFull(other)) - Number(isFull(one)) || other.ahead - one.ahead);
  if (!lane) return { ...NOTHING, waitsFor: 'start_time', startsAt: startAt };
  const { kind, key, limit, periodSeconds, ahead } = lane;
  return { waitsFor: kind === 'rate' ? 'rate' : 'concurrency', ahead, key, limit, periodSeconds, startsAt: null };
}

const isFull = ({ limit, admitted }: Place): boolean => limit !== null && admitted >= limit;

const counted = (rows: string): string => `(select count(*)::int from (${rows} limit ${AHEAD_MAX}) c)`;

const QUEUES = `
select r.id, r.start_at as "startAt", r.start_at > ledger_now(r.workspace_id) as "isEarly",
  exists (select from runs s where s.session_id = r.session_id and s.settled_at is null and s.id <> r.id
    and (not s.waiting or (s.created_at, s.id) < (r.created_at, r.id))) as "isSessionBusy",
  ${counted(`select from runs s where s.session_id = r.session_id and s.settled_at is null and s.waiting
    and (s.created_at, s.id) < (r.created_at, r.id)`)} as "aheadInSession",
  (select json_agg(json_build_object('kind', p.kind, 'key', p.key, 'limit', p.run_limit, 'periodSeconds', p.period_seconds,
    'admitted', ${counted(`select from flow_places q where q.workspace_id = p.workspace_id and q.lane = p.lane
      and q.admitted_at > case when p.kind = 'rate' then ledger_now(p.workspace_id) - p.period_seconds * interval '1 second' else '-infinity' end`)},
    'ahead', ${counted(`select from flow_places q where q.workspace_id = p.workspace_id and q.lane = p.lane and q.admitted_at is null
      and (q.ranked_at, q.run_id) < (p.ranked_at, p.run_id)`)}))
    from flow_places p where p.run_id = r.id and p.admitted_at is null) as places
from runs r where r.id = any ($1) and r.workspace_id = $2 and r.waiting and r.settled_at is null`;
