import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

const projectDir = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(projectDir, path), 'utf8');

type Service = {
  build?: string;
  command?: string[];
  volumes?: string[];
  environment?: Record<string, unknown>;
  healthcheck?: { test: string[] };
};
type Compose = { services: Record<string, Service> };

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const ours = Object.entries(compose.services).filter(([, service]) => service.build);

/** The variables that the programs read: each config.ts names its own, and the catalogue may name more. */
async function variablesRead(): Promise<string[]> {
  const names = new Set([...read('catalog.json').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!));
  for await (const path of glob('{api,db,model,providers,sandbox,tools,stack,worker,admin,bench}/**/config.ts', {
    cwd: projectDir,
  })) {
    const mentions = read(path).matchAll(/env(?:\.|\[')([A-Z][A-Z_]+)|\(env, '([A-Z][A-Z_]+)'|^ {2}([A-Z][A-Z_]+): /gm);
    for (const [, member, argument, field] of mentions) names.add((member ?? argument ?? field)!);
  }
  // The shell's own; nobody sets it for us.
  names.delete('PATH');
  return [...names].toSorted();
}

function variablesExplained(): string[] {
  return [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!);
}

test('.env.example explains every variable that a program reads, and no other', async () => {
  const forCompose = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!);
  const known = new Set([...(await variablesRead()), ...forCompose]);
  expect(variablesExplained().toSorted()).toEqual([...known].toSorted());
});

test('each variable of .env.example has one line that explains it, and no value', () => {
  const lines = read('.env.example').split('\n');
  for (const [index, line] of lines.entries()) {
    if (!/^[A-Z_]+=/.test(line)) continue;
    expect(line).toMatch(/=$/);
    expect(lines[index - 1]).toMatch(/^# \S/);
  }
});

test('containers get only variables that the programs read', async () => {
  const known = await variablesRead();
  for (const [, service] of ours) {
    expect(Object.keys(service.environment ?? {}).filter((name) => !known.includes(name))).toEqual([]);
  }
});

test('containers run the programs that `npm start` runs, from files that the image holds', () => {
  const scripts = ours.map(([, service]) => service.command?.[1] ?? '').toSorted();
  expect(scripts).toEqual(['admin/main.ts', 'api/main.ts', 'db/migrate.ts', 'model/main.ts', 'worker/main.ts']);
  const dockerfile = read('Dockerfile');
  for (const script of scripts) {
    const folder = script.split('/')[0]!;
    expect(existsSync(join(projectDir, script))).toBe(true);
    expect(dockerfile).toContain(`COPY ${folder} ${folder}`);
  }
});

test('the image holds every file of ours that a program in a container imports', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (\S+) \1$/gm)].map(([, path]) => path!);
  const isHeld = (path: string) => copied.some((place) => path === place || path.startsWith(`${place}/`));
  const imported = importsFrom(ours.map(([, service]) => service.command![1]!));
  expect(imported.filter((path) => !isHeld(path))).toEqual([]);
  expect(imported.length).toBeGreaterThan(300);
});

/** These files and all that they import, types left out: those are gone at run time. */
function importsFrom(scripts: string[]): string[] {
  const found = new Set(scripts);
  for (const path of found) {
    const source = read(path).replaceAll(/^import type .*?;$/gms, '');
    for (const [, target] of source.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+\.ts)'/g))
      found.add(join(dirname(path), target!));
  }
  return [...found];
}

test('what the model’s container fetches for transcriptions, the API’s container has', () => {
  const places = ['api', 'model'].map((name) => compose.services[name]!);
  expect(places.map(({ volumes }) => volumes)).toEqual([['model:/app/.data'], ['model:/app/.data']]);
  for (const { environment } of places) expect(environment).toMatchObject({ DATA_DIR: '/app/.data' });
});

// Files on the machine, and what containers are told of each other.
const notFromFile = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'EMBEDDED_URL',
  'DATA_DIR',
  'HOST',
];
const notOffered = /^(TLS|SANDBOX)_|^EMBEDDED_(MODEL|MODEL_FILE|HOST|PORT)$|^MODEL_CATALOG_FILE$/;

test('every other variable of .env.example that is set in .env reaches a container', () => {
  const passed = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!);
  const expected = variablesExplained().filter((name) => !notFromFile.includes(name) && !notOffered.test(name));
  expect([...new Set(passed)].toSorted()).toEqual(expected.toSorted());
});

test('what serves is asked, again and again, what says whether it is well', () => {
  const answers = (url: string) => [
    'CMD',
    'node',
    '-e',
    `fetch("${url}").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`,
  ];
  const questions = Object.entries(compose.services).flatMap(([name, { healthcheck }]) =>
    healthcheck ? [[name, healthcheck.test]] : [],
  );
  expect(Object.fromEntries(questions)).toEqual({
    postgres: ['CMD', 'pg_isready', '--username=ledgerline', '--dbname=ledgerline'],
    'temporal-postgres': ['CMD', 'pg_isready', '--username=temporal'],
    temporal: ['CMD-SHELL', 'temporal operator cluster health --address "$$(hostname -i):7233"'],
    api: answers('http://127.0.0.1:4000/readyz'),
    model: answers('http://127.0.0.1:4100/health'),
  });
});

test('no secret has a value in the files of a deployment', () => {
  const secrets = [...read('docker-compose.yml').matchAll(/\$\{(\w*(?:PASSWORD|KEY))([^}]*)\}/g)];
  expect(secrets.length).toBeGreaterThan(0);
  for (const [, , fallback] of secrets) expect(fallback).toMatch(/^(:\?.+|:-)$/);
  expect(read('docker-compose.yml')).not.toMatch(/(PASSWORD|PWD|KEY): [^$\s]/);
});
