import { z } from 'zod';
import { ALERT_KINDS } from '../../db/entities/alertKinds.ts';
import { usdAmount } from '../body/usdAmount.ts';
import { mail, mailToOf } from './alertMail.ts';

const PERCENT_MAX = 1_000;
const PERCENTAGES_MAX = 10;
const DAYS_MAX = 365;

const amount = usdAmount.positive().max(1_000_000).describe('The budget of a period, in US dollars.');
const period = z.enum(['daily', 'monthly']).describe('When the spending counts anew (UTC).');
const percentages = z
  .array(z.int().min(1).max(PERCENT_MAX))
  .min(1)
  .max(PERCENTAGES_MAX)
  .refine((given) => new Set(given).size === given.length, 'A percentage is given twice.')
  .describe('The parts of the budget that are told of, in per cent.');
const days = z
  .int()
  .min(1)
  .max(DAYS_MAX)
  .describe('Told of when the balance lasts less long, at the pace of seven days.');
const mailTo = mailToOf('owners and finance people, and also once no chosen one is left');

const SpendAlertBody = z.strictObject({
  type: z.literal('spend'),
  amount_usd: amount,
  period,
  percentages: percentages.default([50, 80, 100]),
  key_id: z
    .string()
    .max(100)
    .nullable()
    .default(null)
    .describe('The key, with those derived from it, whose spending counts; null: the whole workspace’s.'),
  project_id: z
    .string()
    .max(100)
    .nullable()
    .default(null)
    .describe('The project whose spending counts; null: any. An alert has a key or a project, not both.'),
  mail: mail.default(true),
  mail_to: mailTo.default(null),
});

const RunwayAlertBody = z.strictObject({
  type: z.literal('runway'),
  days,
  mail: mail.default(true),
  mail_to: mailTo.default(null),
});

export const NewAlertBody = z.discriminatedUnion('type', [SpendAlertBody, RunwayAlertBody]);

export const AlertChangeBody = z
  .strictObject({ amount_usd: amount, period, percentages, days, mail, mail_to: mailTo })
  .partial()
  .describe('What is sent is changed: `days` of a runway, the others of spending, `mail` and `mail_to` of both.');

export const AlertAnswer = z.object({
  id: z.string(),
  object: z.literal('alert'),
  type: z.enum(ALERT_KINDS),
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  project_id: z.string().nullable(),
  project_name: z.string().nullable(),
  amount_usd: z.number().nullable(),
  period: z.enum(['daily', 'monthly']).nullable(),
  percentages: z.array(z.int()),
  days: z.int().nullable(),
  mail: z.boolean(),
  mail_to: z.array(z.string()).nullable().describe('Members by their ids; null: owners and finance people.'),
  spent_usd: z.number().nullable().describe('In this period; null for a runway.'),
  reached_percentage: z.int().nullable().describe('The largest of the percentages that is reached; null: none.'),
  runway_days: z
    .number()
    .nullable()
    .describe('How long the balance lasts; null while nothing is spent, and for budgets.'),
  is_reached: z.boolean(),
  created_at: z.iso.datetime(),
});

export const AlertList = z.object({ object: z.literal('list'), data: z.array(AlertAnswer) });

export const DeletedAlert = z.object({ id: z.string(), object: z.literal('alert'), deleted: z.literal(true) });
