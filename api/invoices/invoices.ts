import type { z } from 'zod';
import type { InvoiceLine } from '../../db/entities/invoice.ts';
import { findInvoice, listInvoices, type InvoiceRow } from '../../db/invoices/invoices.ts';
import { renderInvoice } from '../../db/invoices/renderInvoice.ts';
import { usdOf } from '../../db/money.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import { pathId } from '../body/parseWith.ts';
import type { Context, Handler } from '../context.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import type { Services } from '../services.ts';
import type { InvoiceAnswer, InvoicePage } from './invoiceSchema.ts';

/** `GET /platform/v1/billing/invoices`: the workspace's invoices, newest first, in pages. */
export function listWorkspaceInvoices({ db, cursors }: Services): Handler<PageInput> {
  return async (ctx) => {
    const rows = db.read(ctx.state.key.workspaceId);
    await answerPage(ctx, cursors, { list: 'invoices', read: (page) => listInvoices(rows, page), present: summaryOf });
  };
}

/** `GET /platform/v1/billing/invoices/{invoice_id}`: one invoice with its lines. Throws 404 `invoice_not_found`. */
export function retrieveInvoice(services: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await invoiceOf(ctx, services));
  };
}

/** `GET /platform/v1/billing/invoices/{invoice_id}/pdf`: the same as a PDF. */
export function downloadInvoice(services: Services): Handler {
  return async (ctx) => {
    const invoice = await invoiceOf(ctx, services);
    ctx.attachment(`${invoice.number}.pdf`);
    ctx.type = 'application/pdf';
    ctx.body = await renderInvoice(invoice);
  };
}

async function invoiceOf(ctx: Context, { db }: Services): Promise<InvoiceRow> {
  const id = pathId(ctx, 'invoice_id');
  const invoice = await findInvoice(db.read(ctx.state.key.workspaceId), id);
  if (!invoice) throw notFound(`No invoice with the id '${id}'.`, 'invoice_not_found');
  return invoice;
}

const summaryOf = (invoice: InvoiceRow): z.infer<typeof InvoicePage>['data'][number] => ({
  id: invoice.id,
  object: 'invoice',
  number: invoice.number,
  month: invoice.month,
  status: 'paid',
  currency: 'USD',
  is_test: invoice.isTest,
  net_usd: usdOf(invoice.netNanos),
  tax_usd: usdOf(invoice.taxNanos),
  total_usd: usdOf(invoice.netNanos + invoice.taxNanos),
  opening_balance_usd: usdOf(invoice.openingNanos),
  usage_usd: usdOf(invoice.usageNanos),
  closing_balance_usd: usdOf(invoice.closingNanos),
  created_at: invoice.createdAt.toISOString(),
});

function present(invoice: InvoiceRow): z.infer<typeof InvoiceAnswer> {
  const { seller, customer, lines } = invoice;
  const { workspaceName, postalCode, taxIdType, taxId, purchaseOrder, ...same } = customer;
  return {
    ...summaryOf(invoice),
    seller: { name: seller.name, address: seller.address, tax_id: seller.taxId, email: seller.email },
    customer: {
      workspace_name: workspaceName,
      ...same,
      postal_code: postalCode,
      tax_id: taxIdType !== null && taxId !== null ? { type: taxIdType, value: taxId } : null,
      purchase_order: purchaseOrder,
    },
    lines: lines.map(presentLine),
  };
}

const presentLine = (line: InvoiceLine): z.infer<typeof InvoiceAnswer>['lines'][number] => ({
  type: line.kind,
  amount_usd: usdOf(BigInt(line.nanos)),
  tax_usd: line.taxNanos === undefined ? null : usdOf(BigInt(line.taxNanos)),
  tax_reason: line.taxReason ?? null,
  source: line.source ?? null,
  reference: line.reference ?? null,
  at: line.at ?? null,
  product: line.product ?? null,
  name: line.name ?? null,
  requests: line.requests ?? null,
});
