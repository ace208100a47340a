import { expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { noteAttempt, webhookGauges } from '../../../activities/webhooks/outcomes.ts';

const [attempts, endpoints] = webhookGauges;
const valuesOf = (gauge: typeof attempts) =>
  Object.fromEntries(gauge!.read().map(({ labels, value }) => [labels.outcome, value]));

test('attempts are counted by their outcome, and endpoints by their last attempt', () => {
  // The process counts those of other test files too, and forgets endpoints after a while: no time passes until they are read again.
  const before = { attempts: valuesOf(attempts), endpoints: valuesOf(endpoints) };
  const addedTo = (name: keyof typeof before, values: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(values).map(([outcome, value]) => [outcome, value - (before[name][outcome] ?? 0)]),
    );
  const own = newId('whe');
  noteAttempt(`${own}_1`, { error: 'The endpoint answered 500.', statusCode: 500 });
  noteAttempt(`${own}_1`, { error: null, statusCode: 200 });
  noteAttempt(`${own}_2`, { error: null, statusCode: 200 });
  noteAttempt(`${own}_2`, { error: 'The endpoint refused the connection.', statusCode: null });
  noteAttempt(`${own}_3`, { error: 'The endpoint did not answer in time.', statusCode: null });
  noteAttempt(`${own}_4`, undefined);
  const added = addedTo('attempts', valuesOf(attempts));
  expect(added).toEqual({ delivered: 2, refused: 1, unreachable: 2, unsent: 1 });
  expect(addedTo('endpoints', valuesOf(endpoints))).toEqual({ delivered: 1, failed: 3 });
});
