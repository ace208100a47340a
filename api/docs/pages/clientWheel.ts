import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

/** The file of the package for Python: pip takes the name and the version from it. All packages have the version of the service. */
export const clientWheel = `ledgerline-${version}-py3-none-any.whl`;
