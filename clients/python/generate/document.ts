/** A part of a JSON Schema. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  anyOf?: Schema[];
  const?: unknown;
  items?: Schema | boolean;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const REFERENCE = '#/components/schemas/';

/** The name of the component that a schema refers to. */
export const nameOf = (schema: Schema): string | undefined => schema.$ref?.slice(REFERENCE.length);

/** Lists whose filters have a type of their own. */
const FILTERED = { RunFilters: '/v1/runs', AgentFilters: '/v1/agents', FileFilters: '/v1/files' };

/**
 * The document as the generator of types takes it: only the schemas in use, a name of its own for each item of a list, and types for the
 * arguments of the methods that are written by hand: `RunOptions`, the fields of an order beside agent and input, and filters of lists.
 */
export function preparedDocument(document: Document): Document {
  const schemas = { ...document.components.schemas };
  for (const [name, schema] of Object.entries(schemas)) nameItems(schemas, name, schema);
  const added: Record<string, Schema> = {
    RunOptions: without(schemas.RunOrder!, ['agent', 'input', 'stream', 'include', 'on_disconnect']),
  };
  for (const [name, path] of Object.entries(FILTERED)) added[name] = filtersOf(document.paths[path]!.get!);
  Object.assign(schemas, added);
  const used = new Set(Object.keys(added));
  for (const schema of Object.values(added)) visit(schema, used, schemas);
  visit(document, used, schemas);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(kept) } };
}

function nameItems(schemas: Record<string, Schema>, name: string, schema: Schema): void {
  const [property, list] = listOf(schema) ?? [];
  if (!property || typeof list?.items !== 'object' || list.items.$ref || list.items.type !== 'object') return;
  const itemName = `${name}Item`;
  schemas[itemName] = list.items;
  const items = { $ref: `${REFERENCE}${itemName}` };
  schemas[name] = { ...schema, properties: { ...schema.properties, [property]: { ...list, items } } };
}

/** The first list among the properties of a page. */
export function listOf(schema: Schema): [name: string, list: Schema] | undefined {
  return Object.entries(schema.properties ?? {}).find(([, { type }]) => type === 'array');
}

function without(schema: Schema, names: string[]): Schema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function filtersOf({ parameters = [] }: Operation): Schema {
  const isFilter = (one: Parameter) => one.in === 'query' && !['cursor', 'after', 'format'].includes(one.name);
  const named = parameters.filter(isFilter).map(({ name, schema }) => [pythonName(name), schema]);
  return { type: 'object', properties: Object.fromEntries(named) as Record<string, Schema> };
}

const KEYWORDS = ['from', 'with', 'self', 'body'];

/** The name of a parameter in Python. */
export function pythonName(name: string): string {
  const words = name
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return KEYWORDS.includes(words) || name.endsWith('[]') ? `${words.replace(/_$/, '')}_` : words;
}

function visit(part: unknown, used: Set<string>, schemas: Record<string, Schema>): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    // The list of all schemas uses none of them.
    if (key === 'schemas') continue;
    const name = key === '$ref' && typeof value === 'string' ? nameOf({ $ref: value }) : undefined;
    if (name && schemas[name] && !used.has(name)) visit(schemas[name], used.add(name), schemas);
    visit(value, used, schemas);
  }
}
