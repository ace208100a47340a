/** The bill of materials of the service in CycloneDX's format; with `onlyInstalled`, of the packages in `node_modules`. */
export function billOfMaterials(options?: { onlyInstalled?: boolean }): {
  bomFormat: string;
  components: {
    name: string;
    version: string;
    purl: string;
    licenses: { expression: string }[];
    hashes: { alg: string; content: string }[];
  }[];
};
