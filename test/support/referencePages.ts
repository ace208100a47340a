import { LIMITS } from '../../api/docs/pages/limits.ts';
import { routeTable, wholeDocument } from '../../clients/openapiDocument.ts';
import { KEPT_MINUTES } from '../../db/answers/answerPart.ts';
import { ITEM_HOURS } from '../../db/answers/responseItems.ts';
import { SECRETS, VARIABLES, type VariableName } from '../../base/environment.ts';
import { mirrorsPage } from './mirrorsPage.ts';
import { readText } from './sources.ts';

/** The generated pages of `docs/`, by their path. `npm run docs` writes them. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    'docs/reference/configuration.md': configurationPage(),
    'docs/reference/limits.md': limitsPage(),
    'docs/reference/routes.md': await routesPage(),
    'docs/operate/mirrors.md': mirrorsPage(),
  };
}

const written = 'Written by `npm run docs` from';

function configurationPage(): string {
  const names = Object.keys(VARIABLES) as VariableName[];
  const sections = sectionsOfExample();
  const titles = [...new Set(sections.values())];
  const tables = titles.map((title) => {
    const rows = names
      .filter((name) => sections.get(name) === title)
      .map((name) => {
        const { about, unset } = VARIABLES[name].meta() as { about: string; unset?: string };
        const value = VARIABLES[name].safeParse(undefined).data as string | number | boolean | string[] | undefined;
        return [`\`${name}\``, unset ?? String(value ?? ''), about];
      });
    return `## ${title}\n\n${table(['Variable', 'Default', 'Meaning'], rows)}`;
  });
  return page(
    'Configuration',
    `${written} \`base/environment.ts\`. Every variable is optional under \`npm start\`; an invalid value stops the start and is named. \`.env.example\` has the same list, and the variables of \`docker-compose.yml\`.`,
    `Any secret may be in a file: \`DATABASE_URL_FILE=/run/secrets/database_url\` instead of \`DATABASE_URL\`. An empty file counts as unset. This holds for ${SECRETS.map((name) => `\`${name}\``).join(', ')}, and for the vendor keys that the catalogue names.`,
    ...tables,
  );
}

/** The section title of each variable in `.env.example`. */
function sectionsOfExample(): Map<string, string> {
  const sections = new Map<string, string>();
  let title = '';
  for (const line of readText('.env.example').split('\n')) {
    title = /^# --- ([^.,]+)/.exec(line)?.[1] ?? title;
    const name = /^([A-Z0-9_]+)=/.exec(line)?.[1];
    if (name !== undefined && name in VARIABLES) sections.set(name, title);
  }
  return sections;
}

function limitsPage(): string {
  return page(
    'Limits',
    `${written} the constants that enforce them. \`/docs\` shows the same limits, and those that an installation sets.`,
    table(
      ['Limit', 'Value'],
      [
        ...LIMITS,
        ['Output items of responses', `${ITEM_HOURS} hours`],
        ['Answers of models, for retries and resumed streams', `${KEPT_MINUTES} minutes`],
      ],
    ),
  );
}

async function routesPage(): Promise<string> {
  const [routes, { paths, tags }] = await Promise.all([routeTable(), wholeDocument()]);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path: `${method.toUpperCase()} ${path}`, operation })),
  );
  // Sorted, so that moving a line in the table of routes changes nothing here.
  operations.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const tables = tags
    .map(({ name }) => name)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((tag) => {
      const tagged = operations.filter(({ operation }) => operation.tags.includes(tag));
      const bySummary = Object.groupBy(tagged, ({ path, operation }) => `${path.split(' ')[0]} ${operation.summary}`);
      const rows = Object.values(bySummary).map((same = []) => [
        same.map(({ path }) => `\`${path}\``).join('<br>'),
        same[0]!.operation.summary,
        same[0]!.operation.security ? 'none' : '',
      ]);
      return `## ${tag}\n\n${table(['Route', 'What it does', 'Key'], rows)}`;
    });
  const sockets = routes
    .filter(({ path }) => /\/(realtime|stream-input|multi-stream-input)$/.test(path) && !path.startsWith('/console/'))
    .map(({ path }) => [`\`wss ${path.replaceAll(/:(\w+)/g, '{$1}')}\``]);
  return page(
    'Routes',
    `${written} the route table. \`/openapi.json\` of an installation has the schemas, and \`/docs\` shows them. A signed-in person uses the routes of a workspace below \`/console/v1\`, with the console's cookie instead of a key.`,
    ...tables,
    `## WebSockets\n\n${table(['Route'], sockets)}`,
  );
}

const placeOf = ({ path }: { path: string }) => path.split(' ').toReversed().join(' ');

const page = (title: string, ...parts: string[]): string => `# ${title}\n\n${parts.join('\n\n')}\n`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [lineOf(head), lineOf(head.map(() => '---')), ...rows.map(lineOf)].join('\n');
}
