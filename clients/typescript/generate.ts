import openapiTypes, { astToString } from 'openapi-typescript';

/** The types of an OpenAPI document, as the text of a module. */
export async function typesOf(document: object): Promise<string> {
  // In the document optional fields of answers with a default are optional: a reader must be ready for that too.
  const tree = await openapiTypes(document as never, { defaultNonNullable: false, alphabetize: false });
  return `// Written by clients/generate.ts from the route table.\n${astToString(tree)}`;
}
