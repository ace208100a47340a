import { z } from 'zod';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { LedgerEntry } from './balanceDocs.ts';
import { RootsQuery } from './billingSchema.ts';

const TAG = 'Billing';
const proof = z.array(z.string()).describe('Hexadecimal SHA-256, from the leaf to the root, as in RFC 6962.');
const Day = z.object({
  leaf: z
    .string()
    .describe('JSON, to be hashed as these bytes: the account at the end of the day, and the root of its entries.'),
  index: z.int(),
  proof,
});
const Root = z.object({
  signed: z
    .string()
    .describe('JSON, signed as these bytes: the day, the root over all accounts, and the hash of the root before.'),
  signature: z.string().describe('Ed25519, in base64. The keys: `/.well-known/ledgerline-bill-keys.json`.'),
});

export const ReceiptAnswer = z.object({
  object: z.literal('receipt'),
  id: z.string(),
  status: z
    .enum(['signed', 'pending', 'not_billed'])
    .describe('`pending`: the day of an entry has no signed root yet. `not_billed`: nothing was charged.'),
  entries: z.array(
    z.object({
      entry: LedgerEntry,
      due_at: z.iso.datetime().nullable().describe('When the root of its day is due; null once it is signed.'),
      leaf: z
        .string()
        .describe(
          'JSON, to be hashed as these bytes: the fields of the entry’s hash, and what the call or run consumed.',
        ),
      index: z.int().nullable().describe('Its place among the day’s entries, from 0.'),
      proof: proof.nullable(),
      day: Day.nullable(),
      root: Root.nullable(),
    }),
  ),
});

export const PublishedKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
      kid: z.string(),
      x: z.string(),
      valid_from: z.iso.datetime(),
      valid_until: z.iso.datetime().nullable().describe('When the next key replaced it; null for the current one.'),
    }),
  ),
});

export const PublishedRoot = Root.extend({ date: z.string() });

export const receiptDoc = {
  tag: TAG,
  summary: 'Prove what something cost',
  description:
    'Takes the id of a request (`req_…`), of an answer (`chatcmpl-…`, `cmpl-…`, `resp_…`), of a run, or of an entry of the ledger (`le_…`). Each entry comes with the proof that it is in the ledger’s signed root of its day, which is due five minutes after midnight (UTC). `docs/examples/checkStatement.ts` and `docs/examples/check_statement.py` check it offline.',
  answer: { id: 'Receipt', schema: ReceiptAnswer },
  errors: [422],
} satisfies RouteDoc;

/** Documentation of what is published to check bills. */
export const publishedDocs = {
  keys: {
    tag: TAG,
    summary: 'Read the keys that sign the ledger',
    description: 'A JWK set. Replaced keys stay, with the time in which they signed. No key is needed.',
    answer: { id: 'BillKeys', schema: PublishedKeys },
  },
  roots: {
    tag: TAG,
    summary: 'List the signed roots of the ledger',
    description: 'One for each day (UTC), the newest first; each has the hash of the one before. No key is needed.',
    query: RootsQuery,
    answer: { id: 'BillRoots', schema: z.object({ roots: z.array(PublishedRoot), has_more: z.boolean() }) },
  },
  root: {
    tag: TAG,
    summary: 'Read the signed root of a day',
    description: 'It never changes. No key is needed.',
    answer: { id: 'BillRoot', schema: PublishedRoot },
  },
} satisfies Record<string, RouteDoc>;
