import { api } from '../api/client.ts';
import { rowsFrom, useAnswer } from '../api/hooks.ts';
import { useModels } from '../api/models.ts';
import type { components } from '../api/openapi.d.ts';
import type { Model } from '../playground/models.ts';

export type Performance = components['schemas']['ModelPerformanceList']['data'][number];

/** A model, and how it answered in the last hour, once that is known. */
export type ModelRow = Model & { measured: Performance | undefined };

const FRESH_MS = 15_000;

/** All models with their measured speed. The list does not wait for the figures. */
export function useModelRows() {
  const models = useModels();
  const measured = useAnswer(
    ['models', 'performance'],
    (signal) => api.GET('/platform/v1/models/performance', { signal }),
    {
      refetchInterval: FRESH_MS,
    },
  );
  const known = new Map(measured.data?.data.map((row) => [row.model, row]));
  return rowsFrom(
    models,
    models.data?.data.map((model): ModelRow => ({ ...model, measured: known.get(model.id) })),
  );
}
