import { afterAll, describe, expect, test } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { readDetails } from '../../../db/invoices/details.ts';
import { issueInvoices } from '../../../db/invoices/issueInvoices.ts';
import { findInvoice, listInvoices } from '../../../db/invoices/invoices.ts';
import { newId } from '../../../db/ids.ts';
import { payAutoTopup } from '../../../providers/payments/autoTopup.ts';
import { readStripeConfig } from '../../../providers/payments/config.ts';
import { reconcilePayments } from '../../../providers/payments/reconcile.ts';
import { createPayments, type Payments } from '../../../providers/payments/stripe.ts';
import { taxOf } from '../../../rules/payments/tax.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { failAtOnce, TEST_ISSUER } from '../../support/issuer.ts';
import { setPaymentStage, USD, type PaymentStage } from './paymentStage.ts';

const stage = await setPaymentStage({ STRIPE_TAX: 'on' });
const payments = createPayments(readStripeConfig(stage.env)!);
afterAll(() => stage.close());

type Account = Awaited<ReturnType<PaymentStage['account']>>;

const BERLIN = { country: 'DE', line1: 'Torstr. 1', postal_code: '10119', city: 'Berlin', company: 'Northwind GmbH' };
const CENT = USD / 100n;

const empty = () => stage.account({ balanceNanos: 0n, scopes: ['llm', 'manage'] });

/** Orders credit and pays it as a buyer of this address. */
async function buy(account: Account, amount: number, buyer: Record<string, string> = BERLIN) {
  const { url, session_id: sessionId } = await stage.order(account, amount);
  await stage.act(url, 'pay', buyer);
  return { url, session: stage.payments.store.find('checkout.session', sessionId)! };
}

async function get(
  path: string,
  { secret }: Account,
): Promise<Record<string, unknown> & { data: Record<string, unknown>[] }> {
  const response = await stage.ask(`/platform/v1/billing/${path}`, { headers: { authorization: `Bearer ${secret}` } });
  return (await response.json()) as Awaited<ReturnType<typeof get>>;
}

describe('a payment page with tax', () => {
  test('takes the amount with its tax; the balance gets the amount, and the payment says both', async () => {
    const account = await empty();
    const { session } = await buy(account, 25);
    expect(session).toMatchObject({ amount_subtotal: 2_500, amount_total: 2_975, payment_status: 'paid' });
    expect(await stage.balance(account)).toBe(25n * USD);
    expect((await get('topups', account)).data).toMatchObject([
      { amount_usd: 25, tax_usd: 4.75, total_usd: 29.75, refunded_usd: 0, returned_tax_usd: 0 },
    ]);
  });

  test('fills in the billing details, and later pages know the address; set details are never overwritten', async () => {
    const account = await empty();
    await buy(account, 25, { ...BERLIN, tax_id: 'DE123456789' });
    const details = async () => readDetails(stage.db.read(account.workspaceId));
    expect(await details()).toMatchObject({
      company: 'Northwind GmbH',
      country: 'DE',
      postalCode: '10119',
      taxIdType: 'eu_vat',
      taxId: 'DE123456789',
    });
    await buy(account, 25, { country: 'FR' });
    expect(await details()).toMatchObject({ country: 'DE' });
    expect(
      stage.payments.store.list('customer', ({ metadata }) => metadata.workspace_id === account.workspaceId),
    ).toHaveLength(1);
  });

  test('has a new customer where the old one was deleted at Stripe', async () => {
    const account = await empty();
    await buy(account, 25);
    const customers = () =>
      stage.payments.store.list('customer', (one) => one.metadata.workspace_id === account.workspaceId);
    stage.payments.store.change(customers()[0]!, { deleted: true });
    await buy(account, 25);
    expect(customers()).toMatchObject([{ address: { country: 'DE' } }, { deleted: true }]);
    expect(await stage.balance(account)).toBe(50n * USD);
  });

  test('of a workspace that was erased meanwhile is credited, and leaves nothing about its people', async () => {
    const account = await empty();
    const { url } = await stage.order(account, 25);
    const erasure = 'insert into erasures (id, workspace_id, due_at, started_at) values ($1, $2, now(), now())';
    await stage.db.pool.query(erasure, [newId('era'), account.workspaceId]);
    await stage.act(url, 'pay', BERLIN);
    expect(await stage.balance(account)).toBe(25n * USD);
    expect(await readDetails(stage.db.read(account.workspaceId))).toMatchObject({ updatedAt: null, company: null });
    expect((await get('topups', account)).data).toMatchObject([{ status: 'paid', receipt_url: null }]);
  });

  test('has no tax for a business that accounts for it itself, and says so', async () => {
    const account = await empty();
    await buy(account, 25, { ...BERLIN, tax_id: 'DE123456789' });
    expect((await get('topups', account)).data).toMatchObject([{ amount_usd: 25, tax_usd: 0, total_usd: 25 }]);
    const { rows } = await stage.db.pool.query('select tax_nanos, reason from payment_taxes where workspace_id = $1', [
      account.workspaceId,
    ]);
    expect(rows).toEqual([{ tax_nanos: '0', reason: 'reverse_charge' }]);
  });

  test('is credited once by shuffled and repeated events, and by the reconciliation when they are lost', async () => {
    const account = await empty();
    const { session } = await buy(account, 25);
    const event = { id: newId('evt'), object: 'event', created: session.created, livemode: false };
    const intent = stage.payments.store.find('payment_intent', String(session.payment_intent))!;
    for (const [type, object] of [
      ['payment_intent.succeeded', intent],
      ['checkout.session.completed', session],
    ] as const)
      expect((await stage.send({ ...event, type, data: { object } })).status).toBe(200);
    await reconcilePayments(stage.db, payments, { since: new Date(0), onProgress: () => {} });
    expect(await stage.balance(account)).toBe(25n * USD);
  });

  test('is not credited when its tax and its amount do not fit the order', async () => {
    const account = await empty();
    const { session_id: sessionId } = await stage.order(account, 25);
    const session = stage.payments.store.find('checkout.session', sessionId)!;
    const paid = {
      ...session,
      payment_status: 'paid',
      payment_intent: newId('pi'),
      amount_total: 2_500,
      total_details: { amount_tax: 475 },
    };
    const event = { id: newId('evt'), object: 'event', created: session.created, livemode: false };
    const answer = await stage.send({ ...event, type: 'checkout.session.completed', data: { object: paid } });
    expect(await answer.json()).toEqual({ received: true, outcome: 'mismatch' });
    expect(await stage.balance(account)).toBe(0n);
  });
});

