import { inSpan, SPAN_KIND, type Tracing } from '../base/tracing.ts';

/** A model, what it is asked for, and what is known after its call. */
interface ModelCall<T> {
  model: { id: string; kind: string };
  /** The upstream that has served the call, or the last one tried. */
  upstream?: () => string | null;
  tokensOf: (result: T) => { input?: number | undefined; output?: number | undefined };
}

// Names of OpenTelemetry's conventions, as far as they have one.
const OPERATIONS: Record<string, string> = { text: 'chat', embedding: 'embeddings' };

/** Makes a call of a model below a span: model, upstream and tokens, nothing of what was said. */
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
