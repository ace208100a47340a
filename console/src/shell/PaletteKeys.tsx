import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { PaletteView } from '../palette/Palette.tsx';

const Palette = lazy(() => import('../palette/Palette.tsx'));

const OPEN = 'ledgerline-palette';
const MODIFIER = /Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl ';

const openPalette = (view: PaletteView) => dispatchEvent(new CustomEvent<PaletteView>(OPEN, { detail: view }));

/** Opens the palette with Ctrl-K or ⌘K, `/` the search of the page or of everything, and `?` the list of keys. */
export function PaletteKeys() {
  const [view, setView] = useState<PaletteView>();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const show = (shown: PaletteView) => {
      setView(shown);
      setIsOpen(true);
    };
    const onOpen = (event: Event) => show((event as CustomEvent<PaletteView>).detail);
    const onKey = (event: KeyboardEvent) => {
      const wanted = viewOf(event);
      if (!wanted) return;
      event.preventDefault();
      if (wanted === 'field') pageSearch()!.focus();
      else show(wanted);
    };
    addEventListener(OPEN, onOpen);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener(OPEN, onOpen);
      removeEventListener('keydown', onKey);
    };
  }, []);
  if (!view) return null;
  return (
    <Suspense>
      <Palette view={view} isOpen={isOpen} onView={setView} onClose={() => setIsOpen(false)} />
    </Suspense>
  );
}

const pageSearch = () => document.querySelector<HTMLInputElement>('main input[type="search"]');

function viewOf({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): PaletteView | 'field' | undefined {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) return 'search';
  const isTyping = (target as Element).closest?.('input, textarea, select, [contenteditable], [role="dialog"]');
  if (isTyping || ctrlKey || metaKey || altKey) return undefined;
  if (key === '?') return 'keys';
  if (key !== '/') return undefined;
  return pageSearch() ? 'field' : 'search';
}

/** The line of the sidebar that opens the palette. */
export function SearchButton({ onOpen }: { onOpen?: (() => void) | undefined }) {
  const open = () => {
    onOpen?.();
    openPalette('search');
  };
  return (
    <button type="button" className="menu-search" onClick={open} aria-keyshortcuts="Control+K Meta+K">
      <MagnifyingGlassIcon />
      Search
      <kbd>{MODIFIER}K</kbd>
    </button>
  );
}