describe('refunds and disputes of a taxed payment', () => {
  test('take back the tax in proportion, and all of it in the end', async () => {
    const account = await empty();
    const { url } = await buy(account, 25);
    await stage.act(url, 'refund', { usd: '11.90' });
    expect(await stage.balance(account)).toBe(15n * USD);
    expect((await get('topups', account)).data[0]).toMatchObject({ refunded_usd: 10, returned_tax_usd: 1.9 });
    await stage.act(url, 'dispute');
    expect((await get('topups', account)).data[0]).toMatchObject({ disputed_usd: 15, returned_tax_usd: 4.75 });
    await stage.act(url, 'win_dispute');
    expect(await stage.balance(account)).toBe(15n * USD);
    const stripe = await payments.open();
    const [paid] = stage.payments.store.list(
      'payment_intent',
      ({ metadata }) => metadata.workspace_id === account.workspaceId,
    );
    await stripe.refunds.create({ payment_intent: paid!.id });
    await reconcilePayments(stage.db, payments, { since: new Date(0), onProgress: () => {} });
    expect(await stage.balance(account)).toBe(0n);
    expect((await get('topups', account)).data[0]).toMatchObject({ refunded_usd: 25, returned_tax_usd: 4.75 });
    await expectSoundLedger(stage.db);
  });

  test('add up with the payment on the invoice', async () => {
    const account = await empty();
    const { url } = await buy(account, 19.99);
    // Three cents have no tax yet; the fourth is tax alone.
    for (const usd of ['0.03', '0.01', '3.30', '7.77']) await stage.act(url, 'refund', { usd });
    await stage.db.pool.query(`update invoice_series set begins_after = '2000-01'`);
    // Into a month that has ended.
    await stage.asOwner(
      `do $$ begin
         set local session_replication_role = replica;
         update ledger_legs set created_at = created_at - interval '40 days' where account_id = '${account.accountId}';
         update requests set settled_at = settled_at - interval '40 days' where account_id = '${account.accountId}' and sequence is not null;
         update accounts set created_at = created_at - interval '40 days' where id = '${account.accountId}';
       end $$`,
      [],
    );
    await issueInvoices(stage.db, TEST_ISSUER, failAtOnce);
    const rows = stage.db.read(account.workspaceId);
    const { rows: found } = await listInvoices(rows, { after: null, limit: 9 });
    const invoice = (await findInvoice(rows, found[0]!.id))!;
    const returned = 4n + 330n + 777n;
    expect(invoice.lines.map(({ kind }) => kind)).toEqual(['payment', ...Array(4).fill('refund')]);
    expect(invoice.netNanos + invoice.taxNanos).toBe((1_999n + 380n - returned) * CENT);
    expect(invoice.netNanos).toBe(await stage.balance(account));
    // Each part has its tax to the cent, so together they are off by less than one.
    const exact = (380n * (2_379n - returned) * CENT) / 2_379n;
    const off = invoice.taxNanos - exact;
    expect(off < CENT && off > -CENT).toBe(true);
  });
});

