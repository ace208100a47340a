import { createRoutes } from '../api/routes.ts';
import { buildOpenApi } from '../api/docs/openapi/openapi.ts';
import type { Services } from '../api/services.ts';

type Whole = ReturnType<typeof buildOpenApi>;
type Document = { paths: Record<string, object>; components: { schemas: Record<string, object> } };

/** Paths of people's pages, which take a session instead of a key, and second paths of the same operations. */
const LEFT_OUT = ['/console/v1/', '/textapi/v1/'];

/** The route table of these sources, without any service. */
export const routeTable = () => createRoutes(unopened() as Services).all();

/** The document of `/openapi.json` as the route table of these sources has it. */
export const wholeDocument = async (): Promise<Whole> =>
  buildOpenApi(await routeTable(), { version: 'current', baseUrl: '/' });

/** The same with only the paths that a program with a key uses. */
export async function openApiDocument(): Promise<Document> {
  const document = (await wholeDocument()) as unknown as Document;
  const paths = Object.entries(document.paths).filter(([path]) => !LEFT_OUT.some((start) => path.startsWith(start)));
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Services of which the route table only takes members: nothing is opened, and nothing is called. */
function unopened(): unknown {
  return new Proxy(() => {}, {
    get: (_target, name) => (name === Symbol.toPrimitive ? () => '0' : unopened()),
    apply: () => unopened(),
  });
}
