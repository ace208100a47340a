/** `1 run`, `0.4 days`: a count with its noun. */
export const countText = (count: string | number, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;
