// Writes the attestations of an image, provenance.json and sbom.spdx.json, out of the folder that `docker buildx build --output type=oci,tar=false`
// made; fails if one is missing, or if the provenance does not say from which images it was built:
//   node ops/deploy/image/attestations.mjs LAYOUT FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [layout, folder] = process.argv.slice(2);
if (!layout || !folder) throw new Error('Usage: node attestations.mjs <layout> <folder>');
const NAMES = { 'https://slsa.dev/provenance': 'provenance.json', 'https://spdx.dev/Document': 'sbom.spdx.json' };

const statements = manifestsIn(json(join(layout, 'index.json')))
  .flatMap(({ layers = [] }) => layers)
  .flatMap(statementOf);
mkdirSync(folder, { recursive: true });
for (const [type, name] of Object.entries(NAMES)) {
  const found = statements.find(({ predicateType }) => predicateType.startsWith(type));
  if (!found) throw new Error(`The image has no attestation of the type ${type}.`);
  writeFileSync(join(folder, name), JSON.stringify(found));
  if (name === 'provenance.json') requireMaterials(found);
  process.stdout.write(`${join(folder, name)}: ${found.subject?.length ?? 0} subjects\n`);
}

/** All manifests below an index, however deep. */
function manifestsIn({ manifests = [] }) {
  return manifests.flatMap(({ digest }) => {
    const inner = blob(digest);
    return inner.manifests ? manifestsIn(inner) : [inner];
  });
}

function statementOf({ mediaType, digest }) {
  return mediaType === 'application/vnd.in-toto+json' ? [blob(digest)] : [];
}

/** Each base image with its digest: BuildKit has them in either place, by the version of SLSA. */
function requireMaterials({ predicate }) {
  const materials = predicate.materials ?? predicate.buildDefinition?.resolvedDependencies ?? [];
  if (!materials.some(({ digest }) => digest?.sha256)) throw new Error('The provenance names no base image.');
}

function blob(digest) {
  return json(join(layout, 'blobs', ...digest.split(':')));
}

function json(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
