import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { afterAll, expect, test } from '@jest/globals';
import { extractText, getDocumentProxy } from 'unpdf';
import { readWorkload } from '../../db/accounting/workload.ts';
import { newId } from '../../db/ids.ts';
import { NO_DETAILS } from '../../db/invoices/details.ts';
import { recordMailedEvent } from '../../db/mails/eventMails.ts';
import { recordDecline } from '../../db/payments/cardOrders.ts';
import { applyFact, createTopup } from '../../db/payments/topups.ts';
import { noteLowBalances } from '../../db/payments/lowBalances.ts';
import type { EventObject } from '../../db/events/readEvents.ts';
import { recordAttempt } from '../../db/webhooks/attempts.ts';
import { sendBillingMails } from '../../activities/billingMails.ts';
import { createUpkeep, type UpkeepDependencies } from '../../activities/upkeep.ts';
import { paragraphsOf } from '../../providers/mail/mailDocument.ts';
import type { Mail } from '../../providers/mail/mailer.ts';
import { makeAccount } from '../support/account.ts';
import { TEST_ISSUER } from '../support/issuer.ts';
import { openTestDatabase, setTestDatabase } from '../support/database.ts';

const USD = 1_000_000_000n;
const db = await setTestDatabase();
afterAll(() => db.close());

/** A workspace with the members olga (owner), fin (finance), dev (developer), and an owner with an unconfirmed address. */
async function newWorkspace(balanceNanos: bigint): Promise<{ workspaceId: string; tag: string }> {
  const { workspaceId } = await makeAccount(db, { balanceNanos });
  const tag = workspaceId.slice(-8).toLowerCase();
  const roles = { olga: 'owner', fin: 'finance', dev: 'developer', new: 'owner' };
  for (const [name, role] of Object.entries(roles)) {
    const userId = newId('user');
    await db.everywhere.transaction(async ({ em, User, Member }) => {
      const email = `${name}@${tag}.example`;
      await em.insert(User, { id: userId, name, email, emailVerified: name !== 'new' });
      await em.insert(Member, { id: newId('mem'), workspaceId, userId, role });
    });
  }
  return { workspaceId, tag };
}

const spend = (workspaceId: string, usd: bigint) =>
  db.ledger.transfer({
    kind: 'adjustment',
    subject: newId('test'),
    workspaceId,
    houseAccountId: 'adjustments',
    amountNanos: -usd * USD,
  });

/** The mails of one check of the balances, and the errors of unsent mails. */
async function look(sendMail?: (mail: Mail) => Promise<void>, { everywhere } = db as Pick<typeof db, 'everywhere'>) {
  const sent: Mail[] = [];
  const errors: unknown[] = [];
  await noteLowBalances(everywhere);
  const mailer = { sendMail: sendMail ?? (async (mail: Mail) => void sent.push(mail)) };
  await sendBillingMails({ everywhere, mailer, onProgress: () => {}, onFailure: (error) => errors.push(error) });
  return { sent, errors, to: sent.map(({ to }) => to) };
}

/** The last paragraphs of the mails of a workspace, as the worker of an installation with a console sends them. */
async function endingsOf(workspaceId: string): Promise<string[]> {
  const sent: Mail[] = [];
  await sendBillingMails({
    everywhere: db.everywhere,
    mailer: { sendMail: async (mail: Mail) => void sent.push(mail) },
    consoleUrl: 'https://console.example',
    onProgress: () => {},
    onFailure: () => {},
  });
  return sent.filter(({ text }) => text.includes(workspaceId)).map(({ text }) => text.split('\n\n').at(-1)!);
}

const makeDue = () => db.pool.query(`update event_mails set due_at = now() where due_at < 'infinity'`);

test('a mail ends with the page that it is about, in its workspace', async () => {
  const { workspaceId } = await newWorkspace(4n * USD);
  await noteLowBalances(db.everywhere);
  const endings = await endingsOf(workspaceId);
  expect(endings).toEqual(Array(2).fill(`https://console.example/billing?in_workspace=${workspaceId}`));
  expect(paragraphsOf(endings[0]!)).toContain('>Open Billing</a>');
});

