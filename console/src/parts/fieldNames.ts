const LENGTH_MIN = 3;

/**
 * Which field of a form a place in a request means: `limits.requests_per_minute` is the one called `requestsPerMinute` or labelled “Requests
 * per minute”. -1: none of them. `fields` has the names of each.
 */
export function fieldOf(fields: string[][], path: string): number {
  const parts = path.split('.').filter((part) => !/^\d+$/.test(part));
  const wanted = [parts.join(''), parts.at(-1) ?? '', parts[0] ?? ''].map(bare).filter((name) => name !== '');
  for (const isFit of [isSame, isBeginning])
    for (const name of wanted) {
      const at = fields.findIndex((names) => names.some((one) => isFit(bare(one), name)));
      if (at >= 0) return at;
    }
  return -1;
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

const isSame = (name: string, wanted: string): boolean => name === wanted;

const isBeginning = (name: string, wanted: string): boolean =>
  Math.min(name.length, wanted.length) >= LENGTH_MIN && (name.startsWith(wanted) || wanted.startsWith(name));
