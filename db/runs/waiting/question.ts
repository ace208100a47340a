import { z } from 'zod';
import { isObject, storableJson, storableText, withoutNulls } from '../../../base/json.ts';
import { textOfFaults, type JsonSchema } from '../../../base/jsonSchema.ts';
import { ANSWER_LIMIT_MS } from '../../../base/limits.ts';
import { faultOfForm, faultsOfAnswer, SINGLE_FIELD } from './answerSchema.ts';

const CHOICES_MAX = 50;

/** The arguments of a question that may be a form, as its model writes them. */
export const QuestionArguments = z.strictObject({
  question: z.string().min(1).describe('The question, as the user shall read it.'),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'A form for the answer, as JSON Schema: a flat object whose properties are string (with format email, uri, date or date-time, or ' +
        'enum), number, integer, boolean, or array of enum; each with title, description and default. Without it the answer is a text.',
    ),
  choices: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(CHOICES_MAX)
    .optional()
    .describe('Instead of schema: the answers to choose one of.'),
  default: z.unknown().optional().describe('The answer that is taken when there is none in time. It fits the form.'),
  timeout_seconds: z
    .int()
    .min(1)
    .max(ANSWER_LIMIT_MS / 1000)
    .optional()
    .describe('How long to wait for the answer. Then the default is taken; without one the task ends.'),
});

/** What a model asks. Without a schema the answer is a text. */
export interface Question {
  question: string;
  schema?: JsonSchema;
  /** A text, or an object that fits the schema. */
  default?: string | object;
  timeoutSeconds?: number;
}

/** The question in the arguments of a call, whatever form the model gave them. */
export function questionIn(argumentsText: string): string {
  try {
    const { question } = JSON.parse(argumentsText) as { question?: unknown };
    return typeof question === 'string' && question !== '' ? storableText(question) : argumentsText;
  } catch {
    return argumentsText;
  }
}

/** Reads a question that may be a form, or why it cannot be asked, for the model. */
export function readQuestion(argumentsText: string): Question | { fault: string } {
  const parsed = QuestionArguments.safeParse(objectIn(argumentsText));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return { fault: `${path.join('.') || 'the arguments'}: ${message}` };
  }
  const { question, choices, timeout_seconds: timeoutSeconds, default: wish } = parsed.data;
  if (parsed.data.schema && choices) return { fault: 'choices: send schema or choices, not both' };
  const schema = choices ? formOf({ type: 'string', enum: choices }) : parsed.data.schema && formOf(parsed.data.schema);
  const fault = schema && faultOfForm(schema);
  if (fault) return { fault };
  const chosen = defaultOf(wish, schema);
  if (typeof chosen === 'string') return { fault: chosen };
  return {
    question: storableText(question),
    ...(schema && { schema: storableJson(schema) as JsonSchema }),
    ...chosen,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
  };
}

function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? withoutNulls(value) : value;
  } catch {
    return undefined;
  }
}

// A single field becomes a form of one field.
function formOf(schema: JsonSchema): JsonSchema {
  if (schema.type === 'object' || 'properties' in schema) return schema;
  return { type: 'object', properties: { [SINGLE_FIELD]: { title: 'Answer', ...schema } }, required: [SINGLE_FIELD] };
}

/** The default answer as a member of the question, or why it does not fit. */
function defaultOf(wish: unknown, schema: JsonSchema | undefined): Pick<Question, 'default'> | string {
  if (wish === undefined) return {};
  if (!schema) return { default: storableText(typeof wish === 'string' ? wish : JSON.stringify(wish)) };
  const isSingle = Object.keys(schema.properties as object).join() === SINGLE_FIELD;
  const data = isSingle && !isObject(wish) ? { [SINGLE_FIELD]: wish } : wish;
  if (!isObject(data)) return 'default: must be an object that fits the schema';
  const faults = faultsOfAnswer(schema, data);
  if (faults.length > 0) return `default: ${textOfFaults(faults)}`;
  return { default: storableJson(data) };
}
