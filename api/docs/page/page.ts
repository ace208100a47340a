import { createHash } from 'node:crypto';
import { RETENTION_DAYS } from '../../../base/limits.ts';
import { API_VERSION } from '../../http/flatResponse.ts';
import type { DocumentedRoute } from '../documentedRoute.ts';
import { buildOpenApi } from '../openapi/openapi.ts';
import type { OpenApiDocument, Operation } from '../openapi/schemas.ts';
import { escapeHtml } from '../../../base/web.ts';
import { prose, PAGE_STYLE } from './html.ts';
import { schemaTable, type Schema } from './schemaTable.ts';

/** One operation as the page shows it, under every path it is served at. */
interface Shown extends Operation {
  method: string;
  paths: string[];
}

/**
 * The interface as a page for people, rendered from the document alone: no script, and nothing loaded from anywhere.
 * It is to be sent with the policy that comes with it, which allows just its own style.
 */
export function renderDocsPage(document: OpenApiDocument): { html: string; contentSecurityPolicy: string } {
  const operations = operationsOf(document);
  const { title } = document.info;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${PAGE_STYLE}</style></head><body>
${navigation(document, operations)}
<main>${introduction(document)}
${document.tags.map(({ name }) => tagSection(name, operations, document)).join('\n')}
<h2 id="errors">Error codes</h2>${errors(document)}
<h2 id="schemas">Schemas</h2>${Object.entries(document.components.schemas).map(schemaSection).join('\n')}
</main></body></html>
`;
  const styleHash = createHash('sha256').update(PAGE_STYLE).digest('base64');
  const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html, contentSecurityPolicy };
}

/** Operations that differ only in their path are one operation with an alias. */
function operationsOf({ paths }: OpenApiDocument): Shown[] {
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

function navigation({ info, tags, components }: OpenApiDocument, operations: Shown[]): string {
  const groups = tags.map(({ name }) => {
    const links = operations
      .filter(({ tags }) => tags.includes(name))
      .map(({ operationId, summary }) => link(operationId, summary));
    return `<strong>${escapeHtml(name)}</strong>${links.join('')}`;
  });
  const schemas = Object.keys(components.schemas).map((name) => link(`schema-${name}`, name));
  return `<nav><a href="#top"><b>${escapeHtml(info.title)}</b></a>${groups.join('')}
<strong>Reference</strong>${link('errors', 'Error codes')}${schemas.join('')}</nav>`;
}

const link = (id: string, text: string) => `<a href="#${escapeHtml(id)}">${escapeHtml(text)}</a>`;

function introduction({ info, servers, components }: OpenApiDocument): string {
  const schemes = Object.values(components.securitySchemes) as { description: string }[];
  const ways = schemes.map(({ description }) => `<li><code>${escapeHtml(description)}</code></li>`);
  return `<h1 id="top">${escapeHtml(info.title)}</h1>
<p>Version ${escapeHtml(info.version)} · <code>${escapeHtml(servers[0]!.url)}</code> · <a href="/openapi.json">openapi.json</a></p>
<p>${prose(info.description)}</p>
<h4>Send your API key in any one of these headers</h4><ul>${ways.join('')}</ul>
<h4 id="data-policy">What happens with data</h4><p>${DATA_POLICY}</p>`;
}

// Where the data policy of an agent points.
const DATA_POLICY =
  'Text, sound and files serve the call they were sent with and are not used for training. The events, input and output of a run are kept ' +
  `for ${RETENTION_DAYS} days; files and sessions until you delete them or they expire; what a call was and what it cost, without its content, for good.`;

function tagSection(name: string, operations: Shown[], document: OpenApiDocument): string {
  const sections = operations
    .filter(({ tags }) => tags.includes(name))
    .map((shown) => operationSection(shown, document));
  return `<h2>${escapeHtml(name)}</h2>${sections.join('')}`;
}

function operationSection(operation: Shown, document: OpenApiDocument): string {
  const { operationId, method, paths, summary, description } = operation;
  const places = paths.map(
    (path) =>
      `<p class="path"><code><span class="method ${method.toLowerCase()}">${method}</span>${escapeHtml(path)}</code></p>`,
  );
  return `<section class="operation" id="${escapeHtml(operationId)}"><h3>${escapeHtml(summary)}</h3>${places.join('')}
${description === undefined ? '' : `<p>${prose(description)}</p>`}
${example(operation, document)}${parameters('Parameters', operation)}${parameters('Headers', operation)}${body(operation)}${answers(operation)}</section>`;
}

/** A request that works when pasted, but for the key. */
function example(
  { method, paths, parameters = [], requestBody, security }: Shown,
  { servers }: OpenApiDocument,
): string {
  const lines = [`curl ${servers[0]!.url.replace(/\/$/, '')}${paths[0]}`];
  if (method !== 'GET' && !requestBody) lines.push(`-X ${method}`);
  if (security === undefined) lines.push('-H "Authorization: Bearer $API_KEY"');
  for (const { name, schema } of parameters.filter((one) => one.in === 'header' && one.required))
    lines.push(`-H '${name}: ${(schema.examples as string[])[0]}'`);
  const form = requestBody?.content['multipart/form-data']?.example as Record<string, string> | undefined;
  const sent = form ? undefined : requestBody?.content['application/json']?.example;
  for (const [name, value] of Object.entries(form ?? {})) lines.push(`-F ${name}=${value}`);
  if (sent !== undefined)
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(sent).replaceAll("'", String.raw`'\''`)}'`);
  return `<pre>${escapeHtml(lines.join(' \\\n  '))}</pre>`;
}

