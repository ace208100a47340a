import type { InferEntity } from '@mikro-orm/core';
import type { CatalogPrice } from '../entities/catalog.ts';
import { newId } from '../ids.ts';
import { timesRates, type Rates } from '../money.ts';
import { approvalRefusal, type Person } from '../workspaces/secondPerson.ts';
import { sendNotice } from '../postgres/notices.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit } from '../workspaces/audit.ts';
import { derivedPrice, ratesIn, storedRates } from '../catalog/prices.ts';

export type PriceRow = InferEntity<typeof CatalogPrice>;

/** Why a proposal was not decided. */
export type ProposalRefusal = 'not_found' | 'decided' | 'same_person' | 'unknown_person' | 'not_own';

/** A price that an operator asks for. */
export interface ProposedPrice {
  id: string;
  model: string;
  rates: Rates;
  batchPercentage: number | null;
  /** The file's price, by the id of its row; null: an own one. */
  filePriceId: string | null;
  holdsFrom: Date | null;
  reason: string | null;
}

/** A price begins at the soonest so long after its approval: by then every process knows it, and all begin it at one instant. */
const LEAD_SECONDS = 2;

/** Proposes a price, audited. It counts once another operator has approved it. Idempotent by id. */
export function insertProposal(everywhere: Rows<undefined>, price: ProposedPrice, by: Person): Promise<PriceRow> {
  return everywhere.transaction(async (tx) => {
    const { em, CatalogPrice } = tx;
    const known = await em.findOne(CatalogPrice, { id: price.id });
    if (known) return known;
    const { filePriceId, rates, ...row } = price;
    const priceId = filePriceId ?? price.id;
    await em.insert(CatalogPrice, {
      ...row,
      priceId,
      rates: storedRates(rates),
      followsFile: filePriceId !== null,
      source: 'operator',
      status: 'pending',
      proposedBy: by.personId,
      proposer: by.name,
    });
    const made = await em.findOneOrFail(CatalogPrice, { id: price.id });
    await auditIt(tx, by, 'propose_price', made);
    return made;
  });
}

/** Whether a model has had an approved price: then it is not the first one that is set. */
export const hasHadPrice = async ({ em, CatalogPrice }: AnyTransaction, model: string): Promise<boolean> =>
  (await em.count(CatalogPrice, { model, status: 'approved' })) > 0;

/**
 * Sets the first price of an added model, audited: it holds at once, by the decision of one person. Two persons decide on prices because
 * a change is paid by those who call already; nobody can have called a model that was never sold, and its price is shown before the first
 * call. An installation with one operator could otherwise sell no model that its file does not have. The database refuses a second one.
 */
export async function insertFirstPrice(
  tx: AnyTransaction,
  { model, rates }: Pick<ProposedPrice, 'model' | 'rates'>,
  by: Person,
): Promise<PriceRow> {
  const id = newId('price');
  await tx.em.insert(tx.CatalogPrice, {
    id,
    model,
    priceId: id,
    rates: storedRates(rates),
    batchPercentage: null,
    followsFile: false,
    source: 'operator',
    status: 'pending',
    reason: null,
    holdsFrom: null,
    proposedBy: by.personId,
    proposer: by.name,
    isFirst: true,
  });
  // No process has another price of it, so that it needs no instant at which all begin it.
  await tx.client.query(DECIDE, [id, 'approved', by.personId, by.name, 0]);
  const made = await tx.em.findOneOrFail(tx.CatalogPrice, { id });
  await recordPrice(tx, made);
  await auditIt(tx, by, 'set_first_price', made);
  await sendNotice(tx.client, { kind: 'catalog' });
  return made;
}

/**
 * Decides a proposal once, audited. Only another person than the proposer approves; only the proposer withdraws. An approved price holds
 * from the instant that was asked for, or from the approval where that has passed: never backwards.
 */
export function decideProposal(
  everywhere: Rows<undefined>,
  id: string,
  { status, by }: { status: 'approved' | 'rejected' | 'withdrawn'; by: Person },
): Promise<PriceRow | ProposalRefusal> {
  return everywhere.transaction(async (tx): Promise<PriceRow | ProposalRefusal> => {
    const { em, client, CatalogPrice, LockMode } = tx;
    const found = await em.findOne(CatalogPrice, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found) return 'not_found';
    if (found.status !== 'pending') return 'decided';
    const refusal = refusalOf(found, status, by);
    if (refusal) return refusal;
    await client.query(DECIDE, [id, status, by.personId, by.name, LEAD_SECONDS]);
    const decided = await em.findOneOrFail(CatalogPrice, { id });
    if (status === 'approved') await recordPrice(tx, decided);
    await auditIt(tx, by, `${VERB[status]}_price`, decided);
    await sendNotice(client, { kind: 'catalog' });
    return decided;
  });
}

const VERB = { approved: 'approve', rejected: 'reject', withdrawn: 'withdraw' };

function refusalOf(found: PriceRow, status: keyof typeof VERB, by: Person): ProposalRefusal | undefined {
  const { proposedBy } = found;
  if (status === 'withdrawn') return proposedBy === by.personId ? undefined : 'not_own';
  return status === 'approved' ? approvalRefusal({ requestedBy: proposedBy! }, by) : undefined;
}

// Raw: the instants are the database's.
const DECIDE = `
update catalog_prices set status = $2, decided_by = $3, decider = $4, decided_at = now(),
  valid_from = case when $2 = 'approved' then greatest(holds_from, now() + $5 * interval '1 second') end
where id = $1`;

/** Calls name the row of `model_prices`. */
async function recordPrice(tx: AnyTransaction, { model, priceId, followsFile, ...price }: PriceRow): Promise<void> {
  if (followsFile) return;
  const record = (id: string, rates: Rates, ofPriceId: string | null) =>
    tx.client.query(RECORD, [id, model, JSON.stringify(storedRates(rates)), price.validFrom, ofPriceId]);
  const rates = ratesIn(price.rates);
  await record(priceId, rates, null);
  if (price.batchPercentage === null) return;
  const inBatch = derivedPrice({ id: model, ownPriceId: priceId }, timesRates(rates, price.batchPercentage / 100));
  await record(inBatch.priceId, inBatch.rates, priceId);
}

const RECORD = `
insert into model_prices (id, model, rates, valid_from, of_price_id) values ($1, $2, $3, $4, $5) on conflict (id) do nothing`;

/** Whether a person may approve a proposal. */
export const mayApprove = (row: PriceRow, by: Person): boolean =>
  row.status === 'pending' && refusalOf(row, 'approved', by) === undefined;

/** Proposals of operators, newest first. */
export const readProposals = (
  everywhere: Rows<undefined>,
  filter: { status?: PriceRow['status']; model?: string },
  page: PageQuery,
): Promise<{ rows: PriceRow[]; hasMore: boolean }> =>
  everywhere.transaction((tx) => readPage(tx, tx.CatalogPrice, { ...filter, source: 'operator' }, page));

const auditIt = (tx: AnyTransaction, by: Person, action: string, row: PriceRow): Promise<void> => {
  const detail = {
    model: row.model,
    ...(row.followsFile ? { from_file: true } : { picos: row.rates }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.validFrom && { valid_from: row.validFrom.toISOString() }),
  };
  return audit(tx, by, { workspaceId: null, action, subjectType: 'price', subjectId: row.id, detail });
};
