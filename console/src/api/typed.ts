const typed = new Set<Element>();

globalThis.document?.addEventListener(
  'input',
  ({ target }) => {
    forgetRemoved();
    if (target instanceof Element) typed.add(target);
  },
  { capture: true, passive: true },
);

function forgetRemoved(): void {
  for (const element of typed) if (!element.isConnected) typed.delete(element);
}

/** Whether somebody has typed into a field that is still on the page: it would be lost with the page. */
export function hasTyped(): boolean {
  forgetRemoved();
  return typed.size > 0;
}
