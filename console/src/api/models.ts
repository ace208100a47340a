import { api } from './client.ts';
import { useAnswer } from './hooks.ts';

/** The models of this installation. They rarely change. */
export const useModels = () =>
  useAnswer(['models'], (signal) => api.GET('/v1/models', { signal }), { staleTime: 300_000 });

/** A chat model for examples that run unchanged. */
export function useTextModel(): string | undefined {
  const models: { id: string; kind?: string }[] = useModels().data?.data ?? [];
  return (models.find(({ kind }) => kind === 'text') ?? models[0])?.id;
}
