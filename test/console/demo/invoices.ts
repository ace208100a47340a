import { issueInvoices } from '../../../db/invoices/issueInvoices.ts';
import { failAtOnce } from '../../support/issuer.ts';
import type { DemoStage } from './demoStage.ts';
import { send, type Person } from './people.ts';

const NORTHWIND = {
  company: 'Northwind Robotics GmbH',
  line1: 'Torstraße 128',
  postal_code: '10119',
  city: 'Berlin',
  country: 'DE',
  tax_id: { type: 'eu_vat', value: 'DE123456789' },
  purchase_order: 'PO-2026-0417',
  email: 'payable@northwind.example',
};

const SELLER = {
  name: 'Ledgerline Inc.',
  address: ['548 Market Street', 'San Francisco, CA 94104', 'United States'],
  taxId: 'EU372001234',
  email: 'billing@ledgerline.example',
};

/** The invoices of the past months. */
export async function invoicePast({ db }: DemoStage, owner: Person): Promise<void> {
  await send(owner, 'PATCH', 'details', NORTHWIND);
  await db.pool.query(`update invoice_series set begins_after = '2020-01'`);
  await issueInvoices(db, { seller: SELLER, prefix: 'INV-' }, failAtOnce);
}
