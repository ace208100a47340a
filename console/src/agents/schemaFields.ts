import { isObject } from '../parts/isObject.ts';

export interface SchemaField {
  name: string;
  /** Its title, or its name. */
  label: string;
  kind: 'text' | 'long' | 'number' | 'boolean' | 'choice' | 'choices' | 'texts' | 'json';
  /** The kind of a text. */
  inputType: 'text' | 'email' | 'url' | 'date';
  description: string | undefined;
  isRequired: boolean;
  options: { value: string; label: string }[];
}

interface Property {
  type?: unknown;
  title?: unknown;
  enum?: unknown[];
  enumNames?: unknown[];
  oneOf?: unknown[];
  anyOf?: unknown[];
  description?: unknown;
  default?: unknown;
  format?: unknown;
  maxLength?: unknown;
  items?: Property;
}

const INPUT_TYPES: Record<string, SchemaField['inputType']> = { email: 'email', uri: 'url', date: 'date' };

const LONG_LENGTH = 200;

/** The members of an object's JSON schema as fields of a form, the required ones first. */
export function fieldsOf(schema: object): SchemaField[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Property>; required?: string[] };
  return Object.entries(properties)
    .map(([name, property]) => ({
      name,
      label: typeof property.title === 'string' ? property.title : name,
      kind: kindOf(property),
      inputType: INPUT_TYPES[String(property.format)] ?? 'text',
      description: typeof property.description === 'string' ? property.description : undefined,
      isRequired: required.includes(name),
      options: optionsOf(property.type === 'array' ? (property.items ?? {}) : property),
    }))
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function kindOf(property: Property): SchemaField['kind'] {
  if (optionsOf(property).length > 0) return 'choice';
  switch (property.type) {
    case 'string':
      return typeof property.maxLength === 'number' && property.maxLength > LONG_LENGTH ? 'long' : 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      if (optionsOf(property.items ?? {}).length > 0) return 'choices';
      return property.items?.type === 'string' && !property.items.enum ? 'texts' : 'json';
    default:
      return 'json';
  }
}

/** The values to choose from, with their names: of `enum`, or of `const` and `title`. */
function optionsOf({ enum: values, enumNames: names, oneOf, anyOf }: Property): SchemaField['options'] {
  if (values?.every((value) => typeof value === 'string'))
    return values.map((value, at) => ({ value, label: typeof names?.[at] === 'string' ? names[at] : value }));
  const titled = (oneOf ?? anyOf ?? []) as { const?: unknown; title?: unknown }[];
  if (!titled.every((one) => typeof one.const === 'string')) return [];
  return titled.map((one) => ({
    value: one.const as string,
    label: typeof one.title === 'string' ? one.title : (one.const as string),
  }));
}

/** The values that a form begins with: the defaults of its fields. */
export function defaultsOf(schema: object): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, Property> };
  const given = Object.entries(properties).filter(([, { default: value }]) => value !== undefined);
  return Object.fromEntries(given.map(([name, { default: value }]) => [name, value]));
}

/** The object that a text of JSON holds. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
