import type { z } from 'zod';
import type { EndedRequest } from '../../db/accounting/requests.ts';
import { projectIdOf } from '../../db/workspaces/defaultProject.ts';
import { usdOf } from '../../db/money.ts';
import { responseIdOf } from '../../calls/text/responseId.ts';
import { parseNote, reasonOf } from '../../providers/routingNote.ts';
import type { EndedCall } from './requestAnswers.ts';

/** An ended call in its public form. */
export function presentRequest(request: EndedRequest): z.infer<typeof EndedCall> {
  const { key, refusal } = request;
  return {
    id: request.id,
    object: 'request',
    route: request.route,
    model: request.model,
    product: request.product,
    status: request.status,
    cancelled: request.cancelled,
    usage: Object.entries(request.usage).map(([unit, quantity]) => ({ unit, quantity })),
    cost_usd: usdOf(request.costNanos),
    hold_usd: usdOf(request.holdNanos),
    started_at: request.startedAt.toISOString(),
    settled_at: request.settledAt.toISOString(),
    first_byte_ms: request.firstByteMs,
    duration_ms: request.durationMs,
    stream_bytes: request.streamBytes,
    ledger_entry_ids: request.ledgerEntryIds,
    key_id: request.keyId,
    key_prefix: key?.prefix ?? null,
    key_name: key?.name ?? null,
    project_id: projectIdOf(request.projectId),
    response_id: hasAnswer(request) ? responseIdOf(request.route, request.id) : null,
    upstream: request.upstream ?? null,
    attempts: request.attempts ?? null,
    routing: presentRouting(request),
    retries: request.retries,
    finish_reason: request.finishReason ?? null,
    cached_tokens: request.cachedTokens ?? null,
    reasoning_tokens: request.reasoningTokens ?? null,
    error: refusal && { code: refusal.code, message: refusal.message },
    has_content: request.hasContent,
    calls: refusal?.calls ?? 1,
  };
}

function presentRouting({ routing, upstream }: EndedRequest): z.infer<typeof EndedCall>['routing'] {
  const note = routing ? parseNote(routing) : null;
  return note && { ...note, reason: reasonOf(note, upstream ?? null) };
}

// Answers from before attempts were recorded had their own ids.
const hasAnswer = ({ attempts, status, firstByteMs }: EndedRequest) =>
  attempts !== null && (status === 200 || firstByteMs !== null);
