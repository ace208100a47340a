import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Model } from '../../../db/catalog/catalog.ts';
import { escapeHtml } from '../../../base/web.ts';
import { RETENTION_DAYS } from '../../../base/limits.ts';
import { API_VERSION } from '../../http/flatResponse.ts';
import type { DocumentedRoute } from '../../http/documentedRoute.ts';
import { buildOpenApi } from '../openapi/openapi.ts';
import type { OpenApiDocument } from '../openapi/schemas.ts';
import { guidesOf } from './guides.ts';
import { prose, PAGE_STYLE, type Guide } from './html.ts';
import { type InstalledLimits, limitsOf } from './limits.ts';
import { pricesSection } from './prices.ts';
import { quickStartOf, type Snippet } from './quickStart.ts';
import { errorTable, link, operationsOf, schemaSection, tagSection, type Shown } from './reference.ts';

/** What the page shows beside the document: models, prices and this installation's limits. */
export interface Installation extends InstalledLimits {
  models: readonly Model[];
  /** Of the engines of this machine, where the installation has them. */
  thirdParties?: readonly ThirdParty[];
}

/** Path of the page's script. It is a separate file because the policy allows no inline script. */
export const SCRIPT_PATH = '/docs/search.js';

/**
 * The interface as an HTML page, rendered from the document. It is readable without its script, which adds search and copy buttons. Send it
 * with its policy, which allows only its own style and script.
 */
