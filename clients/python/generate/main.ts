import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../../openapiDocument.ts';
import { preparedDocument, type Document } from './document.ts';
import { hashOf, hashOfFiles } from './stamps.ts';
import { operationsOf } from './operations.ts';

/**
 * `node clients/python/generate/main.ts [package]`: writes what is generated of the package for Python. The types are written by
 * datamodel-code-generator, the synchronous client by unasync, which a virtual environment below `.data` has.
 */
const folder = import.meta.dirname;
const venv = join(folder, '../../../.data/venv-generate');
const packageFolder = process.argv[2] ?? join(folder, '../src/ledgerline');

const OPTIONS = [
  '--input-file-type openapi --output-model-type typing.TypedDict --target-python-version 3.10',
  '--naming-strategy parent-prefixed --enum-field-as-literal all --formatters builtin --disable-timestamp',
  '--use-union-operator --no-use-closed-typed-dict --use-schema-description --use-field-description',
  '--use-single-line-docstring',
]
  .join(' ')
  .split(' ');
const HEADER = '# Written by clients/python/generate from the route table.';

const document = (await openApiDocument()) as unknown as Document;
const prepared = preparedDocument(document);
const python = installedPython();
writeTypes();
writeFileSync(join(packageFolder, '_async/api.py'), operationsOf(prepared));
execFileSync(python, [join(folder, 'synchronous.py'), packageFolder], { stdio: 'inherit' });
const stamps = { DOCUMENT_SHA256: hashOf(document), CLIENT_SHA256: hashOfFiles(join(packageFolder, '_async')) };
const lines = Object.entries(stamps).map(
  ([name, value]) => `${name} = "${value}"
`,
);
writeFileSync(join(packageFolder, 'generated/__init__.py'), lines.join(''));

function writeTypes(): void {
  const place = mkdtempSync(join(tmpdir(), 'ledgerline-types-'));
  try {
    writeFileSync(join(place, 'openapi.json'), JSON.stringify(prepared));
    const paths = ['--input', join(place, 'openapi.json'), '--output', join(packageFolder, 'generated/types.py')];
    const args = [...paths, '--custom-file-header', HEADER, ...OPTIONS];
    execFileSync(join(venv, 'bin/datamodel-codegen'), args, { stdio: 'inherit' });
  } finally {
    rmSync(place, { recursive: true });
  }
}

function installedPython(): string {
  const requirements = readFileSync(join(folder, 'requirements.txt'), 'utf8');
  const mark = join(venv, 'installed.txt');
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== requirements) {
    execFileSync('python3', ['-m', 'venv', '--clear', venv], { stdio: 'inherit' });
    const args = ['-m', 'pip', 'install', '--quiet', '--requirement', join(folder, 'requirements.txt')];
    execFileSync(join(venv, 'bin/python'), args, { stdio: 'inherit' });
    writeFileSync(mark, requirements);
  }
  return join(venv, 'bin/python');
}
