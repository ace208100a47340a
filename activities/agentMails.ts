import type { EventMailOrder } from '../db/mails/eventMails.ts';

/** Runs of an agent fail: how many, why, and where to look. */
export function failingTextOf(data: EventMailOrder['data'], name: string): { subject: string; text: string } {
  const codes = (data.codes ?? []) as unknown as { code: string; runs: number }[];
  const listed = codes.map(({ code, runs }) => `- ${code || 'without a code'}: ${runs}`);
  const asked = data.type === 'failure_rate' ? `${data.threshold}% of the runs` : `${data.threshold} runs`;
  return {
    subject: `Runs of ${data.agent} fail`,
    text: [
      `${data.failures} of ${data.runs} runs of your agent ${data.agent} in the workspace ${name} have failed in the last ` +
        `${durationOf(Number(data.window_minutes))}. You asked to be told at ${asked}.`,
      ...(listed.length > 0 ? [listed.join('\n')] : []),
      'Its page under Publish, Runs, has the failed runs with their steps, and the versions side by side. The alert is there too.',
    ].join('\n\n'),
  };
}

const durationOf = (minutes: number): string =>
  minutes % 60 === 0 ? (minutes === 60 ? 'hour' : `${minutes / 60} hours`) : `${minutes} minutes`;
