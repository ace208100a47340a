import { countText } from './figures.tsx';
import { Money } from './Money.tsx';

const NANOS = 1e9;

/** The exact sum of amounts, which are all whole numbers of nano-dollars. */
export const sumOf = (amounts: number[]): number =>
  amounts.reduce((nanos, usd) => nanos + Math.round(usd * NANOS), 0) / NANOS;

/** The count below a list that loads page by page: `50 requests shown`, and `214 requests` once all are there. */
export function Total({ count, of, hasMore = false }: { count: number | undefined; of: string; hasMore?: boolean }) {
  if (count === undefined) return null;
  return (
    <span className="number">
      {countText(count)} {count === 1 ? of : pluralOf(of)}
      {hasMore && ' shown'}
    </span>
  );
}

/** The sum of a column's amounts. */
export function Sum({ of }: { of: number[] | undefined }) {
  return of ? <Money usd={sumOf(of)} /> : null;
}

const pluralOf = (noun: string): string => (/(ch|s)$/.test(noun) ? `${noun}es` : noun.replace(/y$/, 'ie') + 's');
