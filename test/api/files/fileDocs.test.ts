import { describe, expect, test } from '@jest/globals';
import { fileRoutes } from '../../../api/files/fileRoutes.ts';
import { sessionRoutes } from '../../../api/sessions/sessionRoutes.ts';
import { buildOpenApi } from '../../../api/docs/openapi/openapi.ts';
import { renderSite } from '../../../api/docs/pages/site.ts';
import { installation } from '../docs/textRoutes.ts';
import type { Services } from '../../../api/services.ts';

// Handlers are created, but never called.
const services = { db: {} } as Services;
const routes = [fileRoutes, sessionRoutes].flatMap((routesOf) => routesOf(services, (...checks) => checks));
const document = buildOpenApi(routes, { version: '2026-01-01', baseUrl: 'http://127.0.0.1:8080' });

describe('the document of files and sessions', () => {
  test('documents an upload as a form with a file', () => {
    const content = document.paths['/v1/files']!.post!.requestBody!.content;
    expect(Object.keys(content)).toEqual(['multipart/form-data']);
    expect(document.components.schemas.FileForm).toMatchObject({
      properties: { file: { type: 'string', format: 'binary' }, purpose: { enum: expect.arrayContaining(['batch']) } },
      required: ['file', 'purpose'],
    });
    const either = document.paths['/v1/sessions/{session_id}/files']!.post!.requestBody!.content;
    expect(Object.keys(either)).toEqual(['multipart/form-data', 'application/json']);
  });

  test('documents a download as bytes', () => {
    const { responses } = document.paths['/v1/files/{file_id}/content']!.get!;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '206', '416']));
    expect(responses[206]!.content).toEqual({ '*/*': { schema: { type: 'string', format: 'binary' } } });
  });

  test('has an upload example that can be pasted', async () => {
    const html = [...(await renderSite(document, installation)).pages.values()].join();
    expect(html).toContain('-F purpose=user_data');
    expect(html).toContain('-F file=@sales.csv');
  });
});
