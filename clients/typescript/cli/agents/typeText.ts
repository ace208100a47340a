/** A JSON Schema of the part that agents use: draft 2020-12 without recursion and regular expressions. */
export type JsonSchema = Record<string, unknown>;

interface Place {
  definitions: Record<string, JsonSchema>;
  indent: string;
}

/** The TypeScript type of the data that fit a schema, with JSDoc from its descriptions. */
export function typeText(schema: JsonSchema): string {
  const definitions = { ...(schema.definitions as Place['definitions']), ...(schema.$defs as Place['definitions']) };
  return typeOf(schema, { definitions, indent: '' });
}

function typeOf(schema: JsonSchema, place: Place): string {
  const { $ref: ref, enum: values, anyOf, oneOf, allOf } = schema;
  if (typeof ref === 'string') return typeOf(place.definitions[ref.split('/').at(-1)!] ?? {}, place);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(values))
    return join(
      values.map((value) => JSON.stringify(value)),
      ' | ',
    );
  const choices = [anyOf, oneOf].filter(Array.isArray).map((all) => join(typesOf(all as JsonSchema[], place), ' | '));
  const own = 'type' in schema || 'properties' in schema ? [ownType(schema, place)] : [];
  const all = [...own, ...choices, ...(Array.isArray(allOf) ? typesOf(allOf as JsonSchema[], place) : [])];
  return all.length > 0 ? join(all, ' & ') : 'unknown';
}

const typesOf = (schemas: JsonSchema[], place: Place): string[] => schemas.map((one) => typeOf(one, place));

/** Several types as one; a union in an intersection needs brackets. */
function join(types: string[], by: ' | ' | ' & '): string {
  const different = [...new Set(types)];
  if (different.length === 1) return different[0]!;
  return different.map((type) => (by === ' & ' && isUnion(type) ? `(${type})` : type)).join(by);
}

const isUnion = (type: string): boolean => / [|] /.test(type.replace(/\{[^]*\}/, ''));

function ownType(schema: JsonSchema, place: Place): string {
  const names = [schema.type ?? 'object'].flat() as string[];
  return join(
    names.map((name) => namedType(name, schema, place)),
    ' | ',
  );
}

function namedType(name: string, schema: JsonSchema, place: Place): string {
  switch (name) {
    case 'object':
      return objectText(schema, place);
    case 'array': {
      const one = schema.items ? typeOf(schema.items as JsonSchema, place) : 'unknown';
      return isUnion(one) || one.includes(' & ') ? `(${one})[]` : `${one}[]`;
    }
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return name;
    default:
      // No text of a server becomes code.
      return 'unknown';
  }
}

/** Members that the schema does not name are left out of the type, unless it allows them on purpose. */
function objectText({ properties = {}, required = [], additionalProperties: more }: JsonSchema, place: Place): string {
  const inner = { ...place, indent: `${place.indent}  ` };
  const members = Object.entries(properties as Record<string, JsonSchema>);
  if (members.length === 0)
    return `Record<string, ${more && more !== true ? typeOf(more as JsonSchema, place) : more === false ? 'never' : 'unknown'}>`;
  const lines = members.map(([name, schema]) => {
    const mark = (required as string[]).includes(name) ? '' : '?';
    return `${docText(notesOf(schema, place), inner.indent)}${inner.indent}${memberName(name)}${mark}: ${typeOf(schema, inner)};\n`;
  });
  if (more) lines.push(`${inner.indent}[name: string]: unknown;\n`);
  return `{\n${lines.join('')}${place.indent}}`;
}

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const LIMITS = {
  minimum: 'at least',
  exclusiveMinimum: 'more than',
  maximum: 'at most',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  minItems: 'items at least',
  maxItems: 'items at most',
} as const;

/** What a type cannot say: the description, limits, the format and the default. */
function notesOf(schema: JsonSchema, place: Place): string[] {
  const { $ref: ref, description, title, default: fallback, format, deprecated } = schema;
  const named = typeof ref === 'string' ? notesOf(place.definitions[ref.split('/').at(-1)!] ?? {}, place) : [];
  const text = description ?? title;
  const limits = Object.entries(LIMITS).flatMap(([name, words]) =>
    typeof schema[name] === 'number'
      ? [/(Length|Items)$/.test(name) ? `${schema[name]} ${words}` : `${words} ${schema[name]}`]
      : [],
  );
  const rules = [...(typeof format === 'string' ? [format] : []), ...limits].join(', ');
  return [
    ...(typeof text === 'string' ? text.split(/\r?\n/) : named),
    ...(rules ? [`${rules[0]!.toUpperCase()}${rules.slice(1)}.`] : []),
    ...(fallback === undefined ? [] : [`@default ${JSON.stringify(fallback)}`]),
    ...(deprecated === true ? ['@deprecated'] : []),
  ];
}

/** A comment. No text of a publisher can end it and become code. */
export function docText(lines: string[], indent = ''): string {
  const safe = lines.map((line) =>
    line
      .replaceAll('*/', '*\\/')
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .trimEnd(),
  );
  if (safe.length === 0) return '';
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} *${line && ` ${line}`}\n`).join('')}${indent} */\n`;
}
