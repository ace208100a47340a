import { useEffect, useRef } from 'react';

/** A ref whose element knows, as `--visible-height`, how much of the window an on-screen keyboard leaves free. */
export function useVisibleHeight() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { visualViewport } = globalThis;
    if (!visualViewport) return undefined;
    const measure = () => {
      // Zooming in makes it smaller too, and is no keyboard.
      const height = visualViewport.scale === 1 ? `${visualViewport.height}px` : '';
      ref.current?.style.setProperty('--visible-height', height);
    };
    measure();
    visualViewport.addEventListener('resize', measure);
    return () => visualViewport.removeEventListener('resize', measure);
  }, []);
  return ref;
}
