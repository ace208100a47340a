import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { MOVED } from '../../../api/docs/pages/moved.ts';
import { renderSite } from '../../../api/docs/pages/site.ts';
import { documentOf, routes } from '../../support/everyRoute.ts';
import { readCatalog } from '../../support/readCatalog.ts';
import { readText } from '../../support/sources.ts';
import { installation } from './textRoutes.ts';

const { models } = readCatalog('catalog.json', () => '');
const document = documentOf(routes);
interface Exampled {
  schema: { $ref?: string };
  example?: unknown;
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('the document of all routes', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone({ ...document }));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
  });

  test('leaves out its own routes, the return pages of payments, and WebSockets, which guides describe', () => {
    const isSocket = (path: string) => /\/(realtime|stream-input|multi-stream-input)$/.test(path);
    // The console's routes are documented with the routes for keys.
    const left = routes.filter(
      ({ doc, path }) => doc === undefined && !path.startsWith('/console/') && !isSocket(path),
    );
    expect(left.map(({ path }) => path)).toEqual([
      '/billing/done',
      '/billing/cancelled',
      '/openapi.json',
      '/schemas/agent.json',
      '/docs',
      '/docs/:page',
      '/docs/:section/:page',
    ]);
    expect(operations).toHaveLength(routes.filter(({ doc }) => doc !== undefined).length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test('lists the possible validation errors of every route with a body', () => {
    const bodies = operations.filter(({ requestBody }) => requestBody !== undefined);
    expect(bodies.length).toBeGreaterThan(40);
    for (const { responses } of bodies)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '413', '415']));
  });

  test.each([
    [
      'post',
      '/v1/publisher/agents/{agent_id}/submit-public',
      { 'If-Match': true, 'Idempotency-Key': false, 'x-test-review': false },
    ],
    ['patch', '/v1/publisher/agents/{agent_id}/draft', { 'If-Match': true }],
    ['post', '/v1/publisher/agents/{agent_id}/deploy-private', { 'If-Match': false, 'Idempotency-Key': false }],
    ['post', '/v1/runs', { 'Idempotency-Key': false, Prefer: false }],
    ['get', '/v1/runs/{run_id}', { 'If-None-Match': false }],
    ['get', '/v1/runs/{run_id}/events', { 'Last-Event-ID': false }],
    ['post', '/v1/runs/{run_id}/cancel', { 'Idempotency-Key': false }],
    ['post', '/v1/files', { 'Idempotency-Key': false }],
    ['get', '/v1/files/{file_id}/content', { Range: false, 'If-Range': false, 'If-None-Match': false }],
    ['post', '/console/v1/deployments/{deployment_id}/approve', { 'Idempotency-Key': false }],
  ])('has the headers that %s %s reads, and which are required', (method, path, headers) => {
    const { parameters = [] } = document.paths[path]![method]!;
    const named = parameters.filter((parameter) => parameter.in === 'header');
    expect(Object.fromEntries(named.map(({ name, required }) => [name, required]))).toEqual(headers);
  });

  test("documents the cost header exactly where a model's answer has it", () => {
    const promising = Object.entries(document.paths).filter(([, methods]) =>
      Object.values(methods).some(({ responses }) => JSON.stringify(responses).includes('x-cost-usd')),
    );
    const paths = promising.map(([path]) => path);
    expect(paths).toEqual(expect.arrayContaining(['/v1/chat/completions', '/voiceapi/v1/speech-to-text']));
    expect(paths).not.toContain('/v1/runs');
  });

  test('documents retry-after and the reached limit', () => {
    const { Error402, Error429, Error503 } = document.components.responses;
    for (const refusal of [Error429, Error503]) expect(refusal).toHaveProperty(['headers', 'retry-after']);
    expect(Error402).toHaveProperty(['headers', 'x-limit-source']);
  });
});

