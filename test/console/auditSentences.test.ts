import { describe, expect, test } from '@jest/globals';
import { changesOf, type AuditRow } from '../../console/src/operate/audit/changes.ts';
import { sentenceOf, SENTENCES } from '../../console/src/operate/audit/sentences.ts';
import { readSources } from '../support/sources.ts';

const row = (action: string, more: Partial<AuditRow> = {}): AuditRow => ({
  id: 'aud_1',
  object: 'audit.entry',
  workspace_id: 'ws_1',
  workspace_name: 'Northwind',
  action,
  subject_type: 'api_key',
  subject_id: 'key_1',
  subject_name: 'prod',
  key_id: null,
  user_id: 'user_1',
  by: 'Maya',
  detail: {},
  request_id: 'req_1',
  created_at: '2026-11-26T10:00:00.000Z',
  ...more,
});
const change = (before: object, after: object) => row('change_key', { detail: { before, after } });

test.each([
  ['1234567890123456789', '$1,234,567,890.123456789'],
  [-2_500_000_000, '−$2.50'],
  ['many', 'many'],
])('nano-dollars of an entry are shown as dollars, with all digits: %j', (amountNanos, text) => {
  expect(changesOf({ detail: { amountNanos } })).toEqual([{ name: 'amountNanos', field: 'amount', after: text }]);
});

describe('a change', () => {
  test.each([
    [
      { spend_limit_usd: '50' },
      { spend_limit_usd: '100' },
      'raised the spend limit of the key “prod” from $50.00 to $100.00',
    ],
    [{ rpm_limit: 600 }, { rpm_limit: 60 }, 'lowered the requests per minute of the key “prod” from 600 to 60'],
    [{ name: 'dev' }, { name: 'prod' }, 'changed the name of the key “prod” from dev to prod'],
    [{ spend_limit_usd: null }, { spend_limit_usd: '5' }, 'set the spend limit of the key “prod” to $5.00'],
    [{ spend_limit_usd: '5' }, { spend_limit_usd: null }, 'removed the spend limit of the key “prod”, which was $5.00'],
    [{ name: 'a', scopes: [] }, { name: 'b', scopes: ['llm'] }, 'changed name and scopes of the key “prod”'],
    [{ name: 'a' }, { name: 'a' }, 'saved the key “prod” without a change'],
    [{ logo_file_id: null }, { logo_file_id: 'file_1' }, 'set the logo of the key “prod” to file_1'],
  ])('from %j to %j', (before, after, deed) => {
    expect(sentenceOf(change(before, after))).toBe(`Maya ${deed}`);
  });

  test('is a row for each member that differs, with other facts behind', () => {
    const detail = { before: { prefix: 'sk_old', same: 1 }, after: { prefix: 'sk_new', same: 1 }, grace_seconds: 60 };
    expect(changesOf({ detail })).toEqual([
      { name: 'prefix', field: 'prefix', before: 'sk_old', after: 'sk_new' },
      { name: 'grace_seconds', field: 'grace seconds', after: '60' },
    ]);
  });
});

test('money is said with its direction and its workspace', () => {
  const adjustment = (usd: string) => row('approve_adjustment', { detail: { amount_usd: usd, reason: 'An outage' } });
  expect(sentenceOf(adjustment('2.5'))).toBe('Maya approved a credit of $2.50 for Northwind');
  expect(sentenceOf(adjustment('-0.5'))).toBe('Maya approved a debit of $0.50 from Northwind');
  expect(sentenceOf(adjustment('-12345678.123456789'))).toContain('a debit of $12,345,678.123456789 from');
});

test('an unknown action is told in readable words, and an action of nobody is the platform’s', () => {
  expect(sentenceOf(row('paint_blue', { by: null, user_id: null, key_id: 'system' }))).toBe(
    'The platform did “paint blue” with “prod”',
  );
});

test.each(Object.keys(SENTENCES))('%s reads well without any detail', (action) => {
  const bare = row(action, { detail: {}, subject_name: null, workspace_name: null, workspace_id: null });
  for (const one of [bare, row(action)]) {
    expect(sentenceOf(one)).toMatch(/^Maya [a-z].*[^ .:]$/);
    expect(sentenceOf(one)).not.toMatch(/undefined|null|NaN| {2}/);
  }
});

/** Words in the lines about the audit that are no actions. */
const OTHERS = [
  'api_key',
  'workspace',
  'user',
  'adjustment',
  'payout',
  'alert',
  'flow_rule',
  'agent_alert',
  'plugin',
  'schedule',
  'namespace',
  'run',
  'audit',
  'operator',
  'system',
  'function',
  'string',
  'requested',
  'approved',
  'sent',
  'email',
  'promote',
  'request',
  'price',
  'member',
  'project',
  'agent',
  // Ways of signing in.
  'password',
  'second_factor',
  'recovery_code',
  'passkey',
  'link',
  // The members of an entry in an answer.
  'action',
  'by',
  'key_id',
  'user_id',
  'request_id',
  'created_at',
];

// Actions are texts in calls of the functions that record them, or in a member `action`; `auditOf` names a kind of subject.
const isAudit = /audit\w*\(|recordAccountEvent\(|AuditEntry\)/;
const isAction = /\baction\b|\baudit(?!Of\()\w*\(|recordAccountEvent\(/;

test('every action that the code records has a sentence', () => {
  const sources = readSources().filter(({ folder, text }) => ['api', 'db'].includes(folder) && isAudit.test(text));
  const lines = sources.flatMap(({ text }) => text.split('\n').filter((line) => isAction.test(line)));
  const words = lines.flatMap((line) => [...line.matchAll(/'([a-z]+(?:_[a-z]+)*)'/g)].map(([, word]) => word!));
  const tables = sources.flatMap(({ text }) =>
    [...text.matchAll(/^ {2}'[\w/-]+': '([a-z_]+)',$/gm)].map(([, word]) => word!),
  );
  const found = [...new Set([...words, ...tables])].filter((word) => !OTHERS.includes(word));
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter((action) => !Object.hasOwn(SENTENCES, action))).toEqual([]);
});

test.each([
  ['\u202Egnp.exe', '\u202Egnp.exe'],
  ['مفتاح', 'مفتاح'],
  ['ދިވެހި', 'ދިވެހި'],
  // They would end the isolation, or keep it open.
  ['\u2069\u202Eknip', '\u202Eknip'],
  ['a\u2067b', 'ab'],
])('a name that turns the text around leaves the sentence in order: %j', (name, shown) => {
  const created = row('create_project', { subject_name: name });
  expect(sentenceOf(created)).toBe(`Maya created the project “\u2068${shown}\u2069” of Northwind`);
});
