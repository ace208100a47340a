import { z } from 'zod';
import { usdAmount } from '../body/usdAmount.ts';

const name = z.string().trim().min(1).max(100);
const usd = usdAmount
  .min(0)
  .max(1_000_000)
  .describe(
    'In US dollars: the most that all calls of the project may spend in a period. It binds as the ceiling of a key does.',
  );
export const period = z.enum(['daily', 'monthly']).describe('When the ceiling resets (UTC); never, when it is null.');
const limits = { spend_limit: usd.nullable().optional(), spend_limit_period: period.nullable().optional() };

type Limits = z.output<z.ZodObject<typeof limits>>;

/** Whether a period has a ceiling, in a body that sets both. */
export const hasCeiling = ({ spend_limit: ceiling, spend_limit_period: resets }: Limits): boolean =>
  typeof ceiling === 'number' || !resets;
export const NO_CEILING = { path: ['spend_limit_period'], error: 'A period needs a spend_limit.' };

export const NewProjectBody = z.strictObject({ name, ...limits }).refine(hasCeiling, NO_CEILING);

export const ProjectChangeBody = z.strictObject({
  name: name.optional(),
  ...limits,
  status: z
    .enum(['active', 'archived'])
    .optional()
    .describe(
      'The keys of an archived project are refused, and its usage stays readable. It can be made active again.',
    ),
});

const time = z.iso.datetime();

export const ProjectAnswer = z.object({
  id: z.string().describe('`default` for the default project.'),
  object: z.literal('project'),
  name: z.string(),
  status: z.enum(['active', 'archived']),
  created_at: time.nullable().describe('Null for the default project.'),
  archived_at: time.nullable(),
  spend_limit: z.number().nullable().describe('Null for none.'),
  spend_limit_period: z.enum(['daily', 'monthly']).nullable(),
  spend_limit_remaining: z.number().nullable().describe('What is left of the ceiling in its period; null: no ceiling.'),
  spend_daily: z.number(),
  spend_monthly: z.number(),
  spend_total: z.number(),
  keys: z.int().describe('Keys that are neither revoked nor expired.'),
});

export const ProjectList = z.object({ object: z.literal('list'), data: z.array(ProjectAnswer) });

/** Of a member, on the console. */
export const MemberProjectsBody = z.strictObject({
  project_ids: z
    .array(z.string().max(100))
    .min(1)
    .max(100)
    .nullable()
    .describe('The only projects whose keys, requests, usage and runs the member sees; null: all.'),
});

export const MemberAnswer = z.object({
  user_id: z.string(),
  object: z.literal('member'),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  project_ids: z.array(z.string()).nullable().describe('Null: not limited to projects.'),
});

export const MemberList = z.object({ object: z.literal('list'), data: z.array(MemberAnswer) });