describe('an automatic payment with tax', () => {
  const pay = ({ workspaceId }: Account) => payAutoTopup(stage.db, payments, workspaceId);

  async function withCard(address: object | undefined, card = 'pay'): Promise<{ account: Account; status: number }> {
    const account = await stage.account({ balanceNanos: USD, scopes: ['llm', 'manage'] });
    const headers = { authorization: `Bearer ${account.secret}` };
    if (address)
      await stage.ask('/platform/v1/billing/details', { method: 'PATCH', headers, body: JSON.stringify(address) });
    const auto = { threshold_usd: 5, amount_usd: 10, monthly_cap_usd: 25 };
    const response = await stage.post('/platform/v1/billing/card', account, { auto_topup: auto });
    if (response.status === 200) await stage.act(((await response.json()) as { url: string }).url, card);
    return { account, status: response.status };
  }

  test('pays it on top, reports it to Stripe, and credits the amount', async () => {
    const { account } = await withCard({ country: 'DE', postal_code: '10119' });
    expect(await pay(account)).toBe('paid');
    expect(await stage.balance(account)).toBe(11n * USD);
    const { data } = await get('topups', account);
    expect(data).toMatchObject([{ source: 'auto', amount_usd: 10, tax_usd: 1.9, total_usd: 11.9 }]);
    const [intent] = stage.payments.store.list(
      'payment_intent',
      ({ metadata }) => metadata.workspace_id === account.workspaceId,
    );
    const taxes = () => stage.payments.store.list('tax.transaction', ({ reference }) => reference === intent!.id);
    expect(taxes()).toMatchObject([{ type: 'transaction', tax: 190 }]);
    const stripe = await payments.open();
    await stripe.refunds.create({ payment_intent: intent!.id, amount: 595 });
    await reconcilePayments(stage.db, payments, { since: new Date(0), onProgress: () => {} });
    expect(await stage.balance(account)).toBe(6n * USD);
    expect(taxes()).toMatchObject([{ type: 'reversal', tax: -95 }, { type: 'transaction' }]);
  });

  /** Payments whose next answer to an order is lost; the request reaches Stripe, or not. */
  async function losing({ reaches }: { reaches: boolean }): Promise<Payments> {
    const stripe = await payments.open();
    const create = async (...args: Parameters<typeof stripe.paymentIntents.create>) => {
      if (reaches) await stripe.paymentIntents.create(...args).catch(() => {});
      throw new Error('the connection broke');
    };
    return {
      ...payments,
      open: async () => ({ tax: stripe.tax, paymentIntents: { create } }) as unknown as typeof stripe,
    };
  }

  test('is ordered again when the address has changed since an order that Stripe did not get', async () => {
    const { account } = await withCard(BERLIN);
    const lost = payAutoTopup(stage.db, await losing({ reaches: false }), account.workspaceId);
    await expect(lost).rejects.toThrow('the connection broke');
    const ours = [account.workspaceId];
    await stage.db.pool.query(`update billing_details set city = 'Bonn' where workspace_id = $1`, ours);
    await expect(pay(account)).rejects.toThrow('idempotent requests');
    const age = `update topups set created_at = now() - interval '11 minutes' where workspace_id = $1`;
    await stage.db.pool.query(age, ours);
    expect([await pay(account), await pay(account), await pay(account)]).toEqual(['none', 'paid', 'none']);
    expect(await stage.balance(account)).toBe(11n * USD);
  });

  test('that replaces a declined one is charged, although the answer about that was lost', async () => {
    const { account } = await withCard(BERLIN, 'save_declining');
    const lost = payAutoTopup(stage.db, await losing({ reaches: true }), account.workspaceId);
    await expect(lost).rejects.toThrow('the connection broke');
    const response = await stage.post('/platform/v1/billing/card', account, {});
    await stage.act(((await response.json()) as { url: string }).url, 'pay');
    expect([await pay(account), await pay(account), await pay(account)]).toEqual(['none', 'paid', 'none']);
    expect(await stage.balance(account)).toBe(11n * USD);
  });

  test('is refused before the billing details have a country', async () => {
    expect((await withCard(undefined)).status).toBe(409);
  });

  test('is not charged when the address is gone, and says why', async () => {
    const { account } = await withCard({ country: 'DE' });
    await stage.db.pool.query('update billing_details set country = null where workspace_id = $1', [
      account.workspaceId,
    ]);
    expect(await pay(account)).toBe('declined');
    expect((await get('auto_topup', account)).last_error).toContain('set the address in the billing details');
    expect(await stage.balance(account)).toBe(USD);
  });
});

test('an order of before tax was turned on is paid without it', async () => {
  const account = await empty();
  const { url, session_id: sessionId } = await stage.order(account, 25);
  const session = stage.payments.store.find('checkout.session', sessionId)!;
  stage.payments.store.change(session, { automatic_tax: { enabled: false } });
  const { tax: _page, ...metadata } = (session.payment_intent_data as { metadata: Record<string, string> }).metadata;
  stage.payments.store.change(session, { payment_intent_data: { metadata } });
  await stage.db.pool.query('update topups set is_taxed = false where session_id = $1', [sessionId]);
  await stage.act(url, 'pay');
  expect(await stage.balance(account)).toBe(25n * USD);
  expect((await get('topups', account)).data).toMatchObject([{ tax_usd: null, total_usd: 25 }]);
});

test('the test taxes are whole cents of the amount', () => {
  assert(
    property(integer({ min: 50, max: 100_000 }), (cents) => {
      const { cents: tax } = taxOf(cents, { country: 'DE', taxIdType: undefined });
      expect(Number.isInteger(tax) && Math.abs(tax - cents * 0.19) <= 0.51).toBe(true);
    }),
    { seed: 37 },
  );
});
