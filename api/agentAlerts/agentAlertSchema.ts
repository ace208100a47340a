import { z } from 'zod';
import { mail, mailToOf } from '../alerts/alertMail.ts';
import { faults } from '../publishedRuns/runQueries.ts';

const WINDOW_MIN = 5;
const WINDOW_MAX = 1_440;

const PERCENT_MAX = 100;
const COUNT_MAX = 100_000;

const type = z
  .enum(['failure_rate', 'failures'])
  .describe('Told of when this part of the runs, in per cent, or this number of them has failed in the window.');
const threshold = z.int().min(1).max(COUNT_MAX).describe(`Per cent (at most ${PERCENT_MAX}), or a number of runs.`);
const windowMinutes = z.int().min(WINDOW_MIN).max(WINDOW_MAX).describe('Of the runs that ended last.');
const runsMin = z.int().min(1).max(COUNT_MAX).describe('Of a rate: with fewer runs in the window nothing is told.');
const chosenFaults = z
  .array(faults)
  .min(1)
  .refine((given) => new Set(given).size === given.length, 'A fault is given twice.')
  .describe('Whose faults count as failures.');
const mailTo = mailToOf('owners and publishers');

export const isFittingRate = ({ type: kind, threshold: part }: { type: string; threshold: number }): boolean =>
  kind !== 'failure_rate' || part <= PERCENT_MAX;

export const RATE_TOO_HIGH = `A rate has at most ${PERCENT_MAX} per cent.`;

export const NewAgentAlertBody = z
  .strictObject({
    agent_id: z.string().min(1).max(100),
    type,
    threshold,
    window_minutes: windowMinutes.default(60),
    runs_min: runsMin.default(10),
    faults: chosenFaults.default(['agent', 'platform', 'provider']),
    mail: mail.default(true),
    mail_to: mailTo.default(null),
  })
  .refine(isFittingRate, { error: RATE_TOO_HIGH, path: ['threshold'] });

export const AgentAlertChangeBody = z
  .strictObject({
    type,
    threshold,
    window_minutes: windowMinutes,
    runs_min: runsMin,
    faults: chosenFaults,
    mail,
    mail_to: mailTo,
  })
  .partial();

export const AgentAlertsQuery = z.strictObject({
  agent_id: z.string().min(1).max(100).optional().describe('Only alerts on this agent.'),
});

export const AgentAlertAnswer = z.object({
  id: z.string(),
  object: z.literal('publisher.alert'),
  agent_id: z.string(),
  agent: z.string(),
  type: z.enum(['failure_rate', 'failures']),
  threshold: z.int(),
  window_minutes: z.int(),
  runs_min: z.int(),
  faults: z.array(faults),
  mail: z.boolean(),
  mail_to: z.array(z.string()).nullable().describe('Members by their ids; null: owners and publishers.'),
  runs: z.int().describe('That ended in the window, without cancelled ones.'),
  failures: z.int(),
  failure_rate: z.number().nullable().describe('0 to 1; null without runs.'),
  is_failing: z.boolean(),
  created_at: z.iso.datetime(),
});

export const AgentAlertList = z.object({ object: z.literal('list'), data: z.array(AgentAlertAnswer) });

export const DeletedAgentAlert = z.object({
  id: z.string(),
  object: z.literal('publisher.alert'),
  deleted: z.literal(true),
});
