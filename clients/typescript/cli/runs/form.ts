import { askChoice, askMany, askText, askYesNo } from '../terminal/prompts.ts';

/** The schema of a form: a flat object, as in MCP's elicitation. */
export interface FormSchema {
  properties?: Record<string, Field>;
  required?: string[];
}

interface Choice {
  const: string;
  title?: string;
}

interface Field {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  enumNames?: string[];
  oneOf?: Choice[];
  items?: { enum?: string[]; anyOf?: Choice[] };
  minItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** Asks for each field. Fields that may be left out and were are not in the data. */
export async function askForm({ properties = {}, required = [] }: FormSchema, signal: AbortSignal) {
  const data: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) {
    const value = await askField(name, field, { isRequired: required.includes(name), signal });
    if (value !== undefined) data[name] = value;
  }
  return data;
}

interface Asking {
  isRequired: boolean;
  signal: AbortSignal;
}

async function askField(name: string, field: Field, asking: Asking): Promise<unknown> {
  const { isRequired, signal } = asking;
  const title = field.title ?? name;
  const message = `${title}${field.description ? `: ${field.description}` : ''}${isRequired ? '' : ' (optional)'}`;
  const choices = choicesOf(field);
  if (field.type === 'boolean') return askYesNo({ message, initialValue: field.default === true }, signal);
  if (field.type === 'array') {
    const picked = await askMany(
      { message, choices, initialValues: (field.default as string[]) ?? [], isRequired },
      signal,
    );
    return picked.length > 0 || isRequired ? picked : undefined;
  }
  if (choices.length > 0) {
    const none = isRequired ? [] : [{ value: '', label: 'none' }];
    const picked = await askChoice(
      { message, choices: [...choices, ...none], initialValue: textOf(field.default) },
      signal,
    );
    return picked === '' && !isRequired ? undefined : picked;
  }
  return askTyped(message, field, asking);
}

async function askTyped(message: string, field: Field, { isRequired, signal }: Asking): Promise<unknown> {
  const initialValue = textOf(field.default);
  const validate = (text: string) => whyNot(text, field, isRequired);
  const text = await askText({ message, ...(initialValue !== undefined && { initialValue }), validate, signal });
  if (text === '' && !isRequired) return undefined;
  return isNumber(field) ? Number(text) : text;
}

const isNumber = ({ type }: Field): boolean => type === 'number' || type === 'integer';
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

function choicesOf({ enum: values, enumNames, oneOf, items }: Field): { value: string; label: string }[] {
  const titled = oneOf ?? items?.anyOf;
  if (titled) return titled.map(({ const: value, title }) => ({ value, label: title ?? value }));
  return (values ?? items?.enum ?? []).map((value, at) => ({ value, label: enumNames?.[at] ?? value }));
}

/** What is wrong with a typed value. The service checks the rest, such as formats. */
function whyNot(text: string, field: Field, isRequired: boolean): string | undefined {
  if (text === '') return isRequired ? 'This is needed.' : undefined;
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity, pattern } = field;
  if (!isNumber(field)) {
    if (text.length < minLength) return `It has at least ${minLength} characters.`;
    if (text.length > maxLength) return `It has at most ${maxLength} characters.`;
    return pattern === undefined || new RegExp(pattern, 'u').test(text) ? undefined : `It fits ${pattern}.`;
  }
  const value = Number(text);
  if (!Number.isFinite(value) || (field.type === 'integer' && !Number.isInteger(value)))
    return `It is ${field.type === 'integer' ? 'a whole number' : 'a number'}.`;
  if (value < minimum) return `It is at least ${minimum}.`;
  return value > maximum ? `It is at most ${maximum}.` : undefined;
}
