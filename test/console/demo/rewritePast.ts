import { readCatalog } from '../../support/readCatalog.ts';
import { applicationsOf } from './applications.ts';
import { createChance } from './chance.ts';
import type { DemoStage } from './demoStage.ts';
import { insertCalls, insertTopups, type PastTopup } from './insertPast.ts';
import type { DemoKeys } from './keys.ts';
import { insertTheirPast, type OtherWorkspace } from './otherWorkspaces.ts';
import { pastCallsOf } from './pastCalls.ts';
import { repeatRuns } from './pastRuns.ts';
import { insertRefusals } from './refusals.ts';
import { rewriteLedger } from './rewriteLedger.ts';
import type { Run } from './runs.ts';

const SEED = 36;
const USUAL_DAYS = 60;
const RUNS = 180;
const DAY_MS = 86_400_000;
const PAST_ENDS_MS = 20 * 60_000;

interface Past {
  workspaceId: string;
  keys: DemoKeys;
  calls: number;
  days?: number | undefined;
  /** Ended runs, to be repeated. */
  runs: Run[];
  others: OtherWorkspace[];
}

/** Gives the workspace months of use: calls, runs, refusals and payments. The same each time, up to the present time of day. */
export async function rewritePast(
  stage: DemoStage,
  { workspaceId, keys, calls, days = USUAL_DAYS, runs, others }: Past,
): Promise<void> {
  const chance = createChance(SEED);
  const { owner } = stage;
  const untilMs = Date.now() - PAST_ENDS_MS;
  const { models } = readCatalog(stage.catalogFile, () => '');
  const { rows } = await owner.query<{ id: string }>('select id from accounts where workspace_id = $1', [workspaceId]);
  const accountId = rows[0]!.id;
  const applications = applicationsOf(keys);
  const past = pastCallsOf({ calls, days, untilMs, workspaceId, applications, models, chance });
  const spentUsd = Number(past.reduce((sum, { cost_nanos: cost }) => sum + BigInt(cost), 0n)) / 1e9;
  await rewriteLedger(owner, async () => {
    await owner.query(AGED, [workspaceId, new Date(untilMs - (days + 2) * DAY_MS)]);
    for (const sql of AGED_ROWS) await owner.query(sql);
    await insertCalls(owner, accountId, past);
    await repeatRuns(owner, runs, { count: RUNS, untilMs, chance });
    const keyIds = [keys.ci.id, keys.dana.id, keys.support.id];
    await insertRefusals(owner, { workspaceId, keyIds, past, untilMs, chance });
    for (const sql of PLACED) await owner.query(sql);
    await insertTopups(owner, { workspaceId, accountId }, topupsOf(spentUsd, untilMs, days), chance);
    await insertTheirPast(stage, others, { models, untilMs, chance });
  });
}

const AGED = `
with the as (select $1::text as workspace, $2::timestamptz as since),
  w as (update workspaces set created_at = since from the where live_workspace_id is null),
  a as (update accounts set created_at = since from the where kind = 'customer' and not starts_with(workspace_id, 'wst_')),
  l as (update ledger_legs set created_at = since from the where subject like '% Welcome credit'),
  k as (update api_keys set created_at = since + interval '3 hours' from the where workspace_id = workspace and member_user_id is null),
  p as (update projects set created_at = since + interval '2 hours' from the where workspace_id = workspace),
  m as (update members set created_at = since + interval '1 day' from the where workspace_id = workspace)
update users u set created_at = since from the`;

// What a key did belongs to its project.
const PLACED = ['requests', 'refused_calls', 'runs'].map(
  (table) =>
    `update ${table} t set project_id = k.project_id from api_keys k where k.id = t.key_id and k.project_id is not null`,
);

// Rows without money: what people did is spread over the past weeks in its order, and ended batches are some days old.
const AGED_ROWS = [
  `update audit_entries a set created_at = now() - interval '50 days' * (1 - power(o.place, 0.5)) from (
    select id, percent_rank() over (order by created_at, id) as place from audit_entries) o where o.id = a.id and o.place < 0.9`,
  `update batches b set created_at = created_at - age, in_progress_at = in_progress_at - age, finalizing_at = finalizing_at - age,
    ended_at = ended_at - age from (select id, row_number() over (order by id desc) * interval '41 hours' as age from batches
    where ended_at is not null) o where o.id = b.id`,
  `update sessions set created_at = created_at - interval '12 days', updated_at = updated_at - interval '3 hours' where title is not null`,
  `update schedules set created_at = created_at - interval '20 days', updated_at = updated_at - interval '6 days'`,
  `update webhook_endpoints set created_at = created_at - interval '33 days'`,
];

/** Payments that cover the past and leave some hundred dollars. */
function topupsOf(spentUsd: number, untilMs: number, days: number): PastTopup[] {
  const at = (daysAgo: number) => untilMs - daysAgo * DAY_MS;
  const amount = 50 * Math.max(1, Math.ceil(spentUsd / 150));
  return [
    { atMs: at(days + 1), usd: amount * 2, origin: 'checkout' },
    { atMs: at(41), usd: amount, origin: 'checkout' },
    { atMs: at(24.4), usd: amount, origin: 'auto' },
    { atMs: at(11.7), usd: amount, origin: 'auto' },
    { atMs: at(2.3), usd: amount * 2, origin: 'checkout' },
  ];
}
