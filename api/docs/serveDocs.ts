import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { DocumentedRoute } from './documentedRoute.ts';
import type { WrittenDocs } from './page/page.ts';

/**
 * `GET /openapi.json` and `GET /docs`: the route table as a document for programs and as a page for people. Built for the first
 * request, because that takes a tenth of a start, and only once, because no key is needed and it is long.
 */
export function serveDocs(
  { config }: Services,
  routes: readonly DocumentedRoute[],
): Record<'document' | 'page', Handler> {
  let writing: Promise<WrittenDocs> | undefined;
  const written = () =>
    (writing ??= import('./page/page.ts').then(({ writeDocs }) => writeDocs(routes, config.publicUrl)));
  return {
    document: async (ctx) => {
      const { document } = await written();
      ctx.type = 'json';
      ctx.body = document;
    },
    page: async (ctx) => {
      const { html, contentSecurityPolicy } = await written();
      ctx.type = 'html';
      ctx.set('content-security-policy', contentSecurityPolicy);
      ctx.body = html;
    },
  };
}
