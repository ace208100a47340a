import { body } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { get, patch, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { changeDetails, retrieveDetails } from './details.ts';
import { DetailsChangeBody } from './detailsSchema.ts';
import { invoiceDocs } from './invoiceDocs.ts';
import { downloadInvoice, listWorkspaceInvoices, retrieveInvoice } from './invoices.ts';
import { InvoiceQuery } from './invoiceSchema.ts';

/** The routes of billing details and invoices: for keys that manage, and members who pay. */
export function invoiceRoutes(services: Services, keyed: Keyed): Route[] {
  const paying: Keyed = (...checks) => keyed(scope('manage', 'billing'), wholeWorkspace, ...checks);
  const [details, all] = ['/platform/v1/billing/details', '/platform/v1/billing/invoices'];
  const change = paying(body(parseWith(DetailsChangeBody, 'body')));
  return [
    get(details, paying(), retrieveDetails(services), invoiceDocs.details),
    patch(details, change, changeDetails(services), invoiceDocs.changeDetails),
    get(all, paying(query(InvoiceQuery)), listWorkspaceInvoices(services), invoiceDocs.list),
    get(`${all}/:invoice_id`, paying(), retrieveInvoice(services), invoiceDocs.retrieve),
    get(`${all}/:invoice_id/pdf`, paying(), downloadInvoice(services), invoiceDocs.download),
  ];
}
