import { useEffect } from 'react';

const KEPT = 10;
// Right after it is gone, after the transition in which it goes, and once a page that it has opened is there.
const CHECKS_MS = [20, 300, 1_000];
const TEMPORARY = '[role="dialog"], [role="menu"], [role="listbox"]';

interface Focused {
  element: HTMLElement;
  path: string;
}

/** What had the focus on the page itself, and on which, the latest one first. */
let before: Focused[] = [];

globalThis.document?.addEventListener(
  'focusin',
  ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest(TEMPORARY)) return;
    const others = before.filter(({ element }) => element !== target && element.isConnected);
    before = [{ element: target, path: location.pathname }, ...others].slice(0, KEPT);
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

/** Gives the focus back after a change that removed what had it: to the dialog that is open, or to the page. */
export function focusAgain(pressed: Element | null): void {
  setTimeout(() => pressed?.isConnected === false && focusNear(), CHECKS_MS[0]);
}

function focusNear(): void {
  if (document.activeElement !== document.body) return;
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  const first = dialog && firstOf(dialog.querySelector('.mantine-Modal-body') ?? dialog);
  if (first) first.focus();
  else focusPage();
}

/** Where a dialog begins for a keyboard: its first field, or else the first of its buttons and links. */
export const firstOf = (body: Element): HTMLElement | undefined =>
  visibleIn(body, FIELDS)[0] ?? visibleIn(body, 'button, a[href], summary')[0];

/** Marks where a dialog begins, for Mantine's focus trap, unless the dialog says it itself. */
export function markBeginning(body: Element, place = firstOf(body)): void {
  if (!body.querySelector('[data-autofocus]')) place?.setAttribute('data-autofocus', 'true');
}

const FIELDS = 'input:not([type="hidden"], [type="file"]), textarea, select';

const visibleIn = (body: Element, selector: string): HTMLElement[] =>
  [...body.querySelectorAll<HTMLElement>(selector)].filter((one) => !one.matches(':disabled') && one.checkVisibility());

function focusPage(): void {
  if (document.activeElement !== document.body) return;
  // What led to another page, such as a link of the menu, is not where that page begins.
  const isHere = ({ element, path }: Focused) =>
    path === location.pathname && element.isConnected && element.checkVisibility();
  (before.find(isHere)?.element ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
}
