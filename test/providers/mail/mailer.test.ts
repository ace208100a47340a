import { inspect } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { mailDocument, paragraphsOf } from '../../../providers/mail/mailDocument.ts';
import { createMailer } from '../../../providers/mail/mailer.ts';
import { setTestDatabase } from '../../support/database.ts';
import { startMailServer } from '../../support/mailServer.ts';

const db = await setTestDatabase({ spends: false });
afterAll(() => db.close());

const outcomes = (counts: Record<string, number>) =>
  Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value }));
const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'Open https://console.example/x?a=1&b=2\n\nThanks.' };

test('with a mail server a mail is sent as text and as HTML, and not stored', async () => {
  const { received, server, url } = await startMailServer();
  const config = { smtpUrl: url, from: 'Ledgerline <a@example.com>' };
  const mailer = createMailer(config, { everywhere: db.everywhere, log: { info: () => {}, warn: () => {} } });
  await mailer.sendMail({ ...mail, reason: 'You get this because you asked.' });
  mailer.close();
  server.close();
  expect(mailer.kind).toBe('smtp');
  expect(await mailer.gauge.read()).toEqual(outcomes({ sent: 1, failed: 0 }));
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^From: Ledgerline <a@example\.com>\r\nTo: ada@example\.com\r\n/);
  expect(received[0]).toContain('Content-Type: multipart/alternative');
  const [plain, html] = received[0]!.split('Content-Type: text/html');
  for (const part of [plain, html]) expect(part).toContain('You get this because you asked.');
  expect((await db.pool.query('select count(*)::int as n from test_mails')).rows).toEqual([{ n: 0 }]);
});

// The runbook of MailsLate tells an absent server from a refused login by these codes: the messages have other words.
test.each([
  ['is away', {}, 'ECONNREFUSED', 'connect ECONNREFUSED'],
  ['refuses the login', { EHLO: '250-test\r\n250 AUTH PLAIN', AUTH: '535 5.7.8 no' }, 'EAUTH', 'Invalid login: 535'],
  ['refuses the recipient', { RCPT: '550 5.1.1 <ada@example.com>: no' }, 'EENVELOPE', '550 5.1.1 <[address]>: no'],
])('a mail to a server that %s is logged with the reason and its code, without its recipient', async (...given) => {
  const [, answers, code, reason] = given;
  const { server, url } = await startMailServer({ answers });
  if (code === 'ECONNREFUSED') server.close();
  const lines: unknown[] = [];
  const log = { info: () => {}, warn: (...line: unknown[]) => void lines.push(line) };
  const smtpUrl = url.replace('//', '//user:password@');
  const mailer = createMailer({ smtpUrl, from: 'a@example.com' }, { everywhere: db.everywhere, log });
  const error = await mailer.sendMail(mail).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code, message: expect.stringContaining(reason) });
  // It is logged whole, too.
  expect(inspect(error)).not.toContain(mail.to);
  mailer.close();
  server.close();
  const failed = { event: 'mail_failed', subject: 'Grüße', code, error: expect.stringContaining(reason) };
  expect(lines).toEqual([[failed, 'a mail was not sent']]);
  expect(await mailer.gauge.read()).toEqual(outcomes({ sent: 0, failed: 1 }));
});

test('without one it is stored as a test mail, and logged', async () => {
  const lines: object[] = [];
  const log = { info: (line: object) => void lines.push(line), warn: () => {} };
  const mailer = createMailer({ smtpUrl: null, from: 'a@example.com' }, { everywhere: db.everywhere, log });
  await mailer.sendMail(mail);
  expect(mailer.kind).toBe('test');
  const text = `${mail.text}\n\nYou get this because of your account at Ledgerline.`;
  expect(lines).toEqual([{ event: 'test_mail', ...mail, text }]);
  const { rows } = await db.pool.query('select recipient, subject, text from test_mails');
  expect(rows).toEqual([{ recipient: mail.to, subject: mail.subject, text }]);
});

test('words of others are a quote without a button, and a list is a list', () => {
  expect(paragraphsOf('> Bye.\n> \n> https://evil.example/sign-in')).toBe(
    '<blockquote>Bye.<br><br><a href="https://evil.example/sign-in">https://evil.example/sign-in</a></blockquote>',
  );
  expect(paragraphsOf('- one\n- two')).toBe('<ul><li>one</li><li>two</li></ul>');
});

test('a mail is previewed by its first sentence, has colours for dark screens, and says why it came', () => {
  const html = mailDocument('Hello', 'Confirm it:\n\nhttps://a.example/x', 'You get this because <you> asked.');
  expect(html).toMatch(/<body[^>]*>\n<div style="display:none[^"]*">Confirm it\.<\/div>/);
  expect(html).toContain('@media (prefers-color-scheme: dark)');
  expect(html).toContain('>You get this because &lt;you&gt; asked.</p>');
});

test('a text as HTML has links, and runs no markup', () => {
  expect(paragraphsOf('<script>\n\nhttps://a.example/?b&c "x"')).toContain(
    '<p>&lt;script&gt;</p><p><a href="https://a.example/?b&amp;c">https://a.example/?b&amp;c</a> &quot;x&quot;</p>',
  );
});

test('a link that is a paragraph is a button that says what it does; a sentence keeps its own point', () => {
  expect(paragraphsOf('Join:\n\nhttps://a.example/invitations/inv_1')).toBe(
    '<p>Join:</p><p><a class="button" href="https://a.example/invitations/inv_1">See invitation</a></p>' +
      '<p><small>Or copy this link: <a href="https://a.example/invitations/inv_1">https://a.example/invitations/inv_1</a></small></p>',
  );
  expect(paragraphsOf('Sign in at https://a.example/sign-in.')).toBe(
    '<p>Sign in at <a href="https://a.example/sign-in">https://a.example/sign-in</a>.</p>',
  );
});
