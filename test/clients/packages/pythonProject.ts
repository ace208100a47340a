import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../support/folder.ts';

const PROGRAM = `
import json, sys
from ledgerline import AuthenticationError, Ledgerline
with Ledgerline() as client:
    models = client.api.get_models()["object"]
try:
    Ledgerline(api_key="sk_live_unknown").api.get_models()
except AuthenticationError as error:
    refused = error.status
print(json.dumps([models, refused, "%d.%d" % sys.version_info[:2]]))
`;

/** Installs a wheel from an address in an empty environment of a Python, with pip. Returns what a program that uses it prints. */
export async function useWheel(address: string, python: string, env: Record<string, string>): Promise<unknown> {
  const folder = await makeFolder();
  const run = async (command: string, args: string[], more: Record<string, string> = {}) =>
    (await promisify(execFile)(command, args, { cwd: folder.path, env: { ...process.env, ...more } })).stdout;
  try {
    await run(python, ['-m', 'venv', 'venv']);
    const own = join(folder.path, 'venv/bin/python');
    await run(own, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', address]);
    await writeFile(join(folder.path, 'program.py'), PROGRAM);
    return JSON.parse(await run(own, ['program.py'], env));
  } finally {
    await folder.remove();
  }
}
