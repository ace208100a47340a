import { sumRevenue } from '../../../db/accounting/revenueDays.ts';
import { sumHoursOfAll } from '../../../db/accounting/usageCells.ts';
import { newId } from '../../../db/ids.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { insertLedgerCheck } from '../../../db/invariants/ledgerChecks.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { publishAgents } from './agents.ts';
import { addFlow } from './flow.ts';
import { addPlugins, addSchedules, addWebhooks, orderBatches } from './automation.ts';
import { startDemo, type DemoOptions, type DemoStage } from './demoStage.ts';
import { evaluateAgents } from './evaluations.ts';
import { createKeys, keepContents } from './keys.ts';
import { addMemories } from './memories.ts';
import { invoicePast } from './invoices.ts';
import { callInTestMode, callNow } from './liveCalls.ts';
import { adjustBalances, payByCard, payOut } from './money.ts';
import { addWorkspaces } from './otherWorkspaces.ts';
import { invite, signUpTeam } from './people.ts';
import { rewritePast } from './rewritePast.ts';
import { runAgents } from './runs.ts';
import { addSecondWorkspace } from './secondWorkspace.ts';
import { changeCatalog } from './tariffs.ts';

interface Filling {
  calls: number;
  /** How many days of use it has; sixty by default. */
  days?: number;
}

export type Demo = Awaited<ReturnType<typeof openDemo>>;

/** Starts and fills a demonstration. `setTime` moves one that has a time of its own. */
export async function openDemo({ calls, days, ...options }: DemoOptions & Filling) {
  const stage = await startDemo(options);
  try {
    const { keys } = await fillDemo(stage, { calls, days, print: options.print });
    return { url: stage.url, keys, setTime: stage.clock?.set, close: stage.close };
  } catch (error) {
    await stage.close();
    throw error;
  }
}

/** Fills the product with people, keys and months of use. */
async function fillDemo(stage: DemoStage, { calls, days, print }: Filling & Pick<DemoOptions, 'print'>) {
  print('people and keys');
  const team = await signUpTeam(stage);
  const { workspaceId } = team.owner;
  const keys = await createKeys(team.developer);
  await keepContents(team.owner, keys);
  await invite(team.owner, 'jonas@northwind.example', 'developer');
  await invite(team.owner, 'audit@nordrevision.example', 'finance');
  await addWebhooks(stage, team.developer);
  await addPlugins(stage);
  await addSecondWorkspace(team.owner);
  print('agents');
  const { operator, others } = await publishAgents(stage, team.publisher);
  for (const { workspaceId: id } of [team.owner, ...others]) await credit(stage, id, 40);
  const workspaces = await addWorkspaces(stage);
  print('runs, batches and schedules');
  await addMemories(stage, workspaceId);
  const [{ settled }] = await Promise.all([
    runAgents(team.developer, others[0]!),
    orderBatches(team.developer).then(() => addSchedules(team.developer)),
  ]);
  print(`${calls} calls of the past`);
  await rewritePast(stage, { workspaceId, keys, calls, days, runs: settled, others: workspaces });
  await sumHoursOfAll(stage.db);
  await sumRevenue(stage.db.everywhere);
  print('payments, and calls of now');
  await payByCard(stage, team.owner);
  await payOut({ own: team.owner, others, operator });
  const ids = workspaces.map((one) => one.workspaceId);
  await adjustBalances(operator, team.owner, ids);
  await changeCatalog(operator, team.owner);
  await evaluateAgents(team.publisher);
  await callNow(stage, keys);
  await callInTestMode(stage);
  await addFlow(team.developer);
  print('invoices');
  await stage.db.ledger.posted();
  await invoicePast(stage, team.owner);
  print('ledger check');
  await stage.db.ledger.posted();
  const startedAt = new Date();
  const { sums, violations } = await checkInvariants(stage.db.pool);
  if (violations.length > 0) throw new Error(`the ledger is not sound: ${JSON.stringify(violations.slice(0, 5))}`);
  const { entries, transactions } = sums;
  await insertLedgerCheck(stage.db.everywhere, { id: 'demo', startedAt, entries, transactions, violations: [] });
  return { keys };
}

/** Money for the first runs: the rewritten past has it at its beginning. */
const credit = ({ db }: DemoStage, workspaceId: string, usd: number) =>
  db.ledger.transfer({
    kind: 'adjustment',
    subject: `${newId('adj')} Welcome credit`,
    workspaceId,
    houseAccountId: 'adjustments',
    amountNanos: nanosOfUsd(usd),
  });
