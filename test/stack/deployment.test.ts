import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { VARIABLES } from '../../base/environment.ts';

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

/** The variables that the programs read, each with its documentation. The catalogue may name more. */
const described = Object.entries(VARIABLES).map(([name, type]) => {
  const { about, unset } = type.meta() as { about: string; unset?: string };
  const fallback = unset ?? (type.safeParse(undefined).data as string | number | boolean | string[] | undefined);
  return { name, about, fallback: [fallback ?? []].flat().join(',') };
});

const variablesRead = () => [
  ...new Set([
    ...described.map(({ name }) => name),
    ...[...read('catalog.json').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!),
  ]),
];

function variablesExplained(): string[] {
  return [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!);
}

test('.env.example has every variable that a program reads, and no other', () => {
  const forCompose = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!);
  const known = new Set([...variablesRead(), ...forCompose]);
  expect(variablesExplained().toSorted()).toEqual([...known].toSorted());
});

test('.env.example and the README describe variables and their defaults as the programs declare them', () => {
  const comments = new Map(
    [...read('.env.example').matchAll(/^# (.*)\n([A-Z_]+)=$/gm)].map(([, text, name]) => [name!, text]),
  );
  const rows = [...read('README.md').matchAll(/^\| `([A-Z_]{4,})` +\| (.*?) +\| (.*?) +\|$/gm)];
  expect(rows.length).toBeGreaterThan(25);
  for (const { name, about, fallback } of described) {
    expect(`${name}: ${comments.get(name)}`).toBe(`${name}: ${about}${fallback && ` (default: ${fallback})`}`);
  }
  const byName = new Map(described.map((one) => [one.name, one]));
  for (const [, name, fallback, about] of rows) expect({ name, about, fallback }).toEqual(byName.get(name!));
});

test('variables with a unit in their name say it in their description', () => {
  const units = { MS: 'milliseconds', SECONDS: 'seconds', USD: 'US dollars', PERCENTAGE: 'per cent' };
  for (const [suffix, unit] of Object.entries(units))
    for (const { name, about } of described.filter((one) => one.name.endsWith(`_${suffix}`)))
      expect(`${name}: ${about}`).toContain(unit);
});

test('each variable of .env.example has one line that explains it, and no value', () => {
  const lines = read('.env.example').split('\n');
  for (const [index, line] of lines.entries()) {
    if (!/^[A-Z_]+=/.test(line)) continue;
    expect(line).toMatch(/=$/);
    expect(lines[index - 1]).toMatch(/^# \S/);
  }
});

test('containers get only variables that the programs read', () => {
  const known = variablesRead();
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
const notOffered =
  /^(TLS|SANDBOX)_|^EMBEDDED_(MODEL|MODEL_FILE|HOST|PORT)$|^MODEL_CATALOG_FILE$|^STRIPE_(API|WEBHOOK)_URL$|^TEST_PAYMENTS_PORT$/;

test('every other variable of .env.example that is set in .env reaches a container', () => {
  const passed = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!);
  const expected = variablesExplained().filter((name) => !notFromFile.includes(name) && !notOffered.test(name));
  expect([...new Set(passed)].toSorted()).toEqual(expected.toSorted());
});

test('each service has a health check at its health route', () => {
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
