// Prints the bill of materials of the service in CycloneDX's format, from the lock file: `npm run sbom`. `npm sbom --omit dev` would omit
// packages that development tools also use, including direct dependencies. With --installed: only packages in `node_modules`, as in an image.
import { pathToFileURL } from 'node:url';
import { productionPackages, readManifest } from './packages.mjs';

/** The document, as an object. */
export function billOfMaterials(options = {}) {
  const { name, version } = readManifest();
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version, 'bom-ref': `${name}@${version}` } },
    components: productionPackages('package-lock.json', options).map(componentOf),
  };
}

function componentOf({ name, version, licence, integrity }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ expression: licence }],
    hashes: integrity ? integrity.split(' ').map(hashOf) : [],
  };
}

/** npm's form: `sha512-<base64>`. */
function hashOf(text) {
  const [algorithm, content] = text.split(/-(.*)/s);
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(content, 'base64').toString('hex') };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(
    `${JSON.stringify(billOfMaterials({ onlyInstalled: process.argv.includes('--installed') }), null, 2)}\n`,
  );
