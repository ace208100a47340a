import { api } from './client.ts';
import { useAnswer } from './hooks.ts';

/** The models of this installation, without the agents. They rarely change. */
export const useModels = () => useAnswer(['models'], readModels, { staleTime: 300_000 });

async function readModels(signal: AbortSignal) {
  const answer = await api.GET('/v1/models', { signal });
  if (!answer.data) return answer;
  return { ...answer, data: { ...answer.data, data: answer.data.data.filter(({ kind }) => kind !== 'agent') } };
}

/** A chat model for examples that run unchanged. */
export function useTextModel(): string | undefined {
  const models: { id: string; kind?: string }[] = useModels().data?.data ?? [];
  return (models.find(({ kind }) => kind === 'text') ?? models[0])?.id;
}