test.each([
  ['agent.failing', { agent_id: 'agt_1', agent: 'acme/writer' }, '/publish/agt_1?tab=runs&', 'See runs'],
  [
    'agent.deprecated',
    { agent: 'acme/writer', sunset_at: '2027-01-01T00:00:00.000Z' },
    '/agents/acme/writer?',
    'See agent',
  ],
  ['agent.restored', { agent: 'acme/writer', was: 'deprecated' }, '/agents/acme/writer?', 'See agent'],
  ['agent.taken_down', { agent: 'acme/writer' }, '/schedules?', 'Open Schedules'],
] as const)('a mail about %s leads to its page', async (type, data, page, label) => {
  const { workspaceId } = await newWorkspace(20n * USD);
  const event = { type, resourceType: 'agent', resourceId: 'acme/writer', data };
  await db.everywhere.transaction((tx) => recordMailedEvent(tx, workspaceId, event));
  const endings = await endingsOf(workspaceId);
  expect(endings).toEqual(Array(2).fill(`https://console.example${page}in_workspace=${workspaceId}`));
  expect(paragraphsOf(endings[0]!)).toContain(`>${label}</a>`);
});

test('a low and an exhausted balance are mailed to owners and finance members, once each', async () => {
  const { workspaceId, tag } = await newWorkspace(4n * USD);
  const people = [`fin@${tag}.example`, `olga@${tag}.example`];
  const low = await look();
  expect(low.to).toEqual(people);
  expect(low.sent[0]!.subject).toContain('low');
  expect(low.sent[0]!.text).toContain(`(${workspaceId}) is $4.00.`);
  expect((await look()).to).toEqual([]);
  await spend(workspaceId, 4n);
  const depleted = await look();
  expect(depleted.to).toEqual(people);
  expect(depleted.sent[0]!.text).toContain('refused with 402');
  expect((await look()).to).toEqual([]);
});

test('mails are sent by an upkeep of which earlier parts fail, and it tells which failed', async () => {
  const { tag } = await newWorkspace(4n * USD);
  const sent: string[] = [];
  const errors: unknown[] = [];
  const refuse = () => Promise.reject(new Error('Temporal refuses it'));
  const services = {
    db,
    workflows: { stateOf: async () => 'open', pruneSweeps: refuse },
    mailer: { sendMail: async ({ to }: Mail) => void sent.push(to) },
    issuer: TEST_ISSUER,
    unbilledKeptDays: 90,
    auditExports: { secrets: { open: refuse }, allowPrivate: false },
    isStopping: () => false,
  };
  const log = { error: (_message: string, attributes: unknown) => void errors.push(attributes), warn: () => {} };
  const context = { heartbeat: () => {}, log } as unknown as Context;
  const { upkeep } = createUpkeep(services as unknown as UpkeepDependencies);
  await expect(asyncLocalStorage.run(context, upkeep)).rejects.toThrow('failed: sweepsPruned');
  expect(sent).toEqual(expect.arrayContaining([`fin@${tag}.example`, `olga@${tag}.example`]));
  expect(errors).toEqual([{ part: 'sweepsPruned', error: new Error('Temporal refuses it') }]);
});

test('no mail is sent twice, neither after a restart nor by two processes', async () => {
  const { tag } = await newWorkspace(USD);
  // The first process dies while sending, so it is unknown whether the mail server accepted the mail.
  const begun: string[] = [];
  void look((mail) => {
    begun.push(mail.to);
    return new Promise(() => {});
  });
  while (begun.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const restarted = await openTestDatabase({ url: db.url, spends: false });
  const looks = await Promise.all([look(undefined, restarted), look(undefined, restarted), look()]);
  await restarted.close();
  const all = [...begun, ...looks.flatMap(({ to }) => to)].filter((to) => to.includes(tag));
  expect(all.toSorted()).toEqual([`fin@${tag}.example`, `olga@${tag}.example`]);
});

const backlogOf = async (kind: string) =>
  (await readWorkload(db.everywhere)).backlog.find((figures) => figures.kind === kind)!.count;

test('a mail that the mail server refuses is retried, at most ten times, and then counts as lost', async () => {
  const { tag } = await newWorkspace(USD);
  const refuse = async () => {
    throw Object.assign(new Error('550 no such mailbox'), { responseCode: 550, code: 'EENVELOPE' });
  };
  expect((await look(refuse)).errors).toHaveLength(2);
  expect((await look()).to).toEqual([]);
  await makeDue();
  expect((await look()).to).toEqual([`fin@${tag}.example`, `olga@${tag}.example`]);
  await newWorkspace(USD);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await look(refuse)).errors).toHaveLength(2);
    expect([await backlogOf('mails'), await backlogOf('lost_mails')]).toEqual(attempt < 9 ? [2, 0] : [0, 2]);
    await makeDue();
  }
  expect(await look()).toMatchObject({ to: [], errors: [] });
});

