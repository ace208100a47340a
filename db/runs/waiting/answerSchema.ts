import { faultOfSchema, faultsOfData, type JsonSchema, type SchemaFault } from '../../../base/jsonSchema.ts';
import { isObject } from '../../../base/json.ts';

/** The one field of a form that was ordered as a list of choices or as a single field. */
export const SINGLE_FIELD = 'answer';

const FIELDS_MAX = 32;
const FIELD_NOTES = ['type', 'title', 'description', 'default'];
const FORM_KEYWORDS = ['$schema', 'type', 'title', 'description', 'properties', 'required', 'additionalProperties'];
const NUMBER_KEYWORDS = ['minimum', 'maximum'];
const KEYWORDS: Record<string, string[]> = {
  string: ['minLength', 'maxLength', 'format', 'enum', 'enumNames', 'oneOf'],
  number: NUMBER_KEYWORDS,
  integer: NUMBER_KEYWORDS,
  boolean: [],
  array: ['minItems', 'maxItems', 'uniqueItems', 'items'],
};
const FORMATS = ['email', 'uri', 'date', 'date-time'];

/**
 * Why a schema cannot be the form of an answer; undefined when it can. Forms are what MCP's elicitation allows: one flat object with
 * fields for texts, numbers, yes or no, one choice or several choices.
 */
export function faultOfForm(schema: JsonSchema): string | undefined {
  const { properties, type } = schema;
  if (type !== 'object' || !isObject(properties)) return 'schema: must be an object with properties';
  const other = Object.keys(schema).find((name) => !FORM_KEYWORDS.includes(name));
  if (other !== undefined) return `schema.${other}: is not allowed, a form is one flat object`;
  const fields = Object.entries(properties);
  if (fields.length === 0 || fields.length > FIELDS_MAX)
    return `schema.properties: must have 1 to ${FIELDS_MAX} fields`;
  for (const [name, field] of fields) {
    const fault = faultOfField(field);
    if (fault) return `schema.properties.${name}: ${fault}`;
  }
  const found = faultOfSchema(checkable(schema));
  if (found) return `schema.${found.path.join('.')}: ${found.message}`;
  return faultOfDefaults(properties);
}

function faultOfField(field: unknown): string | undefined {
  if (!isObject(field)) return 'must be an object';
  const allowed = typeof field.type === 'string' && Object.hasOwn(KEYWORDS, field.type) ? KEYWORDS[field.type]! : null;
  if (!allowed) return `type must be one of ${Object.keys(KEYWORDS).join(', ')}`;
  const other = Object.keys(field).find((name) => ![...allowed, ...FIELD_NOTES].includes(name));
  if (other !== undefined) return `${other} is not allowed`;
  if (field.format !== undefined && !FORMATS.includes(field.format as string))
    return `format must be one of ${FORMATS.join(', ')}`;
  if (field.oneOf !== undefined && !isChoices(field.oneOf)) return 'oneOf must list const and title';
  return field.type === 'array' ? faultOfItems(field.items) : undefined;
}

function faultOfItems(items: unknown): string | undefined {
  const fault = 'items must be texts with an enum, or anyOf with const and title';
  if (!isObject(items)) return fault;
  const { anyOf, enum: values, type, ...others } = items;
  if (Object.keys(others).length > 0) return fault;
  if (anyOf !== undefined) return isChoices(anyOf) ? undefined : fault;
  return type === 'string' && Array.isArray(values) ? undefined : fault;
}

const isChoices = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (one) => isObject(one) && typeof one.const === 'string' && ['string', 'undefined'].includes(typeof one.title),
  );

function faultOfDefaults(properties: JsonSchema): string | undefined {
  for (const [name, field] of Object.entries(properties)) {
    const { default: value, ...rest } = field as JsonSchema;
    if (value === undefined) continue;
    const form = { type: 'object', properties: { [name]: rest } };
    const [fault] = faultsOfAnswer(form, { [name]: value });
    if (fault) return `schema.properties.${name}.default: ${fault.message}`;
  }
  return undefined;
}

/** Why data does not answer a form; empty when it does. `path` leads from the data to the field. */
export function faultsOfAnswer(schema: JsonSchema, data: Record<string, unknown>): SchemaFault[] {
  const known = schema.properties as object;
  const unknown = Object.keys(data).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) return unknown.map((name) => ({ path: [name], message: 'The form has no such field' }));
  return faultsOfData(checkable(schema), data);
}

// Names of choices are only shown.
function checkable(schema: JsonSchema): JsonSchema {
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, field]) => {
    const { enumNames: _names, ...rest } = field;
    return [name, rest];
  });
  return { ...schema, properties: Object.fromEntries(fields) as JsonSchema };
}
