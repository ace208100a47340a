import { usdTextOf } from '../../money.ts';
import { postTransfer } from '../../ledger/balance.ts';
import type { AnyRows, AnyTransaction } from '../../postgres/rows.ts';

/** The balance of a publisher does not cover the trials of its submission. */
export class TrialsNotCovered extends Error {
  override readonly name = 'TrialsNotCovered';
  readonly neededNanos: bigint;

  constructor(neededNanos: bigint) {
    super(`the balance does not cover trials of ${neededNanos} nano-USD`);
    this.neededNanos = neededNanos;
  }
}

interface Bill {
  workspaceId: string;
  billedNanos: bigint;
  owedNanos: bigint;
  freeNanos: bigint;
}

/**
 * Bills the ended trials of a submission to the publisher who withdraws it, within the transaction that has locked its agent. Otherwise
 * the platform would pay for them: a withdrawn submission would be free computation. Throws `TrialsNotCovered`.
 */
export async function billTrials(tx: AnyTransaction, deploymentId: string): Promise<void> {
  const bill = await readBill(tx, deploymentId);
  if (bill.owedNanos > bill.freeNanos) throw new TrialsNotCovered(bill.owedNanos);
  await pay(tx, deploymentId, { ...bill, amountNanos: bill.owedNanos });
}

/** Bills trials that ended after the withdrawal of their submission, as far as balances allow. Returns how many submissions paid. */
export async function billWithdrawnTrials(everywhere: AnyRows): Promise<number> {
  const { rows } = await everywhere.statement(({ client }) => client.query<{ id: string }>(OWING));
  let paid = 0;
  for (const { id } of rows) {
    await everywhere.transaction(async (tx) => {
      await tx.em.findOne(tx.Deployment, { id }, { lockMode: tx.LockMode.PESSIMISTIC_WRITE });
      const bill = await readBill(tx, id);
      const amountNanos = bill.owedNanos < bill.freeNanos ? bill.owedNanos : bill.freeNanos;
      if (amountNanos <= 0n) return;
      await pay(tx, id, { ...bill, amountNanos });
      paid += 1;
    });
  }
  return paid;
}

async function readBill({ client }: AnyTransaction, deploymentId: string): Promise<Bill> {
  await client.query(LOCK, [deploymentId]);
  const { rows } = await client.query(BILL, [deploymentId]);
  const { workspaceId, billed, cost, free } = rows[0] as Record<'workspaceId' | 'billed' | 'cost' | 'free', string>;
  const billedNanos = BigInt(billed);
  return { workspaceId, billedNanos, owedNanos: BigInt(cost) - billedNanos, freeNanos: BigInt(free) };
}

async function pay(
  { em, client, Deployment }: AnyTransaction,
  id: string,
  { workspaceId, billedNanos, amountNanos }: Bill & { amountNanos: bigint },
): Promise<void> {
  const part = billedNanos > 0n ? `, beyond ${usdTextOf(billedNanos)} USD` : '';
  const subject = `${id} trials of a withdrawn submission${part}`;
  const transfer = { kind: 'adjustment', subject, workspaceId, houseAccountId: 'adjustments' };
  if (amountNanos > 0n) await postTransfer(client, { ...transfer, amountNanos: -amountNanos });
  await em.nativeUpdate(Deployment, { id }, { trialsBilledNanos: billedNanos + amountNanos });
}

// The platform's own workspace has already paid for its trials.
const COST = `
select coalesce(sum(r.total_nanos + r.children_nanos), 0) from runs r
where r.agent_id = d.agent_id and r.source = 'review' and r.metadata ->> 'deployment_id' = d.id and r.settled_at is not null
  and r.workspace_id <> d.workspace_id`;

// Keeps the free amount. A statement that waits for a lock keeps its snapshot: it must not read the holds too, or it misses new ones.
const LOCK = `
select from accounts where workspace_id = (select workspace_id from deployments where id = $1) for update`;

const BILL = `
select d.workspace_id as "workspaceId", coalesce(d.trials_billed_nanos, 0) as billed, (${COST}) as cost,
  a.posted_nanos - (select coalesce(sum(h.amount_nanos), 0) from holds h where h.account_id = a.id and h.state = 'open') as free
from deployments d join accounts a using (workspace_id) where d.id = $1`;

const OWING = `
select d.id from deployments d
where d.status = 'withdrawn' and d.trials_billed_nanos is not null and d.decided_at > now() - interval '30 days'
  and (${COST}) > d.trials_billed_nanos
order by d.decided_at limit 100`;
