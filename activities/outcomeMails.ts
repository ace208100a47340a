import { momentText } from '../base/dateText.ts';
import type { MailedEventType } from '../db/events/eventTypes.ts';
import type { EventMailOrder } from '../db/mails/eventMails.ts';

interface Finding {
  severity: 'blocking' | 'advisory';
  path: string;
  message: string;
}

export type Outcome = Extract<MailedEventType, `deployment.${string}`>;

const WORDS: Record<Outcome, { subject: string; sentence: string; next: string }> = {
  'deployment.approved': {
    subject: 'was approved',
    sentence: 'was approved',
    next: 'Its page under Publish shows how it is rolled out.',
  },
  'deployment.changes_requested': {
    subject: 'needs changes',
    sentence: 'needs changes before it can be public',
    next: 'Its page under Publish, Review, leads to each field of the draft. Change them there and submit it again.',
  },
  'deployment.rejected': {
    subject: 'was rejected',
    sentence: 'was rejected',
    next: 'Its page under Publish, Review, has the reasons in full. You can change the draft and submit it again.',
  },
  'deployment.suspended': {
    subject: 'was suspended',
    sentence: 'was suspended: nobody can run it',
    next: 'Its page under Publish, Review, has the reason. Answer it there with a comment.',
  },
};

/** Whether an event is a decision about a submission. */
export const isOutcome = (type: string): type is Outcome => Object.hasOwn(WORDS, type);

/** What became of a submission, with the reviewer's words. */
export function outcomeTextOf(
  type: Outcome,
  data: EventMailOrder['data'],
  name: string,
): { subject: string; text: string } {
  const { subject, sentence, next } = WORDS[type];
  const findings = (data.findings ?? []) as unknown as Finding[];
  const listed = findings.map(
    ({ severity, path, message }) =>
      `- ${severity === 'blocking' ? 'To change' : 'Advice'}${path && ` (${path})`}: ${message.replaceAll(/\s+/g, ' ')}`,
  );
  return {
    subject: `${data.agent} ${subject}`,
    text: [
      `Version ${data.version ?? data.version_number} of your agent ${data.agent} in the workspace ${name} ${sentence}.`,
      ...(data.active_from
        ? [`It is more expensive, so its callers get it from ${momentText(data.active_from)}.`]
        : []),
      ...(listed.length > 0 ? [listed.join('\n')] : []),
      next,
    ].join('\n\n'),
  };
}
