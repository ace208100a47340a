import { escapeHtml } from '../../../base/web.ts';
import type { OpenApiDocument } from '../openapi/schemas.ts';
import type { Page, Section } from './page.ts';
import { operationSection, operationsOf, schemaSection, type Shown } from './reference.ts';

/** A page per tag of the document: its operations, and the schemas that it uses first. To be made in this order. */
export function referencePages(document: OpenApiDocument): (() => Page)[] {
  const operations = operationsOf(document);
  const homeless = new Set(Object.keys(document.components.schemas));
  return document.tags.map(({ name }) => (): Page => {
    const own = operations.filter(({ tags }) => tags.includes(name));
    const schemas = [...schemasIn(own, document)].filter((id) => homeless.delete(id));
    return {
      path: referencePath(name),
      title: name,
      summary: `${own.length} ${own.length === 1 ? 'operation' : 'operations'}: ${own.map(({ summary }) => summary).join(', ')}`,
      group: 'Reference',
      sections: [
        overview(own),
        ...own.map((operation) => operationSection(operation, document)),
        ...(schemas.length > 0 ? [{ id: '', title: '', html: '<h2 id="schemas">Schemas</h2>' }] : []),
        ...schemas.map((id) => schemaSection([id, document.components.schemas[id]!])),
      ],
    };
  });
}

/** The schemas that no operation uses. They are shown beside the explanation of errors. */
export function unnamedSchemas(document: OpenApiDocument): Section[] {
  const named = schemasIn(operationsOf(document), document);
  return Object.entries(document.components.schemas)
    .filter(([id]) => !named.has(id))
    .map(schemaSection);
}

const referencePath = (tag: string): string => `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`;

function overview(operations: Shown[]): Section {
  const rows = operations.map(
    ({ operationId, method, paths, summary }) =>
      `<li><a href="#${escapeHtml(operationId)}">${escapeHtml(summary)}</a><code><span class="method ` +
      `${method.toLowerCase()}">${method}</span>${escapeHtml(paths[0]!)}</code></li>`,
  );
  return { id: '', title: '', html: `<ul class="endpoints">${rows.join('')}</ul>` };
}

/** The schemas that a part of the document refers to, directly or indirectly, in order. */
function schemasIn(part: unknown, { components }: OpenApiDocument, found = new Set<string>()): Set<string> {
  for (const [, name] of JSON.stringify(part).matchAll(/#\/components\/schemas\/([\w-]+)/g)) {
    if (found.has(name!)) continue;
    found.add(name!);
    schemasIn(components.schemas[name!], { components } as OpenApiDocument, found);
  }
  return found;
}
