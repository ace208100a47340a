import { z } from 'zod';
import { usableSchema } from '../../db/agents/usableSchema.ts';
import { CHECKS_MAX } from '../../db/evaluations/evaluationSets.ts';
import type { EvaluationCase } from '../../db/entities/evaluation.ts';
import { input } from '../../orders/inputItems.ts';
import { costUsd } from '../../orders/order.ts';

export const CASES_MAX = 100;
const SET_BYTES_MAX = 1_048_576;
const REFERENCE_CHARACTERS_MAX = 20_000;
const PATTERN_CHARACTERS_MAX = 500;
const RUBRIC_CHARACTERS_MAX = 10_000;
const SECONDS_MAX = 3_600;

const stringCheck = z
  .strictObject({
    type: z.literal('string_check'),
    operation: z
      .enum(['equals', 'not_equals', 'contains', 'not_contains', 'regex'])
      .describe('Of the text of the output, without blanks around it. `regex`: a regular expression of JavaScript.'),
    reference: z.string().min(1).max(REFERENCE_CHARACTERS_MAX),
    ignore_case: z.boolean().default(false),
  })
  .superRefine(({ operation, reference }, context) => {
    const fault = operation === 'regex' ? faultOfPattern(reference) : undefined;
    if (fault) context.addIssue({ code: 'custom', path: ['reference'], message: fault });
  });

const jsonSchemaCheck = z.strictObject({
  type: z.literal('json_schema'),
  schema: usableSchema.describe('JSON Schema of an object that the output’s data, or the JSON in its text, must fit.'),
});

const scoreModelCheck = z.strictObject({
  type: z.literal('score_model'),
  model: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe('A text model of the catalogue; the platform’s model for agents when null.'),
  rubric: z.string().trim().min(1).max(RUBRIC_CHARACTERS_MAX).describe('What a good output is like.'),
  pass_threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('The model gives a score from 0 to 1; from this on the check passes.'),
});

const check = z.discriminatedUnion('type', [
  stringCheck,
  jsonSchemaCheck,
  scoreModelCheck,
  z.strictObject({
    type: z.literal('tool_called'),
    tool: z.string().min(1).max(128).describe('A tool’s name; `call_agent` for other agents.'),
  }),
  z.strictObject({
    type: z.literal('cost'),
    max_cost_usd: costUsd.describe('The most that the test run may cost, at the platform’s prices. US dollars.'),
  }),
  z.strictObject({ type: z.literal('latency'), max_seconds: z.number().positive().max(SECONDS_MAX) }),
]);

const evaluationCase = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe('Unique in the set: by it, results of different versions are compared.'),
  input: input.describe('As the `input` of a run.'),
  checks: z.array(check).min(1).max(CHECKS_MAX),
});

/** The cases of an answer, and of a set that is stored. */
export const cases = z
  .array(evaluationCase)
  .min(1)
  .max(CASES_MAX)
  .superRefine((all, context) => {
    const names = all.map(({ name }) => name);
    const at = names.findIndex((name, index) => names.indexOf(name) < index);
    if (at >= 0) context.addIssue({ code: 'custom', path: [at, 'name'], message: 'Another case has this name.' });
    if (Buffer.byteLength(JSON.stringify(all)) > SET_BYTES_MAX)
      context.addIssue({ code: 'custom', path: [], message: 'A set has at most 1 MiB.' });
  }) satisfies z.ZodType<EvaluationCase[]>;

export const EvaluationSetBody = z.strictObject({
  cases,
  revision: z
    .int()
    .min(0)
    .optional()
    .describe('The `revision` of the set that was seen, 0 for none: 409 when the set has changed since.'),
});

const version = z
  .union(
    [z.enum(['draft', 'live']), z.string().regex(/^(aver_[0-9A-Za-z]{1,60}|\d{4}-\d{2}-\d{2}(\.\d{1,6})?)$/)],
    'A version is `draft`, `live`, its date or its id, aver_….',
  )
  .default('draft')
  .describe('`draft`; `live`: the public version; or a version’s date or id.');

export const EvaluationQuoteBody = z.strictObject({ version });

export const EvaluationRunBody = z.strictObject({
  version,
  max_cost_usd: costUsd
    .optional()
    .describe('The limit of all cases together, with the models that judge; their maximum when left out. US dollars.'),
});

export const EvaluationRunQuery = z.strictObject({
  against: z
    .union(
      [z.literal('live'), z.string().regex(/^evalrun_[0-9A-Za-z]{1,60}$/)],
      'This is `live`, or evalrun_ and letters and digits.',
    )
    .optional()
    .describe(
      'Compares with the newest result of the public version (`live`), or with another run of the agent’s set.',
    ),
});

function faultOfPattern(pattern: string): string | undefined {
  if (pattern.length > PATTERN_CHARACTERS_MAX) return `A pattern has at most ${PATTERN_CHARACTERS_MAX} characters.`;
  try {
    RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
