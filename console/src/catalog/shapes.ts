import type { components } from '../api/openapi.d.ts';

export type CatalogModel = components['schemas']['CatalogModel'];
export type CatalogPrice = components['schemas']['CatalogPrice'];
export type CatalogUpstream = components['schemas']['CatalogUpstream'];
export type Place = CatalogModel['upstreams'][number];
