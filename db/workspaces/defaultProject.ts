/** The name of the default project in the API. It has no row: rows that belong to it have null. */
export const DEFAULT_PROJECT = 'default';

/** The stored form of a project's id: null for the default project. */
export const storedProjectOf = (id: string): string | null => (id === DEFAULT_PROJECT ? null : id);

/** The project's id in the API. Sums of usage store it as an empty text. */
export const projectIdOf = (stored: string | null): string => stored || DEFAULT_PROJECT;
