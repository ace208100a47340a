/**
 * What is typed and not saved, kept by this tab: a reload, another page, or a session that ends in between must not lose it. It is gone
 * with the tab, and when its person signs out.
 */
const PREFIX = 'ledgerline-unsaved:';

/** What was kept under the name; undefined when there is nothing. */
export function readUnsaved(name: string): unknown {
  const text = sessionStorage.getItem(PREFIX + name);
  return text === null ? undefined : JSON.parse(text);
}

/** Keeps a value. One that is larger than what the browser has room for is not kept. */
export function keepUnsaved(name: string, value: object): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    forgetUnsaved(name);
  }
}

export const forgetUnsaved = (name: string): void => sessionStorage.removeItem(PREFIX + name);

export function forgetAllUnsaved(): void {
  for (const name of Object.keys(sessionStorage).filter((one) => one.startsWith(PREFIX)))
    sessionStorage.removeItem(name);
}
