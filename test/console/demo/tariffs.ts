import { send, type Person } from './people.ts';

const DAY_MS = 86_400_000;

/** What operators change of the catalogue: costs, an upstream, a model, and prices that hold, that come, and that wait. */
export async function changeCatalog(first: Person, second: Person): Promise<void> {
  const cost = (model: string, input_tokens: number, output_tokens: number) =>
    send(first, 'PUT', `catalog/models/${model}/costs`, {
      upstream: 'main',
      usd_per_million: { input_tokens, output_tokens },
    });
  await cost('deepseek-v3.1', 0.27, 1.1);
  await cost('qwen3-32b', 0.08, 0.24);
  await cost('llama-3.3-70b', 0.38, 0.52);
  await cost('mistral-small-3.2', 0.11, 0.33);
  await send(first, 'POST', 'catalog/upstreams', {
    id: 'frankfurt',
    base_url: 'http://vllm.frankfurt.internal:8000/v1',
    api_key: 'sk-frankfurt-4f7Qa9',
  });
  const places = [
    { upstream: 'main', model: 'scripted' },
    { upstream: 'frankfurt', model: 'qwen3-32b-fp8' },
  ];
  await send(first, 'PATCH', 'catalog/models/qwen3-32b', { upstreams: places, aliases: ['qwen3'] });
  const propose = (model: string, usd_per_million: object, reason: string, holds_from?: string) =>
    send(first, 'POST', 'catalog/prices', { model, usd_per_million, reason, ...(holds_from && { holds_from }) });
  const approve = (id: string) => send(second, 'POST', `catalog/prices/${id}/approve`, {});
  const lower = { input_tokens: 0.19, output_tokens: 0.57, cached_input_tokens: 0.05 };
  await approve((await propose('qwen3-32b', lower, 'The new machines in Frankfurt cost less')).id);
  const later = new Date(Date.now() + 5 * DAY_MS).toISOString();
  const dearer = { input_tokens: 0.6, output_tokens: 0.8 };
  await approve((await propose('llama-3.3-70b', dearer, 'Notice of 1 December', later)).id);
  await propose('mistral-small-3.2', { input_tokens: 0.14, output_tokens: 0.42 }, 'It is sold below its cost');
}
