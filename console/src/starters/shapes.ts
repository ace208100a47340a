import type { components } from '../api/openapi.d.ts';

export type Starters = components['schemas']['CatalogStarters'];
export type Vendor = Starters['vendors'][number];
export type LocalEngine = components['schemas']['CatalogEngine'];
export type Probe = components['schemas']['StarterProbe'];
export type ProbeOrder = components['schemas']['StarterProbeOrder'];
