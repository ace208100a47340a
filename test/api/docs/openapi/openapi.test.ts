import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { buildOpenApi } from '../../../../api/docs/openapi/openapi.ts';
import { parseChat } from '../../../../calls/text/chat/chatInput.ts';
import { parseCompletions } from '../../../../calls/text/chat/completionsInput.ts';
import { parseEmbeddings } from '../../../../calls/text/embeddings.ts';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';
import { docs, document, routes } from '../textRoutes.ts';

const meta = { version: '2026-01-01', baseUrl: '/' };

describe('the OpenAPI document', () => {
  test('contains every schema that it refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, reference] of references) {
      const target = reference!
        .split('/')
        .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
      expect({ reference, found: target !== undefined }).toEqual({ reference, found: true });
    }
  });

  test('has every documented route, including aliases, under a unique id', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const documented = routes.filter(({ doc }) => doc !== undefined);
    expect(operations).toHaveLength(documented.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(documented.length);
    expect(document.paths['/v1/models/{id}']!.get!.parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
    ]);
  });

  test('leaves out routes without a description', () => {
    expect(buildOpenApi([{ method: 'GET', path: '/hidden', guards: [] }], meta).paths).toEqual({});
  });

  test('describes bodies with the ranges that are validated', () => {
    const { properties, required } = document.components.schemas.ChatCompletionRequest as {
      properties: object;
      required: string[];
    };
    expect(properties).toMatchObject({ temperature: { minimum: 0, maximum: 2 }, n: { type: 'integer', maximum: 128 } });
    expect(required).toEqual(['model', 'messages']);
  });

  test('lists the error statuses of a route, and streaming where it is possible', () => {
    const { responses } = document.paths['/textapi/v1/chat/completions']!.post!;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '401', '402', '403', '404', '429']));
    expect(Object.keys(responses[200]!.content as object)).toEqual(['application/json', 'text/event-stream']);
    expect(responses[200]!.headers).toHaveProperty('x-cost-usd');
  });

  test('lists the ways to send a key, and the routes without one', () => {
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
    const health = { tag: 'Service', summary: 'Health', answer: docs.listModels.answer };
    const { paths } = buildOpenApi([{ method: 'GET', path: '/healthz', guards: [], doc: health }], meta);
    expect(paths['/healthz']!.get).toMatchObject({ security: [] });
    expect(paths['/healthz']!.get!.responses).not.toHaveProperty('401');
  });

  test('describes query parameters with their limits', () => {
    const query = z.object({ limit: z.int().min(1).max(100).default(20), cursor: z.string() });
    const list = { tag: 'Runs', summary: 'List', answer: docs.listModels.answer, query };
    const { paths } = buildOpenApi([{ method: 'GET', path: '/v1/runs', guards: [], doc: list }], meta);
    expect(paths['/v1/runs']!.get!.parameters).toMatchObject([
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100, default: 20 } },
      { name: 'cursor', in: 'query', required: true },
    ]);
  });

  test.each([
    ['chat', docs.chat, parseChat],
    ['completions', docs.completions, parseCompletions],
    ['responses', docs.responses, parseResponses],
    ['embeddings', docs.embeddings, parseEmbeddings],
  ])('has an example for %s that the route accepts', (_name, { input }, parse) => {
    expect(parse(input.example).model).toBe(input.example.model);
  });
});
