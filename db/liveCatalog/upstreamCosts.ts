import { newId } from '../ids.ts';
import type { Rates } from '../money.ts';
import type { Person } from '../workspaces/secondPerson.ts';
import { sendNotice } from '../postgres/notices.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit } from '../workspaces/audit.ts';
import { ratesIn, storedRates } from '../catalog/prices.ts';

/** What an upstream charges for a model, as it was stated last. */
export interface UpstreamCostNow {
  model: string;
  upstream: string;
  rates: Rates;
  stater: string;
  validFrom: Date;
}

/** States what an upstream charges for a model from now on, audited. Earlier costs are kept. */
export const insertUpstreamCost = (everywhere: Rows<undefined>, cost: StatedCost, by: Person): Promise<void> =>
  everywhere.transaction((tx) => insertCost(tx, cost, by));

type StatedCost = Pick<UpstreamCostNow, 'model' | 'upstream' | 'rates'>;

/** The same within a transaction. */
export async function insertCost(
  tx: AnyTransaction,
  { model, upstream, rates }: StatedCost,
  by: Person,
): Promise<void> {
  const id = newId('cost');
  const stated = { statedBy: by.personId, stater: by.name };
  await tx.em.insert(tx.UpstreamCost, { id, model, upstream, rates: storedRates(rates), ...stated });
  const detail = { upstream, picos: storedRates(rates) };
  const action = 'state_upstream_cost';
  const subject = { subjectType: 'catalog_model', subjectId: model };
  await audit(tx, by, { workspaceId: null, action, ...subject, detail });
  // Models may be routed by it.
  await sendNotice(tx.client, { kind: 'catalog' });
}

/** The present costs, of one model or of all. */
export async function readUpstreamCosts(everywhere: Rows<undefined>, model?: string): Promise<UpstreamCostNow[]> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<Omit<UpstreamCostNow, 'rates'> & { rates: Record<string, string> }>(NEWEST, [model ?? null]),
  );
  return rows.map((row) => ({ ...row, rates: ratesIn(row.rates) }));
}

// Raw: the newest of each model and upstream.
const NEWEST = `
select distinct on (model, upstream) model, upstream, rates, stater, valid_from as "validFrom"
from upstream_costs where $1::text is null or model = $1 order by model, upstream, valid_from desc, id desc`;