describe('the documented examples', () => {
  const answers = routes.flatMap(({ doc }) => (doc?.answer ? [doc.answer] : []));
  const examples = new Map(
    operations
      .flatMap(({ responses }) => Object.values(responses) as { content?: Record<string, Exampled> }[])
      .flatMap(({ content = {} }) => Object.values(content))
      .filter(({ example }) => example !== undefined)
      .map(({ schema, example }) => [schema.$ref!.split('/').at(-1)!, example]),
  );

  test('are all used', () => {
    const kept = JSON.parse(readText('api/docs/openapi/examples.json')) as object;
    expect([...examples.keys()].toSorted()).toEqual(Object.keys(kept).toSorted());
  });

  test.each([...examples])('match the schema: %s', (id, example) => {
    const { schema } = answers.find((answer) => answer.id === id)!;
    expect(schema.safeParse(example).error?.issues ?? []).toEqual([]);
  });
});

const { pages, missing, entries } = await renderSite(document, { ...installation, models });

describe('the pages of all routes', () => {
  const html = [...pages.values()].join('\n');
  const idsOf = (page: string) => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const places = new Map([...pages].map(([path, page]) => [path, idsOf(page)]));
  const isPlace = (address: string, from: string) => {
    const [path, id] = address.split('#') as [string, string | undefined];
    const place = places.get(path || from);
    return place !== undefined && (id === undefined || place.has(id));
  };

  test.each([...pages, ['404', missing] as const])(
    '%s: each link leads to a page, and to a place on it',
    (path, page) => {
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
      const inside = links.filter((link) => /^(#|\/docs(#|\/|$))/.test(link) && link !== '#top');
      expect(inside.length).toBeGreaterThan(40);
      expect(inside.filter((link) => !isPlace(link, path))).toEqual([]);
      expect([...page.matchAll(/ id="([^"]+)"/g)].length).toBe(idsOf(page).size);
    },
  );

  test('are each a fraction of the one page of earlier releases, which had 860 KB', () => {
    const sizes = [...pages.values()].map((page) => Buffer.byteLength(page));
    expect(Math.max(...sizes)).toBeLessThan(200_000);
    expect(pages.size).toBeGreaterThan(45);
  });

  test('are reached by the anchors of the one page of earlier releases', () => {
    expect(Object.values(MOVED).filter((address) => !isPlace(address, '/docs'))).toEqual([]);
    const ids = [
      ...operations.map(({ operationId }) => operationId),
      ...Object.keys(document.components.schemas).map((name) => `schema-${name}`),
      ...Object.keys(document.components.responses).map((name) => `error-${name.slice('Error'.length)}`),
    ];
    // Routes with several paths are one operation, under the first path's id.
    const lost = ids.filter((id) => html.includes(` id="${id}"`) && !entries.includes(`#${id}"`));
    expect(lost).toEqual([]);
  });

  test('are all found by the search', () => {
    for (const path of pages.keys()) if (path !== '/docs') expect(entries).toContain(`{"href":"${path}",`);
  });

  test('name only operations that exist', () => {
    const known = new Set(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      ),
    );
    const guides = [...pages].filter(([path]) => path.startsWith('/docs/guides/'));
    const named = guides.flatMap(([path, page]) =>
      [...page.matchAll(/<code>((?:GET|POST|PUT|PATCH|DELETE) \/[^<]*)<\/code>/g)].map(([, name]) => ({
        path,
        name: name!,
      })),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
  });

  test('show defaults of every type and the headers of answers', () => {
    const rowOf = (name: string) => {
      const start = html.indexOf(`<code>${name}</code>`, html.indexOf('id="schema-RunOrder"'));
      return html.slice(start, html.indexOf('</tr>', start));
    };
    expect(rowOf('on_limit')).toContain('unless sent: stop');
    expect(rowOf('metadata')).toContain('unless sent: {}');
    expect(html).not.toContain('[object Object]');
    expect(html).toContain('<li><code>preference-applied</code>');
    expect(html).toContain('Text <small>text/vtt</small>');
  });

  test('send the required headers in their example requests', () => {
    expect(html).toContain('If-Match: &quot;draft-1&quot;');
  });
});
