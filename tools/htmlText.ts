/** A comment, an element without readable content, or a tag. Each matches to the end where it is never closed, so the scan is linear. */
const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|svg|iframe|textarea)\b[\s\S]*?(?:<\/\1[^>]*>?|$)|<[/!?]?([a-z][a-z0-9]*)?[^>]*(?:>|$)/gi;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi;

const INLINE_TAGS = new Set(
  'a abbr b bdi big button cite code em font i img input kbd label mark q s small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);

const NAMED_ENTITIES = new Map(
  Object.entries({
    amp: '&',
    apos: "'",
    bull: '•',
    copy: '©',
    euro: '€',
    gt: '>',
    hellip: '…',
    ldquo: '“',
    lsquo: '‘',
    lt: '<',
    mdash: '—',
    middot: '·',
    nbsp: ' ',
    ndash: '–',
    quot: '"',
    rdquo: '”',
    rsquo: '’',
  }),
);

/** The readable text of an HTML page: one line per block, separated cells, without scripts and styles. */
export function htmlText(html: string): string {
  // Collapsing whitespace first keeps only the line ends of blocks.
  const text = html.replaceAll(/\s+/g, ' ').replaceAll(MARKUP, (_all, _unread, tag?: string) => gapOf(tag));
  return withEntities(text)
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function gapOf(tag = ''): string {
  const name = tag.toLowerCase();
  if (INLINE_TAGS.has(name)) return '';
  return name === 'td' || name === 'th' ? '\t' : '\n';
}

function withEntities(text: string): string {
  return text.replaceAll(ENTITY, (all, hex?: string, decimal?: string, name = '') => {
    if (name) return NAMED_ENTITIES.get(name.toLowerCase()) ?? all;
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : all;
  });
}
