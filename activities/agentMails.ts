import { countText } from '../base/sentences.ts';
import { dayText, momentText } from '../base/dateText.ts';
import type { EventMailOrder } from '../db/mails/eventMails.ts';
import { quoted } from '../providers/mail/mailDocument.ts';

/** Runs of an agent fail: how many, why, and where to look. */
export function failingTextOf(data: EventMailOrder['data'], name: string): { subject: string; text: string } {
  const codes = (data.codes ?? []) as unknown as { code: string; runs: number }[];
  const listed = codes.map(({ code, runs }) => `- ${code || 'without a code'}: ${runs}`);
  const asked = data.type === 'failure_rate' ? `${data.threshold}% of the runs` : countText(data.threshold!, 'run');
  return {
    subject: `Runs of ${data.agent} fail`,
    text: [
      `${data.failures} of ${countText(data.runs!, 'run')} of your agent ${data.agent} in the workspace ${name} ` +
        `${Number(data.failures) === 1 ? 'has' : 'have'} failed in the last ` +
        `${durationOf(Number(data.window_minutes))}. You asked to be told at ${asked}.`,
      ...(listed.length > 0 ? [listed.join('\n')] : []),
      'Its page under Publish, Runs, has the failed runs with their steps, and the versions side by side. The alert is there too.',
    ].join('\n\n'),
  };
}

const durationOf = (minutes: number): string =>
  minutes % 60 === 0 ? (minutes === 60 ? 'hour' : `${minutes / 60} hours`) : `${minutes} minutes`;

export type Notice = 'agent.taken_down' | 'agent.deprecated' | 'agent.restored';

const NOTICES: readonly string[] = ['agent.taken_down', 'agent.deprecated', 'agent.restored'] satisfies Notice[];

/** Whether an event tells callers that an agent ends, or is back. */
export const isAgentNotice = (type: string): type is Notice => NOTICES.includes(type);

/** What callers of an agent are told of its end. */
export function agentTextOf(
  type: Notice,
  { agent, message, sunset_at: sunsetAt, successor, was }: EventMailOrder['data'],
  name: string,
): { subject: string; text: string } {
  const why = `Your workspace ${name} ran it lately, or has a schedule of it.`;
  const said = message ? [`Its publisher says:\n\n${quoted(message)}`] : [];
  switch (type) {
    case 'agent.taken_down':
      return {
        subject: `${agent} was taken down`,
        text: [
          `${agent} takes no new runs: orders are refused with 409. Runs that have begun end as usual. ${why}`,
          ...said,
          'Schedules of it are paused. You are told when it is back; resume them then, under Schedules in the console.',
        ].join('\n\n'),
      };
    case 'agent.deprecated':
      return {
        subject: `${agent} ends on ${dayText(sunsetAt!)}`,
        text: [
          `From ${momentText(sunsetAt!)} on, ${agent} takes no new runs: orders are refused with 409. ${why}`,
          ...said,
          successor ? `Use ${successor} instead.` : 'No successor is named.',
        ].join('\n\n'),
      };
    case 'agent.restored':
      return {
        subject: `${agent} is available again`,
        text:
          `${agent} ${was === 'deprecated' ? 'is no longer deprecated' : 'takes runs again'}. ${why}\n\nPaused schedules stay ` +
          'paused: resume them under Schedules in the console.',
      };
    default:
      return type satisfies never;
  }
}
