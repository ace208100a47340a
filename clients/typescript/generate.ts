import openapiTypes, { astToString } from 'openapi-typescript';

type Json = Record<string, unknown>;

/** The types of an OpenAPI document, as the text of a module. */
export async function typesOf(document: object): Promise<string> {
  // In the document optional fields of answers with a default are optional: a reader must be ready for that too.
  const options = { defaultNonNullable: false, alphabetize: false };
  const tree = await openapiTypes(needed(document as Json) as never, options);
  return `// Written by clients/generate.ts from the route table.\n${astToString(tree)}`;
}

/**
 * The document without what no type needs: examples, headers of answers, other members that may only be null, and schemas that no path leads
 * to.
 */
function needed(document: Json): Json {
  const components = document.components as Record<string, Json>;
  const paths = withoutNotes(document.paths) as Json;
  const kept = new Set<string>();
  const keep = (part: unknown) => {
    for (const [, ref = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+\/[^"]+)"/g)) {
      if (kept.has(ref)) continue;
      kept.add(ref);
      const [group = '', name = ''] = ref.split('/');
      keep(components[group]?.[name]);
    }
  };
  keep(paths);
  const groups = Object.entries(components).map(([group, parts]) => [
    group,
    Object.fromEntries(Object.entries(withoutNotes(parts) as Json).filter(([name]) => kept.has(`${group}/${name}`))),
  ]);
  return { ...document, paths, components: Object.fromEntries(groups) as Json };
}

/**
 * Within schemas `examples` is a list and `properties` may have members of any name; elsewhere these are notes. Where other members may only
 * be null, a type would ask that of all members.
 */
function withoutNotes(part: unknown, within = ''): unknown {
  if (Array.isArray(part)) return part.map((one) => withoutNotes(one));
  if (typeof part !== 'object' || part === null) return part;
  const isNote = (name: string, value: unknown) =>
    within !== 'properties' &&
    (name === 'example' ||
      name === 'examples' ||
      (name === 'headers' && 'description' in part) ||
      (name === 'additionalProperties' && isNull(value)));
  const entries = Object.entries(part).filter(([name, value]) => !isNote(name, value));
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutNotes(value, name)]));
}

const isNull = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null';
