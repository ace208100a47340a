import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildOpenApi } from '../../../api/docs/openapi/openapi.ts';
import { renderDocsPage } from '../../../api/docs/pages/page.ts';
import { createRoutes } from '../../../api/routes.ts';
import { readText } from '../../support/sources.ts';
import { installation } from './textRoutes.ts';
import type { Services } from '../../../api/services.ts';

// Handlers are created, but never called.
const services = { db: {}, limits: {}, catalog: { models: [] }, config: { publicUrl: 'http://127.0.0.1:8080' } };
const routes = createRoutes(services as unknown as Services);
const document = buildOpenApi(routes, { version: '2026-01-01', baseUrl: services.config.publicUrl });
interface Exampled {
  schema: { $ref?: string };
  example?: unknown;
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('the document of all routes', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('leaves out its own three routes, the return page of payments, and WebSockets, which guides describe', () => {
    const isSocket = (path: string) => /\/(realtime|stream-input|multi-stream-input)$/.test(path);
    // The console's routes are documented with the routes for keys.
    const left = routes.filter(
      ({ doc, path }) => doc === undefined && !path.startsWith('/console/') && !isSocket(path),
    );
    expect(left.map(({ path }) => path)).toEqual(['/billing/done', '/openapi.json', '/docs', '/docs/search.js']);
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

describe('the page of all routes', () => {
  const { html } = renderDocsPage(document, installation);

  test('has a target for every internal link', () => {
    const places = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !places.has(id))).toEqual([]);
  });

  test('shows defaults of every type and the headers of answers', () => {
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

  test('sends the required headers in its example request', () => {
    expect(html).toContain('If-Match: &quot;draft-1&quot;');
  });
});