test.each([
  ['is away', { code: 'ESOCKET' }],
  ['refuses the login', { code: 'EAUTH', responseCode: 535 }],
  ['refuses for now', { code: 'EENVELOPE', responseCode: 450 }],
])('while the mail server %s mails wait for four days, at most an hour between two tries', async (_, fault) => {
  const { tag } = await newWorkspace(USD);
  const refuse = async () => {
    throw Object.assign(new Error('not sent'), fault);
  };
  for (let attempt = 0; attempt < 12; attempt += 1) {
    expect((await look(refuse)).errors).toHaveLength(2);
    const { rows } = await db.pool.query(`select from event_mails where due_at > now() + interval '61 minutes'
      and due_at < 'infinity'`);
    expect(rows).toEqual([]);
    await makeDue();
  }
  expect((await look()).to).toEqual([`fin@${tag}.example`, `olga@${tag}.example`]);
  await newWorkspace(USD);
  expect((await look(refuse)).errors).toHaveLength(2);
  await db.pool.query(`update event_mails set created_at = now() - interval '97 hours' where due_at < 'infinity'`);
  await makeDue();
  expect((await look(refuse)).errors).toHaveLength(2);
  await makeDue();
  expect(await look()).toMatchObject({ to: [], errors: [] });
});

test('a declined payment is mailed with its reason, once', async () => {
  const { workspaceId, tag } = await newWorkspace(20n * USD);
  const topupId = newId('top');
  await db.pool.query(
    `insert into topups (id, workspace_id, origin, amount_nanos, livemode) values ($1, $2, 'auto', 5, false)`,
    [topupId, workspaceId],
  );
  const order = { topupId, workspaceId, customerId: 'cus', paymentMethodId: 'pm', amountNanos: 5n, isTaxed: false };
  for (let nth = 0; nth < 2; nth += 1) await recordDecline(db.everywhere, order, 'Your card has insufficient funds.');
  const { sent, to } = await look();
  expect(to).toEqual([`fin@${tag}.example`, `olga@${tag}.example`]);
  expect(sent[0]!.subject).toContain('declined');
  expect(sent[0]!.text).toContain('Your card has insufficient funds.');
  expect((await look()).to).toEqual([]);
});

test('a bank transfer for a payment page that was declined is mailed, once', async () => {
  const { workspaceId, tag } = await newWorkspace(20n * USD);
  const order = { workspaceId, origin: 'checkout', amountNanos: 60n * USD, livemode: false, requestId: null } as const;
  const topupId = await createTopup(db.pool, order);
  for (const status of ['processing', 'failed', 'failed'] as const)
    await applyFact(db, { type: 'unpaid', topupId, status });
  const { sent, to } = await look();
  expect(to).toEqual([`fin@${tag}.example`, `olga@${tag}.example`]);
  expect(sent[0]!.text).toContain('payment of $60.00');
  expect(sent[0]!.text).toContain('Nothing was added to the balance.');
});

