import { expect, test } from '@jest/globals';
import { agentTextOf } from '../../activities/agentMails.ts';
import { outcomeTextOf } from '../../activities/outcomeMails.ts';

test('the end of an agent is told with its day in the subject, and with its time in the text', () => {
  const data = { agent: 'acme/writer', sunset_at: '2027-01-01T08:30:00.000Z' };
  const { subject, text } = agentTextOf('agent.deprecated', data, '"test" (ws_1)');
  expect(subject).toBe('acme/writer ends on 1 January 2027');
  expect(text).toContain('From 1 January 2027, 08:30 UTC on, acme/writer takes no new runs');
});

test('the publisher of a more expensive version is told in words when its callers get it', () => {
  const data = { agent: 'acme/writer', version: '2.0', active_from: '2026-12-07T10:00:00.000Z' };
  const { text } = outcomeTextOf('deployment.approved', data, '"test" (ws_1)');
  expect(text).toContain('It is more expensive, so its callers get it from 7 December 2026, 10:00 UTC.');
});
