import { inSpan, SPAN_KIND, type Tracing } from '../base/tracing.ts';

/** A model, the operation, and the results known after the call. */
interface ModelCall<T> {
  model: { id: string; kind: string };
  /** The upstream that served the call, or the last attempt's. */
  upstream?: () => string | null;
  tokensOf: (result: T) => { input?: number | undefined; output?: number | undefined };
}

// Names of OpenTelemetry's conventions, where they exist.
const OPERATIONS: Record<string, string> = { text: 'chat', embedding: 'embeddings' };

/** Calls a model within a span: model, upstream and tokens, none of the content. */
export function traceModel<T>(
  tracing: Tracing,
  { model, upstream, tokensOf }: ModelCall<T>,
  call: () => Promise<T>,
): Promise<T> {
  const operation = OPERATIONS[model.kind] ?? model.kind;
  const attributes = { 'gen_ai.operation.name': operation, 'gen_ai.request.model': model.id };
  return inSpan(tracing, `${operation} ${model.id}`, { kind: SPAN_KIND.client, attributes }, async (span) => {
    try {
      const result = await call();
      const { input, output } = tokensOf(result);
      if (input !== undefined) span.setAttribute('gen_ai.usage.input_tokens', input);
      if (output !== undefined) span.setAttribute('gen_ai.usage.output_tokens', output);
      return result;
    } finally {
      const name = upstream?.();
      if (name) span.setAttribute('gen_ai.provider.name', name);
    }
  });
}
