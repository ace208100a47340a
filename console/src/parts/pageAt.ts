/** The properties of a link to a page with filters in its address: `<Anchor component={Link} {...pageAt('/requests', { key })}>`. */
export const pageAt = (to: string, search: Record<string, string | undefined> = {}) =>
  ({ to, search: () => search }) as { to: string };
