import type { JsonObject, OpenApiDocument } from './schemas.ts';

/** The schema of an `agent.json`, by which editors complete and check it: an agent and its draft, of which other files may have parts. */
export function agentFileSchema({ components }: Pick<OpenApiDocument, 'components'>): JsonObject {
  const { properties, ...schema } = components.schemas.NewAgent!;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An agent of Ledgerline',
    ...schema,
    properties: { $schema: { type: 'string' }, ...(properties as JsonObject) },
  };
}
