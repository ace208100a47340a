import type { Bound, Rows } from '../postgres/rows.ts';

/** A signed root as it is published. */
export interface PublishedRoot {
  date: string;
  /** The signed text. */
  signed: string;
  /** Its Ed25519 signature in base64. */
  signature: string;
}

/** Roots, the newest first: at most `limit` from before a day, and whether there are older ones. */
export function listRoots(
  rows: Rows<undefined>,
  { before, limit }: { before?: string; limit: number },
): Promise<{ roots: PublishedRoot[]; hasMore: boolean }> {
  return rows.statement(async ({ em, BillRoot }) => {
    const where = before === undefined ? {} : { day: { $lt: before } };
    const found = await em.find(BillRoot, where, { fields: FIELDS, orderBy: { day: 'desc' }, limit: limit + 1 });
    return { roots: found.slice(0, limit).map(publish), hasMore: found.length > limit };
  });
}

/** The root of a day, `YYYY-MM-DD`; undefined before it is signed. */
export function findRoot(rows: Rows<undefined>, day: string): Promise<PublishedRoot | undefined> {
  return rows.statement(async ({ em, BillRoot }) => {
    const found = await em.find(BillRoot, { day }, { fields: FIELDS });
    return found[0] && publish(found[0]);
  });
}

/** The roots from one day to another (exclusive), the oldest first. */
export async function readRoots(
  { em, BillRoot }: Bound<undefined>,
  from: string,
  to: string,
): Promise<PublishedRoot[]> {
  const found = await em.find(BillRoot, { day: { $gte: from, $lt: to } }, { fields: FIELDS, orderBy: { day: 'asc' } });
  return found.map(publish);
}

const FIELDS = ['day', 'signed', 'signature'] as const;

const publish = ({ day, signed, signature }: { day: string; signed: string; signature: string }): PublishedRoot => ({
  date: day,
  signed,
  signature,
});
