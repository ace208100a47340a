import { countText } from './figures.tsx';

/** `1 step`, `2 steps`. */
export const countOf = (count: number, noun: string): string =>
  `${countText(count)} ${count === 1 ? noun : pluralOf(noun)}`;

/** The count below a list that loads page by page: `50 requests shown`, and `214 requests` once all are there. */
export function Total({ count, of, hasMore = false }: { count: number | undefined; of: string; hasMore?: boolean }) {
  if (count === undefined) return null;
  return (
    <span className="number">
      {countOf(count, of)}
      {hasMore && ' shown'}
    </span>
  );
}

const pluralOf = (noun: string): string => {
  if (/(ch|s)$/.test(noun)) return `${noun}es`;
  return /[^aeo]y$/.test(noun) ? noun.replace(/y$/, 'ies') : `${noun}s`;
};
