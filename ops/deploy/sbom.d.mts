/** The bill of materials of the service in CycloneDX's format. */
export function billOfMaterials(): {
  bomFormat: string;
  components: { purl: string; licenses: { expression: string }[]; hashes: { alg: string; content: string }[] }[];
};
