/**
 * The workspace that this tab shows, live or test. Every request names it, so that a switch in another tab, or an address of another
 * workspace, never shows its data under this one's name.
 */
const KEY = 'ledgerline-workspace';

/** In links and images, which send no header, and in addresses that open a certain workspace. */
const PARAMETER = 'in_workspace';

/** Undefined until the first answer about the person: the session's workspace then counts. */
export const tabWorkspace = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined;

/** Shows this workspace from now on. The page is loaded anew after it, because other data must not stay on the screen. */
export const showWorkspace = (id: string): void => sessionStorage.setItem(KEY, id);

/** Shows the session's workspace again: after leaving one, and for the next person. */
export const forgetWorkspace = (): void => sessionStorage.removeItem(KEY);

/** Takes the workspace that the address names, as links in mails do. */
export function adoptAddress(): void {
  const address = new URL(location.href);
  const named = address.searchParams.get(PARAMETER);
  if (named === null) return;
  showWorkspace(named);
  address.searchParams.delete(PARAMETER);
  history.replaceState(history.state, '', address);
}

/** The same path, for this tab's workspace. */
export function inWorkspace(path: string): string {
  const id = tabWorkspace();
  return id === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${PARAMETER}=${id}`;
}
