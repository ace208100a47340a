import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openApiDocument } from './openapiDocument.ts';
import { typesOf } from './typescript/generate.ts';

/** Writes the generated parts of the clients from the route table of these sources. */
const document = await openApiDocument();
await writeFile(join(import.meta.dirname, 'typescript/src/generated/api.ts'), await typesOf(document));
await import('./python/generate/main.ts');
