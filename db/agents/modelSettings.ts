import { z } from 'zod';
import { AGENT_REFERENCE } from '../../base/agentNames.ts';
import { parseData } from '../../base/json.ts';
import { faultOfSchema, faultsOfData, textOfFaults } from '../../base/jsonSchema.ts';
import type { ModelSettings, ResponseFormat } from '../entities/agentJson.ts';
import { MODEL_STEPS, MODEL_STEPS_MAX } from '../../base/limits.ts';
import { compaction } from './compaction.ts';
import { callerSettings } from './approvals.ts';
import { httpTools } from './httpTools.ts';
import { usableSchema } from './usableSchema.ts';

const TEMPERATURE_MAX = 2;
const AGENTS_MAX = 16;

/** The members, as drafts and versions check them. */
export const modelSettings = {
  model: z
    .string()
    .max(200)
    .nullish()
    .describe('A text model of `/textapi/v1/models`; the platform’s model for agents when null.'),
  max_steps: z
    .int()
    .min(1)
    .max(MODEL_STEPS_MAX)
    .nullish()
    .describe(`How often a run may call the model; ${MODEL_STEPS} when null. The last call has to answer.`),
  compaction,
  temperature: z.number().min(0).max(TEMPERATURE_MAX).nullish(),
  tool_choice: z
    .string()
    .max(64)
    .nullish()
    .describe('Of the first call of a run: `auto`, `required`, or the name of one of its tools.'),
  input_schema: usableSchema
    .nullish()
    .describe('JSON Schema of an object: runs then take `{"type": "input_data", "data": …}` that fits it.'),
  output_schema: usableSchema
    .nullish()
    .describe('JSON Schema of an object: a completed run has then returned `output_data` that fits it.'),
  accepts_response_format: z.boolean().optional().describe('Runs may send a `response_format` of their own.'),
  agents: z
    .array(
      z.string().max(200).regex(AGENT_REFERENCE, 'An agent is <namespace>/<slug>, or <namespace>/<slug>@<channel>.'),
    )
    .max(AGENTS_MAX)
    .nullish()
    .describe(
      'Agents that it may call by the tool `call_agent`: public ones, and private ones in runs of their own workspace. Their runs are ' +
        'paid out of the caller’s limit for its run.',
    ),
  ...callerSettings,
  http_tools: httpTools,
};

/** An output schema of a run's caller, in the form of OpenAI's chat completions. */
export const responseFormat = z.strictObject({
  type: z.literal('json_schema'),
  json_schema: z.strictObject({
    name: z.string().max(64).default('output'),
    description: z.string().max(1_000).optional(),
    schema: usableSchema,
    strict: z.boolean().nullish(),
  }),
}) satisfies z.ZodType<ResponseFormat>;

/** The example prompts of an agent with an input schema are inputs as JSON: returns the errors of each invalid prompt, by its index. */
export function faultsOfExamples({ input_schema: schema }: ModelSettings, prompts: string[]): Map<number, string> {
  const faults = new Map<number, string>();
  if (!schema || faultOfSchema(schema)) return faults;
  for (const [at, prompt] of prompts.entries()) {
    const data = dataIn(prompt);
    const found = data === undefined ? 'is no JSON object' : textOfFaults(faultsOfData(schema, data));
    if (found) faults.set(at, `must be input that fits input_schema: ${found}`);
  }
  return faults;
}

/** The JSON value of a text, exactly parsed; undefined for other texts. Models put JSON between code fences. */
export function dataIn(text: string): unknown {
  try {
    return parseData(withoutFences(text.trim()));
  } catch {
    return undefined;
  }
}

const FENCE = '```';

function withoutFences(text: string): string {
  const isFenced = text.length >= 2 * FENCE.length && text.startsWith(FENCE) && text.endsWith(FENCE);
  return isFenced ? text.slice(FENCE.length, -FENCE.length).replace(/^json/, '') : text;
}
