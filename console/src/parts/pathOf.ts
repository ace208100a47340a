/** The path and query of one of the installation's own addresses: pages may be open at another name of its host. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}
