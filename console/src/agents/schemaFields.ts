export interface SchemaField {
  name: string;
  kind: 'text' | 'long' | 'number' | 'boolean' | 'choice' | 'texts' | 'json';
  description: string | undefined;
  isRequired: boolean;
  options: string[];
}

interface Property {
  type?: unknown;
  enum?: unknown[];
  description?: unknown;
  maxLength?: unknown;
  items?: { type?: unknown; enum?: unknown };
}

const LONG_LENGTH = 200;

/** The members of an object's JSON schema as fields of a form, the required ones first. */
export function fieldsOf(schema: object): SchemaField[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Property>; required?: string[] };
  return Object.entries(properties)
    .map(([name, property]) => ({
      name,
      kind: kindOf(property),
      description: typeof property.description === 'string' ? property.description : undefined,
      isRequired: required.includes(name),
      options: optionsOf(property),
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
      return property.items?.type === 'string' && !property.items.enum ? 'texts' : 'json';
    default:
      return 'json';
  }
}

const optionsOf = ({ enum: values }: Property): string[] =>
  values?.every((value) => typeof value === 'string') ? values : [];

/** The object that a text of JSON holds. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
