import { escapeHtml } from '../../../base/web.ts';
import type { OpenApiDocument, Operation } from '../openapi/schemas.ts';
import { prose } from './html.ts';
import type { Section } from './page.ts';
import { schemaTable, type Schema } from './schemaTable.ts';

/** An operation as the page shows it, with all paths that serve it. */
export interface Shown extends Operation {
  method: string;
  paths: string[];
}

/** Merges operations that differ only in their path; the further paths become aliases. */
export function operationsOf({ paths }: OpenApiDocument): Shown[] {
  const shown = new Map<string, Shown>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const key = `${method} ${operation.tags.join()} ${operation.summary}`;
      const known = shown.get(key);
      if (known === undefined) shown.set(key, { ...operation, method: method.toUpperCase(), paths: [path] });
      else known.paths.push(path);
    }
  }
  return [...shown.values()];
}

/** An operation with its request, its body and its answers. */
export function operationSection(operation: Shown, document: OpenApiDocument): Section {
  const { operationId, method, paths, summary, description } = operation;
  const places = paths.map(
    (path) =>
      `<p class="path"><code><span class="method ${method.toLowerCase()}">${method}</span>${escapeHtml(path)}</code></p>`,
  );
  const html = `<h2>${escapeHtml(summary)}</h2>${places.join('')}
${description === undefined ? '' : `<p>${prose(description)}</p>`}
${example(operation, document)}${parameters('Parameters', operation)}${parameters('Headers', operation)}${body(operation)}${answers(operation)}`;
  return { id: operationId, title: summary, path: `${method} ${paths.join(' ')}`, frame: 'operation', html };
}

/** An example request that works when pasted, once the key is set. */
function example(
  { method, paths, parameters = [], requestBody, security }: Shown,
  { servers }: OpenApiDocument,
): string {
  const required = parameters.filter((one) => one.required);
  const query = new URLSearchParams(
    Object.fromEntries(
      required.filter((one) => one.in === 'query').map(({ name, schema }) => [name, exampleOf(schema)]),
    ),
  );
  const url = `${servers[0]!.url.replace(/\/$/, '')}${paths[0]}`;
  // A shell takes a question mark for a pattern.
  const lines = [query.size === 0 ? `curl ${url}` : `curl '${url}?${query.toString()}'`];
  // Of itself curl sends a POST with a body, and a GET without one.
  if (method !== (requestBody ? 'POST' : 'GET')) lines.push(`-X ${method}`);
  if (security === undefined) lines.push('-H "Authorization: Bearer $API_KEY"');
  for (const { name, schema } of required.filter((one) => one.in === 'header'))
    lines.push(`-H '${name}: ${exampleOf(schema)}'`);
  const form = requestBody?.content['multipart/form-data']?.example as Record<string, string> | undefined;
  const sent = form ? undefined : requestBody?.content['application/json']?.example;
  for (const [name, value] of Object.entries(form ?? {})) lines.push(`-F ${name}=${value}`);
  if (sent !== undefined)
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(sent).replaceAll("'", String.raw`'\''`)}'`);
  return `<pre>${escapeHtml(lines.join(' \\\n  '))}</pre>`;
}

const exampleOf = ({ examples }: Schema): string => (examples as string[])[0]!;

function parameters(heading: 'Parameters' | 'Headers', { parameters = [] }: Shown): string {
  const shown = parameters.filter(({ in: place }) => (place === 'header') === (heading === 'Headers'));
  if (shown.length === 0) return '';
  const properties = Object.fromEntries(shown.map(({ name, schema }) => [name, schema]));
  const required = shown.filter((parameter) => parameter.required).map(({ name }) => name);
  return `<h3>${heading}</h3>${schemaTable({ properties, required })}`;
}

function body({ requestBody }: Shown): string {
  const types = Object.entries(requestBody?.content ?? {});
  return types
    .map(([type, { schema }]) => `<h3>Body</h3><p>${schemaLink(schema)} <small>${escapeHtml(type)}</small></p>`)
    .join('');
}

interface Answer {
  content?: Record<string, { schema: Schema; example?: unknown }>;
  headers?: Record<string, { $ref?: string; description?: string }>;
}

const BARE: Record<string, string> = { binary: 'The bytes', text: 'Text' };

/** The answer's media types and headers, and the errors by status. */
function answers({ responses }: Shown): string {
  const good = Object.keys(responses).filter((status) => !/^[45]/.test(status));
  // A route that always refuses has no success answer.
  const { content = {}, headers = {} } = (responses[good[0] ?? ''] ?? {}) as Answer;
  const forms = Object.entries(content).map(
    ([type, { schema }]) =>
      `${schema.$ref ? schemaLink(schema) : BARE[schema.format ?? 'text']} <small>${escapeHtml(type)}</small>`,
  );
  // Headers that every answer has are described once.
  const own = Object.entries(headers).filter(([, { $ref }]) => $ref === undefined);
  const ownHeaders = own.map(
    ([name, { description = '' }]) => `<li><code>${escapeHtml(name)}</code> ${prose(description)}</li>`,
  );
  const refusals = Object.keys(responses).filter((status) => !good.includes(status));
  const links = refusals.map((status) => `<a href="#error-${status}">${status}</a>`);
  return `<h3>Answer</h3><p>${forms.join(' or ')}</p>${exampleAnswer(content)}${ownHeaders.length > 0 ? `<ul>${ownHeaders.join('')}</ul>` : ''}<p>Errors: ${links.join(', ')}</p>`;
}

function exampleAnswer(content: NonNullable<Answer['content']>): string {
  const { example } = content['application/json'] ?? {};
  if (example === undefined) return '';
  return `<details><summary>Example answer</summary><pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre></details>`;
}

function schemaLink({ $ref }: Schema): string {
  const name = $ref?.split('/').at(-1) ?? '';
  return link(`schema-${name}`, name);
}

/** The meaning of each status, and whether a retry can help. Operations link to it. */
export function errorTable({ components }: OpenApiDocument): string {
  const rows = Object.entries(components.responses).map(([name, { description }]) => {
    const status = name.replace('Error', '');
    return (
      `<tr id="error-${status}"><th ` +
      `scope="row"><code>${status}</code></th><td>${prose(String(description))}</td><td>${RETRIES[status] ?? 'No'}</td></tr>`
    );
  });
  return (
    '<table class="errors"><thead><tr><th scope="col">Status</th><th scope="col">Meaning and codes</th><th ' +
    `scope="col">Send again?</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  );
}

const RETRIES: Record<string, string> = {
  409: 'Only with <code>x-should-retry: true</code>',
  429: 'After <code>retry-after</code>',
  500: 'Later',
  502: 'Later',
  503: 'After <code>retry-after</code>',
  504: 'Later',
};

/** A schema by its name. */
export function schemaSection([name, schema]: [string, Schema]): Section {
  const about = schema.description === undefined ? '' : `<p>${prose(schema.description)}</p>`;
  return {
    id: `schema-${name}`,
    title: name,
    frame: 'schema',
    html: `<h2>${escapeHtml(name)}</h2>${about}${schemaTable(schema)}`,
  };
}

/** A link to a part of the documentation: the assembly of the pages adds its page's address. */
const link = (id: string, text: string) => `<a href="#${escapeHtml(id)}">${escapeHtml(text)}</a>`;