export function renderDocsPage(
  document: OpenApiDocument,
  installation: Installation,
): { html: string; contentSecurityPolicy: string } {
  const operations = operationsOf(document);
  const guides = guidesOf(installation.models.find(({ kind }) => kind === 'text')?.id ?? 'MODEL');
  const { title } = document.info;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><style>${PAGE_STYLE}</style>
<script src="${SCRIPT_PATH}" defer></script></head><body>
<a class="skip" href="#top">Skip to the content</a>
${navigation(document, operations, guides)}
<main id="top">${introduction(document)}
${quickStart(document.servers[0]!.url, installation.models)}
${authentication(document)}
<section id="prices"><h2>Prices</h2><p>What the catalogue of this installation sells now. Agents have prices of their own: <code>GET /v1/agents</code> lists them.</p>
${pricesSection(installation.models)}</section>
<section id="engines"><h2>Embedded engines</h2>${enginesSection(installation.thirdParties)}</section>
<section id="limits"><h2>Limits</h2>${limits(installation)}</section>
<section id="errors"><h2>Errors</h2><p>Every error has one form: a sentence for humans, the parameter at fault, and a stable code for programs.</p>
<pre>${escapeHtml(JSON.stringify(ERROR_EXAMPLE, null, 2))}</pre>${errorTable(document)}</section>
<h2 id="data-policy">What happens with data</h2><p>${DATA_POLICY}</p>
<h2>Guides</h2>${guides.map(guideSection).join('\n')}
${document.tags.map(({ name }) => tagSection(name, operations, document)).join('\n')}
<h2 id="schemas">Schemas</h2>${Object.entries(document.components.schemas).map(schemaSection).join('\n')}
</main></body></html>
`;
  const styleHash = createHash('sha256').update(PAGE_STYLE).digest('base64');
  const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html, contentSecurityPolicy };
}

const ERROR_EXAMPLE = {
  error: {
    message:
      "Invalid 'messages': array too short. Expected an array with minimum length 1, but got an array with length 0 instead.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'empty_array',
  },
};

function navigation({ info, tags, components }: OpenApiDocument, operations: Shown[], guides: Guide[]): string {
  const groups = tags.map(({ name }) => {
    const links = operations
      .filter(({ tags }) => tags.includes(name))
      .map(({ operationId, summary }) => link(operationId, summary));
    return navigationGroup(name, links);
  });
  const start = [
    link('quick-start', 'Quick start'),
    link('authentication', 'Authentication'),
    link('prices', 'Prices'),
    link('engines', 'Embedded engines'),
    link('limits', 'Limits'),
    link('errors', 'Errors'),
    link('data-policy', 'Data policy'),
  ];
  const schemas = Object.keys(components.schemas).map((name) => link(`schema-${name}`, name));
  return `<nav aria-label="Documentation"><p class="brand"><a href="/">Ledgerline</a> <a href="#top">${escapeHtml(info.title.replace('Ledgerline ', ''))}</a></p>
<div id="search"></div><div id="contents">${navigationGroup('Start', start)}
${navigationGroup(
  'Guides',
  guides.map(({ id, title }) => link(id, title)),
)}${groups.join('')}
<details><summary>Schemas</summary>${schemas.join('')}</details></div></nav>`;
}

const navigationGroup = (name: string, links: string[]): string =>
  `<strong>${escapeHtml(name)}</strong>${links.join('')}`;

function introduction({ info, servers }: OpenApiDocument): string {
  return `<h1>${escapeHtml(info.title)}</h1>
<p>Version ${escapeHtml(info.version)} · <code>${escapeHtml(servers[0]!.url)}</code> · <a href="/openapi.json">openapi.json</a></p>
<p>${prose(info.description)}</p>`;
}

function authentication({ components }: OpenApiDocument): string {
  const schemes = Object.values(components.securitySchemes) as { description: string }[];
  const ways = schemes.map(({ description }) => `<li><code>${escapeHtml(description)}</code></li>`);
  return `<h2 id="authentication">Authentication</h2><p>Send your API key in any one of these headers.</p><ul>${ways.join('')}</ul>`;
}

// The data policy of an agent links here.
const DATA_POLICY =
  'Text, sound and files serve the call they were sent with and are not used for training. The events, input and output of a run are kept ' +
  `for ${RETENTION_DAYS} days; files and sessions until you delete them or they expire; what a call was and what it cost, without its content, for good.`;

function quickStart(baseUrl: string, models: readonly Model[]): string {
  const environment = `export BASE_URL=${baseUrl.replace(/\/$/, '')}\nexport API_KEY=sk_live_…`;
  return `<section id="quick-start"><h2>Quick start</h2><p>Make a key in the <a href="/keys">console</a>, put it into the environment, and paste the program for your client.</p>
<pre>${escapeHtml(environment)}</pre><div class="tabs">${quickStartOf(models).map(snippetSection).join('')}</div></section>`;
}

const snippetSection = ({ id, client, install, code }: Snippet): string =>
  `<section id="quick-start-${id}"><h3>${escapeHtml(client)}</h3>${install ? `<pre>${escapeHtml(install)}</pre>` : ''}<pre>${escapeHtml(code)}</pre></section>`;

function limits(installation: InstalledLimits): string {
  const rows = limitsOf(installation).map(
    ([name, value]) => `<tr><th scope="row">${prose(name)}</th><td>${prose(value)}</td></tr>`,
  );
  return `<table><tbody>${rows.join('')}</tbody></table>`;
}

const guideSection = ({ id, title, parts }: Guide): string =>
  `<section class="guide" id="${id}"><h3>${escapeHtml(title)}</h3>${parts.map(guidePart).join('')}</section>`;

function guidePart(part: Guide['parts'][number]): string {
  if (typeof part === 'string') return `<p>${prose(part)}</p>`;
  if ('code' in part) return `<pre>${escapeHtml(part.code)}</pre>`;
  const head = part.head.map((name) => `<th scope="col">${prose(name)}</th>`).join('');
  const rows = part.rows.map((cells) => `<tr>${cells.map((cell) => `<td>${prose(cell)}</td>`).join('')}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** What the service sends: the document for programs, and the page with its policy and script. */
export interface WrittenDocs {
  document: string;
  html: string;
  script: string;
  contentSecurityPolicy: string;
}

/** Documents a route table that is served at `baseUrl`. */
export function writeDocs(
  routes: readonly DocumentedRoute[],
  { baseUrl, ...installation }: Installation & { baseUrl: string },
): WrittenDocs {
  const document = buildOpenApi(routes, { version: API_VERSION, baseUrl });
  const script = readFileSync(new URL('search.js', import.meta.url), 'utf8');
  return { document: JSON.stringify(document), script, ...renderDocsPage(document, installation) };
}

/** The embedded engines with their makers and licences: models, voices, and what computes them. */
export function enginesSection(thirdParties: readonly ThirdParty[] = []): string {
  const rows = thirdParties.map(
    ({ name, version, licence, by }) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(version)}</td><td>${escapeHtml(licence)}</td><td>${escapeHtml(by)}</td></tr>`,
  );
  return `<p>Models that run on the service's own machine are computed by these. <code>GET /v1/models</code> names the engine that answers now as <code>engine</code>.</p>
<table class="engines"><thead><tr><th scope="col">Engine or part</th><th scope="col">Version</th><th scope="col">Licence</th><th scope="col">By</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
