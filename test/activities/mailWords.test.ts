import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../db/ids.ts';
import type { MailedEventType } from '../../db/events/eventTypes.ts';
import { recordMailedEvent } from '../../db/mails/eventMails.ts';
import { sendBillingMails } from '../../activities/billingMails.ts';
import { paragraphsOf } from '../../providers/mail/mailDocument.ts';
import type { Mail } from '../../providers/mail/mailer.ts';
import { makeAccount } from '../support/account.ts';
import { setTestDatabase } from '../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** The mail about an event of a new workspace of this name. */
async function mailOf(type: MailedEventType, data: object, workspaceName = 'test'): Promise<Mail> {
  const { workspaceId } = await makeAccount(db);
  await db.pool.query('update workspaces set name = $2 where id = $1', [workspaceId, workspaceName]);
  const userId = newId('user');
  await db.everywhere.transaction(async (tx) => {
    const { em, User, Member } = tx;
    const email = `olga@${userId.toLowerCase()}.example`;
    await em.insert(User, { id: userId, name: 'Olga', email, emailVerified: true });
    await em.insert(Member, { id: newId('mem'), workspaceId, userId, role: 'owner' });
    const event = { type, resourceType: 'agent', resourceId: 'acme/writer', data: { agent: 'acme/writer', ...data } };
    await recordMailedEvent(tx, workspaceId, event);
  });
  const sent: Mail[] = [];
  const mailer = { sendMail: async (mail: Mail) => void sent.push(mail) };
  const onFailure = (error: unknown) => expect(error).toBeUndefined();
  const consoleUrl = 'https://console.example';
  await sendBillingMails({ everywhere: db.everywhere, mailer, consoleUrl, onProgress: () => {}, onFailure });
  expect(sent).toHaveLength(1);
  return sent[0]!;
}

const HOSTILE = 'Bye.\n\nhttps://evil.example/sign-in';
const SPENT = { percent: 50, spent_usd: '5', amount_usd: '9', period: 'daily' };

test.each([
  ['agent.taken_down', { message: HOSTILE }],
  ['agent.deprecated', { message: HOSTILE, sunset_at: '2027-01-01T00:00:00.000Z' }],
  ['deployment.rejected', { version: '1', findings: [{ severity: 'blocking', path: '/tools', message: HOSTILE }] }],
  ['alert.spend_reached', { ...SPENT, key_name: HOSTILE }],
  ['alert.spend_reached', { ...SPENT, project_name: HOSTILE }],
] as const)('words of others in a mail about %s make no button', async (type, data) => {
  const { text } = await mailOf(type, data);
  expect(text).toContain('evil.example/sign-in');
  const html = paragraphsOf(text);
  expect(html.match(/class="button" href="[^"]*"/g)).toEqual([
    expect.stringContaining('href="https://console.example/'),
  ]);
});

test("a publisher's words keep their lines, as a quote", async () => {
  const { text } = await mailOf('agent.taken_down', { message: 'It has moved.\n\nThanks for all runs.' });
  expect(text).toContain('Its publisher says:\n\n> It has moved.\n> \n> Thanks for all runs.\n\nSchedules of it');
});

test('the name of a workspace adds no line and no link to a mail', async () => {
  const { subject, text } = await mailOf('balance.low', { balance_usd: '1' }, HOSTILE);
  expect(subject).toBe('The balance of Bye. https evil.example/sign-in is low');
  expect(paragraphsOf(text)).not.toContain('href="https://evil.example');
});

test('a mail says why it came', async () => {
  expect((await mailOf('balance.low', { balance_usd: '1' })).reason).toBe(
    'You get this as a member of the workspace "test" at Ledgerline.',
  );
});

test.each([
  [1, 'lasts 1 day', 'this lasts 1 day. You asked'],
  [0.4, 'lasts 0.4 days', 'this lasts 0.4 days. You asked'],
])('a balance of %s days is counted in words', async (days, subject, sentence) => {
  const mail = await mailOf('alert.runway_short', { runway_days: days, balance_usd: '1', days: 7 });
  expect(mail.subject.endsWith(subject)).toBe(true);
  expect(mail.text).toContain(sentence);
});

test('a single failed run is counted in words', async () => {
  const counts = { type: 'failures', threshold: 1, failures: 1, runs: 1, window_minutes: 60, agent_id: 'agent_1' };
  const { text } = await mailOf('agent.failing', { ...counts, codes: [] });
  expect(text).toContain('1 of 1 run of your agent acme/writer in the workspace "test"');
  expect(text).toContain('has failed in the last hour. You asked to be told at 1 run.');
});

test('what became of a submission leads to its review', async () => {
  const { text } = await mailOf('deployment.rejected', { version: '1', agent_id: 'agent_1' });
  expect(text).toMatch(/\n\nhttps:\/\/console\.example\/publish\/agent_1\?tab=review&in_workspace=\w+$/);
  expect(paragraphsOf(text)).toContain('>See review</a>');
});
