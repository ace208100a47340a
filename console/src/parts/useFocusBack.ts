import { useEffect } from 'react';

const KEPT = 10;
// Right after it is gone, and after the transition in which it goes.
const CHECKS_MS = [20, 300];
const TEMPORARY = '[role="dialog"], [role="menu"], [role="listbox"]';

/** What had the focus on the page itself, the latest one first. */
let before: HTMLElement[] = [];

globalThis.document?.addEventListener(
  'focusin',
  ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest(TEMPORARY)) return;
    before = [target, ...before.filter((element) => element !== target && element.isConnected)].slice(0, KEPT);
  },
  { capture: true, passive: true },
);

/**
 * Gives the focus back to the page when a dialog closes: to what was used before it, also where that opened a menu first or the dialog is
 * removed at once. Without it the focus falls to the document, and a keyboard begins at the top again.
 */
export function useFocusBack(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      for (const ms of CHECKS_MS) setTimeout(focusPage, ms);
    };
  }, [isOpen]);
}

/** Gives the focus back to the page after a change that removed what had it. */
export function focusAgain(pressed: Element | null): void {
  setTimeout(() => pressed?.isConnected === false && focusPage(), CHECKS_MS[0]);
}

function focusPage(): void {
  if (document.activeElement !== document.body) return;
  const last = before.find((element) => element.isConnected && element.checkVisibility());
  (last ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
}
