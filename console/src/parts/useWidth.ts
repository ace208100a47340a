import { useEffect, useRef } from 'react';

/**
 * A ref whose element is marked `data-wide` while its content is wider than it is: then it scrolls by itself. Otherwise parts of it may
 * stick to the window. Measured again after each change of `since`.
 */
export function useWidth(since: unknown) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      element.toggleAttribute('data-wide', element.scrollWidth > element.clientWidth + 1);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [since]);
  return ref;
}
