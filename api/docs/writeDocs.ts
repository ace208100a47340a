import { API_VERSION } from '../http/flatResponse.ts';
import type { DocumentedRoute } from './documentedRoute.ts';
import { buildOpenApi } from './openapi/openapi.ts';
import { renderDocsPage } from './page/page.ts';

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