function parameters(heading: 'Parameters' | 'Headers', { parameters = [] }: Shown): string {
  const shown = parameters.filter(({ in: place }) => (place === 'header') === (heading === 'Headers'));
  if (shown.length === 0) return '';
  const properties = Object.fromEntries(shown.map(({ name, schema }) => [name, schema]));
  const required = shown.filter((parameter) => parameter.required).map(({ name }) => name);
  return `<h4>${heading}</h4>${schemaTable({ properties, required })}`;
}

function body({ requestBody }: Shown): string {
  const types = Object.entries(requestBody?.content ?? {});
  return types
    .map(([type, { schema }]) => `<h4>Body</h4><p>${schemaLink(schema)} <small>${escapeHtml(type)}</small></p>`)
    .join('');
}

interface Answer {
  content?: Record<string, { schema: Schema }>;
  headers?: Record<string, { $ref?: string; description?: string }>;
}

const BARE: Record<string, string> = { binary: 'The bytes', text: 'Text' };

/** The answer's forms and headers, and the refusals by status. */
function answers({ responses }: Shown): string {
  const good = Object.keys(responses).filter((status) => !/^[45]/.test(status));
  const { content = {}, headers = {} } = responses[good[0]!] as Answer;
  const forms = Object.entries(content).map(
    ([type, { schema }]) =>
      `${schema.$ref ? schemaLink(schema) : BARE[schema.format ?? 'text']} <small>${escapeHtml(type)}</small>`,
  );
  // Those that every answer has are referred to.
  const own = Object.entries(headers).filter(([, { $ref }]) => $ref === undefined);
  const told = own.map(
    ([name, { description = '' }]) => `<li><code>${escapeHtml(name)}</code> ${prose(description)}</li>`,
  );
  const refusals = Object.keys(responses).filter((status) => !good.includes(status));
  const links = refusals.map((status) => `<a href="#error-${status}">${status}</a>`);
  return `<h4>Answer</h4><p>${forms.join(' or ')}</p>${told.length > 0 ? `<ul>${told.join('')}</ul>` : ''}<p>Errors: ${links.join(', ')}</p>`;
}

function schemaLink({ $ref }: Schema): string {
  const name = $ref?.split('/').at(-1) ?? '';
  return link(`schema-${name}`, name);
}

function errors({ components }: OpenApiDocument): string {
  const rows = Object.entries(components.responses).map(([name, { description }]) => {
    const status = name.replace('Error', '');
    return `<tr id="error-${status}"><th><code>${status}</code></th><td>${prose(String(description))}</td></tr>`;
  });
  return `<table>${rows.join('')}</table>`;
}

function schemaSection([name, schema]: [string, Schema]): string {
  const about = schema.description === undefined ? '' : `<p>${prose(schema.description)}</p>`;
  return `<section class="schema" id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${about}${schemaTable(schema)}</section>`;
}

/** The interface as it is sent: the document for programs, and the page for people with the policy that goes with it. */
export interface WrittenDocs {
  document: string;
  html: string;
  contentSecurityPolicy: string;
}

/** Describes a route table, as it is served at `baseUrl`. */
export function writeDocs(routes: readonly DocumentedRoute[], baseUrl: string): WrittenDocs {
  const document = buildOpenApi(routes, { version: API_VERSION, baseUrl });
  return { document: JSON.stringify(document), ...renderDocsPage(document) };
}
