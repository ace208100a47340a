import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../api/client.ts';
import { countText, durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import type { Figures } from './conversation.ts';

// An answer that arrived at once has no speed.
const GENERATION_MS_MIN = 50;
const LAST = 20;
const ATTEMPTS = 8;
const RETRY_MS = 400;

/** The cost and speed of a call. Figures missing in its answer are read from its request, which is listed a moment after the end. */
export function CallFigures({ figures, isText = false }: { figures: Figures; isText?: boolean }) {
  const { requestId, costUsd, inputTokens, outputTokens, firstMs, tookMs } = figures;
  const isKnown = costUsd !== null && (!isText || outputTokens !== null);
  const { data: request } = useQuery({
    queryKey: ['requests', requestId, 'figures'],
    queryFn: ({ signal }) => endedRequest(requestId, signal),
    enabled: !isKnown && requestId !== '',
    retry: ATTEMPTS,
    retryDelay: RETRY_MS,
    staleTime: Infinity,
  });
  const usd = costUsd ?? request?.cost_usd;
  const quantityOf = (unit: string) => request?.usage.find((one) => one.unit === unit)?.quantity;
  const input = inputTokens ?? quantityOf('input_tokens');
  const output = outputTokens ?? quantityOf('output_tokens');
  return (
    <ul className="call-figures" aria-label="Figures of this call" role="list">
      <li className="call-cost">Cost {usd === undefined ? '…' : <Money usd={usd} />}</li>
      {isText && (
        <li title="Tokens of the prompt and of the answer">
          {input === undefined ? '…' : countText(input)} in / {output === undefined ? '…' : countText(output)} out
        </li>
      )}
      <Speed output={output} firstMs={firstMs} tookMs={tookMs} />
      {firstMs !== null && <Figure name="First token">{durationText(firstMs)}</Figure>}
      <Figure name="Latency">{durationText(tookMs)}</Figure>
      {requestId !== '' && (
        <li className="call-links">
          <Anchor component={Link} {...{ to: `/requests/${requestId}` }} inherit>
            Request
          </Anchor>
          <Anchor component={Link} {...pageAt('/explain', { id: requestId })} inherit>
            Explain
          </Anchor>
        </li>
      )}
    </ul>
  );
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <li>
    {name} <span className="number">{children}</span>
  </li>
);

/** A call among the last ones; throws while it is not listed yet. A page of a running call would be refused, and the list is not. */
async function endedRequest(id: string, signal: AbortSignal) {
  const { data } = await answerOf(api.GET('/platform/v1/requests', { params: { query: { limit: LAST } }, signal }));
  const request = data.find((one) => one.id === id);
  if (!request) throw new Error('This call is not listed yet.');
  return request;
}

/** From the first token to the end. */
function Speed({ output, firstMs, tookMs }: { output: number | undefined; firstMs: number | null; tookMs: number }) {
  if (!output || output < 2 || firstMs === null || tookMs - firstMs < GENERATION_MS_MIN) return null;
  const perSecond = (output - 1) / ((tookMs - firstMs) / 1_000);
  return (
    <li title="Tokens of the answer in a second, from the first to the last">
      <span className="number">{perSecond < 100 ? perSecond.toFixed(1) : countText(Math.round(perSecond))}</span> tok/s
    </li>
  );
}
