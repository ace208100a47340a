type Component = { name: string; version: string; licenses: { expression: string }[] };

/** The packages that forbid to pass an image on, each with its licence. */
export function bindingPackages(bill: {
  components: Component[];
}): { name: string; version: string; licence: string }[];
