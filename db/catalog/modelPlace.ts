import type { CatalogFile } from './catalogFile.ts';

/** One upstream of a model. */
export interface ModelPlace {
  upstream: string;
  /** Its name of the model. */
  model: string;
  weight?: number | undefined;
  costUsdPerMillion?: Record<string, number> | undefined;
  /** What it charges, as a figure to compare: set where it is known. */
  costRank?: number | undefined;
  without?: readonly string[] | undefined;
  answersAs?: readonly string[] | undefined;
}

/** How the upstreams of a model are chosen. */
export type Routing = NonNullable<CatalogFile['models'][number]['routing']>;
