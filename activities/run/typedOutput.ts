import { isObject, storableJson, storableText } from '../../base/json.ts';
import { faultsOfData, isStrictSchema, textOfFaults, type JsonSchema } from '../../base/jsonSchema.ts';
import { dataIn } from '../../db/agents/modelSettings.ts';
import type { ModelSettings } from '../../db/entities/agentJson.ts';
import type { Conversation } from '../../db/runs/steps/stepRecords.ts';
import type { RunEnding } from '../../db/runs/states/finishRun.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import type { Json } from '../../providers/provider.ts';
import { faultOfValue } from '../../tools/foreignJson.ts';
import { DATA_CHARACTERS_MAX, RETURN_DATA_NAME } from '../../tools/returnData.ts';
import type { ToolDefinition } from '../../tools/tool.ts';
import { MODEL_STEPS } from '../../base/limits.ts';
import type { ModelReply } from './callModel.ts';

/** Consecutive replies that may violate the run's schema before the run fails. */
const TRIES_MAX = 3;

/** The last tool of a run with an output schema: its arguments are the output, and its call ends the run. */
function returnTool(schema: JsonSchema): ToolDefinition & { strict?: boolean } {
  return {
    name: RETURN_DATA_NAME,
    description:
      'Returns the final result to the user, and ends the work. Call it once, alone, when everything else is done.',
    parameters: schema,
    ...(isStrictSchema(schema) && { strict: true }),
  };
}

/**
 * The members of a model request for tools and the answer's form. A model without tools gets the schema as the form of its answer; with no
 * other tool, and on the run's last allowed call, the output is forced, so that an upstream with a grammar uses it.
 */
export function answerFormOf(
  {
    configuration,
    outputSchema: schema,
    ...past
  }: Pick<Conversation, 'configuration' | 'outputSchema' | 'steps' | 'modelCalls'>,
  { supportedParameters }: Pick<Model, 'supportedParameters'>,
  definitions: ToolDefinition[],
): Json {
  const takes = (name: string) => supportedParameters?.includes(name) ?? true;
  const temperature = configuration.temperature ?? null;
  const settings: Json = temperature !== null && takes('temperature') ? { temperature } : {};
  if (schema && !takes('tools') && takes('response_format')) return { ...settings, response_format: formatOf(schema) };
  const others = schema ? definitions.filter(({ name }) => name !== RETURN_DATA_NAME) : definitions;
  const offered = schema ? [...others, returnTool(schema)] : others;
  if (offered.length === 0) return settings;
  const choice = choiceOf({ configuration, ...past, isTyped: schema !== null, hasOthers: others.length > 0 });
  const tools = offered.map((definition) => ({ type: 'function', function: definition }));
  return { ...settings, tools, ...(choice !== undefined && takes('tool_choice') && { tool_choice: choice }) };
}

const formatOf = (schema: JsonSchema) => ({
  type: 'json_schema',
  json_schema: { name: 'output', schema, strict: isStrictSchema(schema) },
});

function choiceOf({
  configuration,
  steps,
  modelCalls,
  isTyped,
  hasOthers,
}: Pick<Conversation, 'configuration' | 'steps' | 'modelCalls'> & { isTyped: boolean; hasOthers: boolean }): unknown {
  const isLast = modelCalls + 1 >= stepsMaxOf(configuration);
  if (isTyped && (!hasOthers || isLast || modelStepsIn({ steps }).at(-1)?.result.outcome === 'misfit'))
    return named(RETURN_DATA_NAME);
  if (isLast) return 'none';
  const { tool_choice: wanted } = configuration;
  if (!wanted || wanted === 'auto' || modelCalls > 0) return undefined;
  return wanted === 'required' ? wanted : named(wanted);
}

const named = (name: string) => ({ type: 'function', function: { name } });

const modelStepsIn = ({ steps }: Pick<Conversation, 'steps'>) => steps.filter((step) => step.kind === 'model');

/** The most calls of the model in one run. */
export const stepsMaxOf = ({ max_steps: most }: ModelSettings): number => most ?? MODEL_STEPS;

/** How a run ends whose agent has used up its own maximum of model calls: the workflow ends one with the usual maximum. */
export function endOfSteps({ configuration, modelCalls }: Conversation): RunEnding | undefined {
  const most = stepsMaxOf(configuration);
  if (most === MODEL_STEPS || modelCalls + 1 < most) return undefined;
  return { status: 'limit_reached', limit: 'steps', steps: most };
}

/** The output in a model's reply to a run with an output schema, or why it does not fit. */
export type TypedOutput = { data: object } | { repair: string };

/**
 * Reads the output of a run with a schema: undefined if the reply does not end the run, or the run has no schema. `before`: the text that
 * the reply continues.
 */
export function readOutput(
  schema: JsonSchema | null,
  { outcome, text, calls }: ModelReply,
  before = '',
): TypedOutput | undefined {
  if (!schema) return undefined;
  const isReturn = ({ name, cutAfter }: ModelReply['calls'][number]) =>
    name === RETURN_DATA_NAME && cutAfter === undefined;
  const returned = outcome === 'tools' ? calls.find(isReturn) : undefined;
  if (returned) return check(schema, dataIn(returned.arguments), `The call of ${RETURN_DATA_NAME}`);
  if (outcome !== 'final') return undefined;
  // A model that must answer in a form may start again.
  const data = dataIn(before + text) ?? dataIn(text);
  if (isObject(data)) return check(schema, data, 'The answer');
  return { repair: `The result is missing. Call ${RETURN_DATA_NAME} with it now.` };
}

function check(schema: JsonSchema, data: unknown, what: string): TypedOutput {
  const fault = reasonAgainst(schema, data);
  if (fault === undefined) return { data: storableJson(data as object) };
  // The fault may name members as the model wrote them.
  const repair = `${what} does not fit the schema of the result: ${fault}. Call ${RETURN_DATA_NAME} again.`;
  return { repair: storableText(repair) };
}

function reasonAgainst(schema: JsonSchema, data: unknown): string | undefined {
  if (!isObject(data)) return 'it is no JSON object';
  const faults = faultOfValue(data) ?? textOfFaults(faultsOfData(schema, data));
  if (faults) return faults;
  return JSON.stringify(data).length > DATA_CHARACTERS_MAX
    ? `it has over ${DATA_CHARACTERS_MAX} characters`
    : undefined;
}

/** How a run ends whose model has repeatedly returned invalid output. Undefined: it is asked again. */
export function endOfMisfit({ steps }: Conversation, repair: string): RunEnding | undefined {
  const models = modelStepsIn({ steps });
  const before = models.length - 1 - models.findLastIndex(({ result }) => result.outcome !== 'misfit');
  if (before + 1 < TRIES_MAX) return undefined;
  const message = `The agent did not return output that fits its schema, in ${TRIES_MAX} tries. ${repair} Nothing was billed.`;
  return { status: 'failed', fault: 'agent', code: 'output_invalid', message };
}
