import type { InferEntity } from '@mikro-orm/core';
import type { Topup } from '../entities/payment.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { Rows } from '../postgres/rows.ts';

export type TopupRow = InferEntity<typeof Topup>;

/** Payments into the balance of a workspace, from their order on, newest first. */
export const listTopups = (rows: Rows, page: PageQuery): Promise<{ rows: TopupRow[]; hasMore: boolean }> =>
  rows.transaction((tx) => readPage(tx, tx.Topup, {}, page));
