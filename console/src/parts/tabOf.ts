/** The tab that the address names; the first one where it names none, or none that is there. */
export const tabOf = (tabs: readonly { value: string }[], named: string | undefined): string =>
  (tabs.find(({ value }) => value === named) ?? tabs[0]!).value;
