/** The tab that the address names; the first one where it names none, or none that is there. */
export const tabOf = (tabs: readonly string[], named: string | undefined): string =>
  named !== undefined && tabs.includes(named) ? named : tabs[0]!;
