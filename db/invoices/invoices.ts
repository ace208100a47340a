import type { InferEntity } from '@mikro-orm/core';
import type { Invoice } from '../entities/invoice.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';

export type InvoiceRow = InferEntity<typeof Invoice>;

/** The invoices of the workspace, newest first. */
export const listInvoices = (rows: Rows, page: PageQuery): Promise<{ rows: InvoiceRow[]; hasMore: boolean }> =>
  rows.transaction((tx) => readPage(tx, tx.Invoice, {}, page));

/** One invoice, or undefined. */
export const findInvoice = async (rows: AnyRows, id: string): Promise<InvoiceRow | undefined> =>
  (await rows.statement(({ em, Invoice }) => em.findOne(Invoice, { id }, { populate: ['lines'] }))) ?? undefined;
