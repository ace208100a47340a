import type { components } from '../api/openapi.d.ts';

/** A budget, or a warning of how long the balance lasts, with what it watches now. */
export type SpendAlert = components['schemas']['Alert'];
