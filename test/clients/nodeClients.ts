import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const source = join(import.meta.dirname, 'node');
const folder = join(import.meta.dirname, '..', '..', '.data', 'node-clients');

/**
 * Installs the client libraries of `test/clients/node/package.json` below `.data`, once for each state of its lock file: the one there
 * now has 23,500 files, which would be 39 % of all that `npm ci` writes. Returns a `require` that finds them.
 */
export async function installNodeClients(): Promise<NodeJS.Require> {
  const wanted = readFileSync(join(source, 'package-lock.json'), 'utf8');
  const mark = join(folder, 'installed.json');
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
    mkdirSync(folder, { recursive: true });
    cpSync(source, folder, { recursive: true });
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
    writeFileSync(mark, wanted);
  }
  return createRequire(join(folder, 'package.json'));
}
