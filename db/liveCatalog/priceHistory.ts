import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { inTransaction } from '../postgres/transaction.ts';
import type { AnyRows } from '../postgres/rows.ts';
import type { Model } from '../catalog/catalog.ts';
import { storedRates } from '../catalog/prices.ts';
import { lockCatalog } from './changeCatalog.ts';
import type { PriceRow } from './proposals.ts';

/** The prices of a model that hold, held or will hold; the newest first. */
export const readPriceHistory = (rows: AnyRows, model: string, limit: number): Promise<PriceRow[]> =>
  rows.statement(({ em, CatalogPrice }) =>
    em.find(CatalogPrice, { model, status: 'approved' }, { orderBy: { validFrom: 'desc', id: 'desc' }, limit }),
  );

/** The part of the history in which a call of that moment was priced by a row of `model_prices`; undefined for older calls. */
export async function findPriceAt(rows: AnyRows, priceId: string, at: Date): Promise<PriceRow | undefined> {
  const found = await rows.statement(({ em, CatalogPrice }) =>
    em.find(
      CatalogPrice,
      { priceId, status: 'approved', validFrom: { $lte: at } },
      { orderBy: { validFrom: 'desc', id: 'desc' }, limit: 1 },
    ),
  );
  return found[0];
}

/** Records that the file's prices hold from now on, where they are other prices than those of the start before. */
export async function recordFilePrices(pool: Pool, models: readonly Model[]): Promise<void> {
  const stated = models.map((model) => ({
    id: newId('price'),
    model: model.id,
    price_id: model.priceId,
    rates: storedRates(model.rates),
    batch: model.batchPercentage ?? null,
  }));
  await inTransaction(pool, async (client) => {
    await lockCatalog({ client });
    await client.query(RECORD, [JSON.stringify(stated)]);
  });
}

// A price from before this table was kept holds since it was first used. A row of a process that started at the same time may be newer than
// this transaction.
const RECORD = `
insert into catalog_prices (id, model, price_id, rates, batch_percentage, follows_file, source, status, valid_from)
select f.id, f.model, f.price_id, f.rates, f.batch, true, 'file', 'approved',
  case when b.price_id is null then coalesce((select m.valid_from from model_prices m where m.id = f.price_id), now()) else greatest(now(), b.valid_from) end
from jsonb_to_recordset($1::jsonb) f(id text, model text, price_id text, rates jsonb, batch int)
left join lateral (
  select p.price_id, p.follows_file, p.valid_from from catalog_prices p
  where p.status = 'approved' and p.model = f.model and (p.valid_from <= now() or p.source = 'file')
  order by p.valid_from desc, p.id desc limit 1) b on true
where b.price_id is null or (b.follows_file and b.price_id <> f.price_id)`;