test.each([
  [{ key_name: null, project_name: null }, 'Your workspace "test"', ''],
  [{ key_name: 'till', project_name: null }, 'The key "till" of your workspace "test"', ''],
  [
    { key_name: null, project_name: 'Shop', period_start: '2026-11-01' },
    'The project "Shop" of your workspace "test"',
    ' that began on 1 November 2026',
  ],
])('a mail about a budget says whose it is: %o', async (of, spender, since) => {
  const { workspaceId } = await newWorkspace(20n * USD);
  const data = { ...of, percent: 50, spent_usd: '5.5', amount_usd: '1000', period: 'monthly' };
  const event = { type: 'alert.spend_reached', resourceType: 'alert', resourceId: 'alert_1', data } as const;
  await db.everywhere.transaction((tx) => recordMailedEvent(tx, workspaceId, event));
  const { sent } = await look();
  expect(sent[0]!.text).toContain(
    `${spender} (${workspaceId}) has spent $5.50 of its monthly budget of $1,000.00${since}.`,
  );
});

test.each([
  [20n, '$20.00 were paid, and nothing is due.', '$20.00 paid'],
  [0n, 'no payment was made, and nothing is due.', 'No payment in this month'],
  [-5n, '$5.00 were returned, and nothing is due.', '$5.00 returned'],
])('an invoice of %s USD is mailed with its file', async (usd, sentence, headline) => {
  const { workspaceId, tag } = await newWorkspace(20n * USD);
  const id = newId('inv');
  const number = `INV-${id}`;
  await db.everywhere.transaction(async (tx) => {
    const sums = { netNanos: usd * USD, taxNanos: 0n, openingNanos: 0n, closingNanos: 20n * USD, usageNanos: 0n };
    const kind = usd > 0n ? ('payment' as const) : ('refund' as const);
    const lines = usd === 0n ? [] : [{ kind, nanos: String(usd * USD), taxNanos: '0', at: '2026-01-05T00:00:00.000Z' }];
    const series = { month: '2026-01', isTest: false, sequence: 100n + usd, number, lines };
    const { seller } = TEST_ISSUER;
    const customer = { ...NO_DETAILS, workspaceName: 'test' };
    await tx.em.insert(tx.Invoice, { id, workspaceId, ...series, ...sums, seller, customer });
    const data = { id, number, month: '2026-01', total_usd: String(usd), tax_usd: '0' };
    await recordMailedEvent(tx, workspaceId, { type: 'invoice.issued', resourceType: 'invoice', resourceId: id, data });
  });
  const { sent, to, errors } = await look();
  expect({ to, errors }).toEqual({ to: [`fin@${tag}.example`, `olga@${tag}.example`], errors: [] });
  expect(sent[0]!.subject).toBe(`Invoice ${number} of test`);
  expect(sent[0]!.reason).toBe('You get this because the invoices of "test" go to this address.');
  expect(sent[0]!.text).toContain(`for January 2026 is attached: ${sentence}`);
  const [file] = sent[0]!.attachments!;
  expect(file).toMatchObject({ filename: `${number}.pdf`, contentType: 'application/pdf' });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(file!.content)), { mergePages: true });
  expect(text).toContain(headline);
});

test('a disabled webhook endpoint is mailed to owners and developers', async () => {
  const { workspaceId, tag } = await newWorkspace(20n * USD);
  const id = newId('we');
  await db.everywhere.transaction(async (tx) => {
    const row = { id, workspaceId, url: 'https://example.com/hooks', secrets: [], eventTypes: [] };
    await tx.em.insert(tx.WebhookEndpoint, row);
    const endpoint = await tx.em.findOneOrFail(tx.WebhookEndpoint, { id });
    const made = { id: newId('whd'), eventId: newId('evt'), endpointId: id, workspaceId, eventType: 'run.failed' };
    await tx.em.insert(tx.WebhookDelivery, made);
    const delivery = await tx.em.findOneOrFail(tx.WebhookDelivery, { id: made.id });
    const event = { id: made.eventId } as EventObject;
    const result = { statusCode: 410, responseBody: '', error: 'The endpoint answered 410.', durationMs: 1 };
    await recordAttempt(tx, { delivery, endpoint, event }, { result, delaysMs: [1] });
  });
  const { to, sent } = await look();
  expect(to).toEqual([`dev@${tag}.example`, `olga@${tag}.example`]);
  expect(sent[0]!.text).toContain(`https://example.com/hooks of your workspace "test" (${workspaceId}) was disabled`);
  expect(sent[0]!.text).toContain(`because it answered 410`);
});
