import type { RouteDoc } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import { DetailsAnswer, DetailsChangeBody } from './detailsSchema.ts';
import { InvoiceAnswer, InvoicePage, InvoiceQuery } from './invoiceSchema.ts';

const DETAILS = { id: 'BillingDetails', schema: DetailsAnswer };

/** Documentation of billing details and invoices. */
export const invoiceDocs = {
  details: {
    tag: 'Billing',
    summary: 'Read the billing details',
    description: 'What the next invoice says about the workspace.',
    answer: DETAILS,
  },
  changeDetails: {
    tag: 'Billing',
    summary: 'Change the billing details',
    description: 'Changes what is sent; null removes it. Invoices that were issued before keep what they say.',
    input: {
      id: 'BillingDetailsChange',
      schema: DetailsChangeBody,
      example: {
        company: 'Northwind GmbH',
        line1: 'Torstr. 1',
        postal_code: '10119',
        city: 'Berlin',
        country: 'DE',
        tax_id: { type: 'eu_vat', value: 'DE123456789' },
        purchase_order: 'PO-4711',
        email: 'payable@northwind.example',
      },
    },
    answer: DETAILS,
  },
  list: {
    tag: 'Billing',
    summary: 'List invoices',
    description:
      'Newest first. Send `next_cursor` as `cursor` for the next page. After each month (UTC) in which the balance changed, the ' +
      'workspace gets one: its payments with their tax, which are paid already, and what the credit was used for. Its sums are ' +
      'those of the statement. It is never changed, its event is `invoice.issued`, and it is mailed to the `email` of the ' +
      'billing details.',
    query: InvoiceQuery,
    answer: { id: 'InvoicePage', schema: InvoicePage },
  },
  retrieve: { tag: 'Billing', summary: 'Read an invoice', answer: { id: 'Invoice', schema: InvoiceAnswer } },
  download: {
    tag: 'Billing',
    summary: 'Download an invoice',
    description: 'A PDF.',
    answerHeaders: { ...headers.NAMED },
  },
} satisfies Record<string, RouteDoc>;
