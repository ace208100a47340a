// Fails if a bill of materials names a package whose licence does not allow to pass on an image that contains it beside our own code:
//   node ops/deploy/image/requireFreeLicences.mjs sbom.cdx.json
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// GPL and AGPL cover what is linked with them, which our code is not licensed for; the licence of libfdk-aac contradicts the GPL.
const BINDING = /\bA?GPL-|FDK-AAC|^not named$/;
// Another licence may be chosen instead.
const isBinding = (licence) => BINDING.test(licence) && !/\bOR\b/.test(licence);

/** The packages that forbid it, each with its licence. */
export function bindingPackages({ components }) {
  return components
    .map(({ name, version, licenses: [{ expression }] }) => ({ name, version, licence: expression }))
    .filter(({ licence }) => isBinding(licence));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = bindingPackages(JSON.parse(readFileSync(process.argv[2], 'utf8')));
  for (const { name, version, licence } of found)
    process.stderr.write(`${name} ${version} (${licence}) must not be in an image that is passed on.\n`);
  process.exit(found.length > 0 ? 1 : 0);
}
