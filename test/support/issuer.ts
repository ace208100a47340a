import type { Issuer } from '../../db/invoices/issueInvoices.ts';

/** Who issues the invoices of tests. */
export const TEST_ISSUER: Issuer = {
  seller: {
    name: 'Ledgerline',
    address: ['1 Test Street', 'Testville'],
    taxId: 'XX1',
    email: 'billing@ledgerline.example',
  },
  prefix: 'INV-',
};

/** What a test says of an invoice that could not be issued. */
export const failAtOnce = {
  onFailure: (error: unknown): never => {
    throw error;
  },
};
