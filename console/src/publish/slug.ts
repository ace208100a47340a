const SLUG_LENGTH_MAX = 64;

/** `Poet of rain!` -> `poet-of-rain` */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replaceAll(/^-+|-+$/g, '');
