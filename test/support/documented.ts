import { z } from 'zod';
import type { OpenApiDocument } from '../../api/docs/openapi/schemas.ts';

type Json = Record<string, unknown>;

/** A response of the document, its reference resolved. */
interface Described {
  headers?: Json;
  content?: Record<string, { schema: Json }>;
}

// Headers of HTTP itself or for proxies.
const PLAIN_HEADERS = new Set(
  ['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'].concat([
    'vary',
    'x-accel-buffering',
    'x-content-type-options',
  ]),
);

/**
 * Compares actual answers with the OpenAPI document. Returns the differences: an undocumented status, header, media type or member, and a
 * documented one that is missing or of another type.
 */
export function createComparison(document: OpenApiDocument) {
  const schemas = JSON.parse(JSON.stringify(document.components.schemas).replaceAll(SCHEMAS, '#/$defs/')) as Json;
  close(schemas);

  async function differences(method: string, path: string, response: Response): Promise<string[]> {
    const text = await response.clone().text();
    const template = templateOf(document, method, path);
    const declared = document.paths[template]![method.toLowerCase()]!.responses[response.status];
    const place = `${method} ${template} ${response.status}`;
    if (!declared) return [`${place} is not documented: ${text.slice(0, 200)}`];
    const described = resolve(document, declared);
    return [...headersBeside(described, response), ...contentBeside(described, response, text)].map(
      (difference) => `${place}: ${difference}`,
    );
  }

  function headersBeside({ headers = {} }: Described, response: Response): string[] {
    const known = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    return [...response.headers.keys()]
      .filter((name) => !known.has(name) && !PLAIN_HEADERS.has(name))
      .map((name) => `the header ${name} is not documented`);
  }

  function contentBeside({ content = {} }: Described, response: Response, text: string): string[] {
    if (text === '') return Object.keys(content).length === 0 ? [] : ['the body is missing'];
    const type = response.headers.get('content-type')!.split(';')[0]!;
    const form = content[type] ?? content['*/*'];
    if (!form) return [`the media type ${type} is not documented`];
    if (!content[type]) return [];
    return valuesIn(type, text).flatMap((value) => beside(form.schema, value));
  }

  function beside(schema: Json, value: unknown): string[] {
    const named = JSON.parse(JSON.stringify(schema).replaceAll(SCHEMAS, '#/$defs/')) as Json;
    const parsed = z
      .fromJSONSchema({ ...named, $defs: schemas } as Parameters<typeof z.fromJSONSchema>[0])
      .safeParse(value);
    return (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  }

  return { differences };
}

const SCHEMAS = '#/components/schemas/';

// An undescribed member is a difference, unless the schema allows more members.
function close(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const object = schema as Json;
  if (object.type === 'object' && object.properties && object.additionalProperties === undefined)
    object.additionalProperties = false;
  for (const member of Object.values(object)) close(member);
}

function templateOf({ paths }: OpenApiDocument, method: string, path: string): string {
  const [pathname] = path.split('?');
  const fits = Object.keys(paths).filter(
    (template) =>
      method.toLowerCase() in paths[template]! &&
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname!),
  );
  const parameters = (template: string) => template.split('{').length;
  const [nearest] = fits.toSorted((one, other) => parameters(one) - parameters(other));
  if (nearest === undefined) throw new Error(`${method} ${path} is not documented`);
  return nearest;
}

function resolve(document: OpenApiDocument, declared: Json): Described {
  const name = (declared.$ref as string | undefined)?.split('/').at(-1);
  return name === undefined ? declared : document.components.responses[name]!;
}

function valuesIn(type: string, text: string): unknown[] {
  if (type === 'text/event-stream')
    return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as unknown);
  if (type === 'application/jsonl')
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  return [type === 'application/json' ? (JSON.parse(text) as unknown) : text];
}
