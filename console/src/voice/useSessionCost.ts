import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.ts';
import type { VoiceState } from './voiceSession.ts';

const REFRESH_MS = 5_000;
// A call is listed a moment after it ended: the last ones after the end of the conversation.
const LAST_REFRESHES = 3;

/**
 * A conversation's cost so far: its answers, and the received sound, which is billed every 10 s. Each is a separate request, with an id
 * that begins with the socket's.
 */
export function useSessionCost({ requestId, startedAt, phase }: VoiceState): number | undefined {
  const { data } = useQuery({
    queryKey: ['session-cost', requestId, phase],
    queryFn: ({ signal }) => costSince(requestId!, startedAt!, signal),
    enabled: requestId !== null && startedAt !== null,
    refetchInterval: ({ state }) => (phase === 'open' || state.dataUpdateCount < LAST_REFRESHES ? REFRESH_MS : false),
    placeholderData: (before) => before,
  });
  return data;
}

async function costSince(requestId: string, from: string, signal: AbortSignal): Promise<number> {
  let sum = 0;
  let cursor: string | undefined;
  do {
    const query = { from, limit: 100, cursor };
    const page = await answerOf(api.GET('/platform/v1/requests', { params: { query }, signal }));
    for (const { id, cost_usd: usd } of page.data) if (id.startsWith(requestId)) sum += usd;
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return sum;
}
