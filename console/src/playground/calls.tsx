import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { api, sendJson } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';

import { durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';

/** A call of the playground: its time, and its cost if the answer contained it. */
export interface Call {
  requestId: string;
  costUsd: number | null;
  tookMs: number;
}

const COST_ATTEMPTS = 8;
const COST_RETRY_MS = 400;

/** The cost of a call: from its answer, otherwise from its request, which is available a moment after the end. */
export function CallCost({ call }: { call: Call }) {
  const found = useQuery({
    queryKey: ['requests', call.requestId, 'cost'],
    queryFn: async () => (await sendJson<{ cost_usd: number }>(`/platform/v1/requests/${call.requestId}`)).cost_usd,
    enabled: call.costUsd === null,
    retry: COST_ATTEMPTS,
    retryDelay: COST_RETRY_MS,
    staleTime: Infinity,
  });
  const usd = call.costUsd ?? found.data;
  return (
    <Group gap="md" role="status" className="call">
      <Text size="sm">Cost {usd === undefined ? '…' : <Money usd={usd} />}</Text>
      <Text size="sm" c="dimmed">
        {durationText(call.tookMs)}
      </Text>
      <Anchor size="sm" component={Link} {...{ to: `/requests/${call.requestId}` }}>
        Open the request
      </Anchor>
    </Group>
  );
}

/** The names of the catalogue's models of a kind. */
export function useModels(kind: 'text' | 'speech' | 'transcription'): string[] {
  const models = useAnswer(['models'], (signal) => api.GET('/v1/models', { signal }), { staleTime: 60_000 });
  const all = (models.data?.data ?? []) as { id: string; kind?: string }[];
  return all.filter((model) => (model.kind ?? kindOfName(model.id)) === kind).map(({ id }) => id);
}

// Names used by OpenAI's clients, which every installation maps to its own.
const VOICES = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'];

/** The selectable voices: every installation's presets, and the workspace's own. */
export function useVoices(): { value: string; label: string }[] {
  const { data } = useAnswer(['voices'], (signal) => api.GET('/voiceapi/v1/voices', { signal }), { staleTime: 60_000 });
  const { voices = [] } = (data ?? {}) as { voices?: { voice_id: string; name?: string; category?: string }[] };
  const cloned = voices.filter(({ category }) => category === 'cloned');
  return [
    ...VOICES.map((name) => ({ value: name, label: name })),
    ...cloned.map(({ voice_id: id, name }) => ({ value: id, label: name ?? id })),
  ];
}

// For a list without kinds.
function kindOfName(id: string): string {
  if (/embed/.test(id)) return 'embedding';
  if (/transcri|whisper|scribe/.test(id)) return 'transcription';
  if (/conversion|sts/.test(id)) return 'conversion';
  return /speech|tts/.test(id) ? 'speech' : 'text';
}

/** The cost in an answer's header, if any. */
export function costIn(headers: Headers): number | null {
  const cost = headers.get('x-cost-usd');
  return cost === null || cost === '' ? null : Number(cost);
}
