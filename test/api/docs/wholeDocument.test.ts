import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildOpenApi } from '../../../api/docs/openapi/openapi.ts';
import { renderDocsPage } from '../../../api/docs/page/page.ts';
import { createRoutes } from '../../../api/routes.ts';
import type { Services } from '../../../api/services.ts';

// Handlers are made, and never called.
const services = { db: {}, limits: {}, catalog: { models: [] }, config: { publicUrl: 'http://127.0.0.1:8080' } };
const routes = createRoutes(services as unknown as Services);
const document = buildOpenApi(routes, { version: '2026-01-01', baseUrl: services.config.publicUrl });
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('the document of all routes', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('leaves out its own two and the page that a payment leads back to', () => {
    expect(routes.filter(({ doc }) => doc === undefined).map(({ path }) => path)).toEqual([
      '/billing/done',
      '/openapi.json',
      '/docs',
    ]);
    expect(operations).toHaveLength(routes.length - 3);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test('says of every route that takes a body what may be wrong with one', () => {
    const bodies = operations.filter(({ requestBody }) => requestBody !== undefined);
    expect(bodies.length).toBeGreaterThan(40);
    for (const { responses } of bodies)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '413', '415']));
  });

  test.each([
    ['post', '/v1/publisher/agents/{agent_id}/submit-public', { 'If-Match': true, 'Idempotency-Key': false }],
    ['patch', '/v1/publisher/agents/{agent_id}/draft', { 'If-Match': true }],
    ['post', '/v1/publisher/agents/{agent_id}/deploy-private', { 'If-Match': false, 'Idempotency-Key': false }],
    ['post', '/v1/runs', { 'Idempotency-Key': false, Prefer: false }],
    ['get', '/v1/runs/{run_id}', { 'If-None-Match': false }],
    ['get', '/v1/runs/{run_id}/events', { 'Last-Event-ID': false }],
    ['post', '/v1/runs/{run_id}/cancel', { 'Idempotency-Key': false }],
    ['post', '/v1/files', { 'Idempotency-Key': false }],
    ['get', '/v1/files/{file_id}/content', { Range: false, 'If-Range': false, 'If-None-Match': false }],
    ['post', '/console/v1/deployments/{deployment_id}/approve', { 'Idempotency-Key': false }],
  ])('names the headers that %s %s reads, and which it needs', (method, path, headers) => {
    const { parameters = [] } = document.paths[path]![method]!;
    const named = parameters.filter((parameter) => parameter.in === 'header');
    expect(Object.fromEntries(named.map(({ name, required }) => [name, required]))).toEqual(headers);
  });

  test('promises the cost in a header where an answer of a model has it, and nowhere else', () => {
    const promising = Object.entries(document.paths).filter(([, methods]) =>
      Object.values(methods).some(({ responses }) => JSON.stringify(responses).includes('x-cost-usd')),
    );
    const paths = promising.map(([path]) => path);
    expect(paths).toEqual(expect.arrayContaining(['/v1/chat/completions', '/voiceapi/v1/speech-to-text']));
    expect(paths).not.toContain('/v1/runs');
  });

  test('has retry-after and the limit that was reached', () => {
    const { Error402, Error429, Error503 } = document.components.responses;
    for (const refusal of [Error429, Error503]) expect(refusal).toHaveProperty(['headers', 'retry-after']);
    expect(Error402).toHaveProperty(['headers', 'x-limit-source']);
  });
});

describe('the page of all routes', () => {
  const { html } = renderDocsPage(document);

  test('has a place for every link into it', () => {
    const places = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !places.has(id))).toEqual([]);
  });

  test('describes defaults of every kind and the headers of answers', () => {
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

  test('sends, in a request to paste, the headers that the route needs', () => {
    expect(html).toContain('If-Match: &quot;draft-1&quot;');
  });
});
