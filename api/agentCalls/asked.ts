import { isObject, storableBeginning } from '../../base/json.ts';
import type { RequiredAction } from '../../db/entities/runStates.ts';
import { dataIn } from '../../db/agents/modelSettings.ts';
import type { ActionAnswer } from '../../db/runs/waiting/actions.ts';
import { numberIn } from '../body/sentQuery.ts';

/** What a run waits for, as texts: for clients that show no forms, and for answers that are written by hand. */

/** What an action asks. */
export function askedText(action: RequiredAction): string {
  const { type, question, message, schema } = action;
  switch (type) {
    case 'text':
      return question as string;
    case 'form':
      return `${question as string}\n\n${fieldLines(schema).join('\n')}`;
    case 'tool_approval':
      return approvalText(action);
    case 'raise_limit':
      return 'The run has reached its limit, and needs a higher one.';
    case 'plugin_secret':
    case 'plugin_sign_in':
      return message as string;
    default:
      return type satisfies never;
  }
}

function approvalText({ name, arguments: args, maximum_cost_usd: most, expected_cost_usd: expected }: RequiredAction) {
  const cost = [
    ...(typeof expected === 'number' ? [`It costs about ${expected} US dollars.`] : []),
    ...(typeof most === 'number' && most !== expected ? [`It costs at most ${most} US dollars.`] : []),
  ];
  return [`The agent asks to use ${String(name)} with ${JSON.stringify(args)}.`, ...cost].join(' ');
}

function fieldLines(schema: unknown): string[] {
  const { properties, required = [] } = schema as { properties: Record<string, Field>; required?: string[] };
  return Object.entries(properties).map(([name, field]) => {
    const choices = choicesOf(field);
    const about = [field.title ?? name, ...(choices ? [`(${choices.join(', ')})`] : [])].join(' ');
    return `- ${name}: ${about}${required.includes(name) ? '' : ', optional'}`;
  });
}

interface Field {
  type: string;
  title?: string;
  enum?: string[];
  oneOf?: { const: string }[];
  items?: { enum?: string[]; anyOf?: { const: string }[] };
}

const choicesOf = ({ enum: values, oneOf, items }: Field): string[] | undefined =>
  values ?? oneOf?.map((one) => one.const) ?? items?.enum ?? items?.anyOf?.map((one) => one.const);

const YES = /^(approved?|yes|ok|okay)\W*$/i;
const NO = /^(refused?|no|declined?)\W*$/i;
const [TRUE, FALSE] = [/^true\W*$/i, /^false\W*$/i];

/** The answer that a text gives to an action. Any text but a plain yes refuses a tool's call, and is the reason. */
export function answerOfText({ type, schema, step_id: id }: RequiredAction, text: string): ActionAnswer {
  const named = { step_id: id as string };
  if (type === 'form') return { type, ...named, data: dataOfText(schema, text) };
  if (type !== 'tool_approval') return { type: 'text', ...named, text };
  const said = text.trim();
  if (YES.test(said)) return { type, ...named, decision: 'approve' };
  return { type, ...named, decision: 'refuse', ...(!NO.test(said) && { reason: storableBeginning(said, 2_000) }) };
}

/** The data in a text: JSON, or the value of a form's only field. */
function dataOfText(schema: unknown, text: string): Record<string, unknown> {
  const data = dataIn(text);
  if (isObject(data)) return data;
  const [field, ...others] = Object.entries((schema as { properties: Record<string, Field> }).properties);
  // Without a value the answer is refused, and names the fields.
  return others.length > 0 ? {} : { [field![0]]: valueOf(field![1], text.trim()) };
}

function valueOf({ type }: Field, text: string): unknown {
  if (type === 'number' || type === 'integer') return numberIn(text);
  if (type === 'boolean') return truthIn(text);
  return type === 'array' ? text.split(',').map((one) => one.trim()) : text;
}

/** Other text stays unchanged, and the schema refuses it. */
function truthIn(text: string): boolean | string {
  if (YES.test(text) || TRUE.test(text)) return true;
  return NO.test(text) || FALSE.test(text) ? false : text;
}
