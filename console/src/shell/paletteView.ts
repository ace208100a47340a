/** What is open over the page: the search of everything, or the list of keys. */
export type PaletteView = 'search' | 'keys';
