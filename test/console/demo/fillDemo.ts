import { readCatalog } from '../../../db/catalog/catalog.ts';
import { sumHoursOfAll } from '../../../db/accounting/usageCells.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { createChance } from './chance.ts';
import type { DemoStage } from './demoStage.ts';
import { insertCalls, insertTopups, type PastTopup } from './insertPast.ts';
import { createKeys, type DemoKeys } from './keys.ts';
import { pastCallsOf, type Application } from './pastCalls.ts';
import { publishAgents } from './agents.ts';
import { repeatRuns } from './pastRuns.ts';
import { insertRefusals } from './refusals.ts';
import { runAgents } from './runs.ts';
import { newId } from '../../../db/ids.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { signUpTeam } from './people.ts';
import { rewriteLedger } from './rewriteLedger.ts';

const SEED = 36;
const DAYS = 60;
const DAY_MS = 86_400_000;
const PAST_ENDS_MS = 20 * 60_000;

/** Fills the product with people, keys and months of use. The same numbers each time, up to the present time of day. */
export async function fillDemo(stage: DemoStage, { calls, print }: { calls: number; print: (text: string) => void }) {
  const chance = createChance(SEED);
  print('people and keys');
  const team = await signUpTeam(stage);
  const keys = await createKeys(team.developer);
  print('agents');
  const { others } = await publishAgents(stage, team.publisher);
  const { workspaceId } = team.owner;
  const { rows } = await stage.owner.query('select id from accounts where workspace_id = $1', [workspaceId]);
  const accountId = rows[0].id as string;
  for (const { workspaceId: id } of [team.owner, ...others]) await credit(stage, id, 40);
  print('runs');
  const runs = await runAgents(team.developer, others[0]!);
  print(`${calls} calls of ${DAYS} days`);
  const untilMs = Date.now() - PAST_ENDS_MS;
  const { models } = readCatalog(stage.catalogFile, () => '');
  const applications = applicationsOf(keys);
  const past = pastCallsOf({ calls, days: DAYS, untilMs, workspaceId, applications, models, chance });
  const spentUsd = Number(past.reduce((sum, { cost_nanos: cost }) => sum + BigInt(cost), 0n)) / 1e9;
  await rewriteLedger(stage.owner, async () => {
    await stage.owner.query(AGED, [workspaceId, new Date(untilMs - (DAYS + 2) * DAY_MS)]);
    await insertCalls(stage.owner, accountId, past);
    await repeatRuns(stage.owner, runs.settled, { count: 180, untilMs, chance });
    const keyIds = [keys.ci.id, keys.dana.id, keys.support.id];
    await insertRefusals(stage.owner, { workspaceId, keyIds, past, untilMs, chance });
    await insertTopups(stage.owner, { workspaceId, accountId }, topupsOf(spentUsd, untilMs), chance);
  });
  await sumHoursOfAll(stage.db);
  print('ledger check');
  const { violations } = await checkInvariants(stage.db.pool);
  if (violations.length > 0) throw new Error(`the ledger is not sound: ${JSON.stringify(violations.slice(0, 5))}`);
  return { team, keys, workspaceId };
}

/** Money for the first runs, which the rewritten past covers too. */
const credit = ({ db }: DemoStage, workspaceId: string, usd: number) =>
  db.ledger.transfer({
    kind: 'adjustment',
    subject: `${newId('adj')} Welcome credit`,
    workspaceId,
    houseAccountId: 'adjustments',
    amountNanos: nanosOfUsd(usd),
  });

const AGED = `
with the as (select $1::text as workspace, $2::timestamptz as since),
  w as (update workspaces set created_at = since from the where id = workspace),
  a as (update accounts set created_at = since from the where workspace_id = workspace),
  k as (update api_keys set created_at = since + interval '3 hours' from the where workspace_id = workspace and member_user_id is null),
  m as (update members set created_at = since + interval '1 day' from the where workspace_id = workspace)
update users u set created_at = since from the, members m where m.user_id = u.id and m.workspace_id = workspace`;

const applicationsOf = (keys: DemoKeys): Application[] => [
  {
    keyId: keys.support.id,
    share: 0.42,
    models: { 'deepseek-v3.1': 5, 'qwen3-32b': 3, 'mistral-small-3.2': 1 },
    rhythm: 'people',
    streams: true,
    tokens: [9_500, 900],
  },
  { keyId: keys.search.id, share: 0.2, models: { 'ledgerline-embed-1': 1 }, rhythm: 'machines' },
  {
    keyId: keys.telephone.id,
    share: 0.1,
    models: {
      'ledgerline-speech': 5,
      'ledgerline-transcription': 4,
      'ledgerline-realtime-1': 1.5,
      'ledgerline-voice-conversion': 0.5,
    },
    rhythm: 'people',
  },
  {
    keyId: keys.reports.id,
    share: 0.13,
    models: { 'qwen3-32b': 3, 'llama-3.3-70b': 2 },
    rhythm: 2,
    product: 'batch',
    tokens: [12_000, 1_300],
  },
  {
    keyId: keys.ci.id,
    share: 0.09,
    models: { 'ledgerline-text-1': 2, 'mistral-small-3.2': 3 },
    rhythm: 'people',
    tokens: [2_400, 160],
  },
  {
    keyId: keys.dana.id,
    share: 0.06,
    models: { 'llama-3.3-70b': 3, 'deepseek-v3.1': 2, 'ledgerline-text-1': 1 },
    rhythm: 'people',
    streams: true,
    tokens: [4_000, 700],
  },
];

/** Payments that cover the past and leave some hundred dollars. */
function topupsOf(spentUsd: number, untilMs: number): PastTopup[] {
  const at = (daysAgo: number) => untilMs - daysAgo * DAY_MS;
  const amount = 50 * Math.max(1, Math.ceil(spentUsd / 150));
  return [
    { atMs: at(DAYS + 1), usd: amount * 2, origin: 'checkout' },
    { atMs: at(41), usd: amount, origin: 'checkout' },
    { atMs: at(24.4), usd: amount, origin: 'auto' },
    { atMs: at(11.7), usd: amount, origin: 'auto' },
    { atMs: at(2.3), usd: amount * 2, origin: 'checkout' },
  ];
}
