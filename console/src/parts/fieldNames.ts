const LENGTH_MIN = 3;

/**
 * Which field of a form a place in a request means: `limits.requests_per_minute` is the one called `requestsPerMinute` or labelled “Requests
 * per minute”. -1: none of them. `fields` has the names of each.
 */
export function fieldOf(fields: string[][], path: string): number {
  const whole = path.split('.');
  const parts = whole.filter((part) => !/^\d+$/.test(part));
  // A row of its own, then the whole, then its parts: the last one says most.
  const wanted = [whole.join(''), parts.join(''), ...parts.toReversed()].map(bare).filter((name) => name !== '');
  for (const isFit of [isSame, isBeginning])
    for (const name of wanted) {
      const at = fields.findIndex((names) => names.some((one) => isFit(bare(one), name)));
      if (at >= 0) return at;
    }
  return -1;
}

// Agents name the fields of their forms in any script.
const bare = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');

const isSame = (name: string, wanted: string): boolean => name === wanted;

const isBeginning = (name: string, wanted: string): boolean =>
  Math.min(name.length, wanted.length) >= LENGTH_MIN && (name.startsWith(wanted) || wanted.startsWith(name));
