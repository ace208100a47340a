import { startTransition, useEffect, useReducer, useRef, useState } from 'react';

/** The rows of a piece. */
export const CHUNK_ROWS = 50;
const AHEAD = '1200px 0px';
const ROW_PX = 36;

/**
 * Which pieces of a long list are near the window: the first one, until the browser tells. `ref` belongs to the element of each piece,
 * which has its place as `data-at`. `heightOf` is how high one was when it was last drawn: an empty row of that height stands for it.
 */
export function useVisibleChunks() {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const shown = useRef(new Set([0]));
  const heights = useRef(new Map<number, number>());
  const [observer] = useState(
    () =>
      new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting, boundingClientRect } of entries) {
            const at = Number((target as HTMLElement).dataset.at);
            if (isIntersecting) shown.current.add(at);
            // What has the focus stays.
            else if (shown.current.has(at) && !target.contains(document.activeElement)) {
              heights.current.set(at, boundingClientRect.height);
              shown.current.delete(at);
            }
          }
          // In slices between which the browser responds.
          startTransition(draw);
        },
        { rootMargin: AHEAD },
      ),
  );
  useEffect(() => () => observer.disconnect(), [observer]);
  const [ref] = useState(() => (element: HTMLElement | null) => {
    if (!element) return undefined;
    observer.observe(element);
    return () => observer.unobserve(element);
  });
  return {
    ref,
    isShown: (at: number) => shown.current.has(at),
    heightOf: (at: number, rows: number) => heights.current.get(at) ?? rows * ROW_PX,
  };
}

/** Keeps the columns of a list as wide as they are: otherwise they would follow the rows that are drawn at the moment. */
export function useSteadyColumns(region: { current: HTMLElement | null }, isLong: boolean): void {
  useEffect(() => {
    const element = region.current;
    if (!element || !isLong) return undefined;
    const heads = Array.from(element.querySelectorAll<HTMLElement>('thead th'));
    const free = () => heads.forEach(({ style }) => style.removeProperty('width'));
    let width = 0;
    const observer = new ResizeObserver(() => {
      if (element.offsetWidth === width) return;
      width = element.offsetWidth;
      free();
      const widths = heads.map(({ offsetWidth }) => offsetWidth);
      heads.forEach(({ style }, at) => style.setProperty('width', `${widths[at]}px`));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      free();
    };
  }, [region, isLong]);
}
