import type { Handler } from '../context.ts';
import { API_VERSION } from '../http/apiVersion.ts';
import type { Services } from '../services.ts';
import type { DocumentedRoute } from './documentedRoute.ts';
import { buildOpenApi } from './openapi/openapi.ts';
import { renderDocsPage } from './page/page.ts';

/** `GET /openapi.json` and `GET /docs`: the route table as a document for programs and as a page for people. */
export function serveDocs(
  { config }: Services,
  routes: readonly DocumentedRoute[],
): Record<'document' | 'page', Handler> {
  const document = buildOpenApi(routes, { version: API_VERSION, baseUrl: config.publicUrl });
  const { html, contentSecurityPolicy } = renderDocsPage(document);
  // Written once: anybody may ask for it as often as he likes, and it is long.
  const text = JSON.stringify(document);
  return {
    document: (ctx) => {
      ctx.type = 'json';
      ctx.body = text;
    },
    page: (ctx) => {
      ctx.type = 'html';
      ctx.set('content-security-policy', contentSecurityPolicy);
      ctx.body = html;
    },
  };
}
