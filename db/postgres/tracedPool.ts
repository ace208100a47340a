import type { Span } from '@opentelemetry/api';
import type { ClientBase, Pool } from 'pg';
import { markFailed, SPAN_KIND, type Tracing } from '../../base/tracing.ts';

type Query = (...args: unknown[]) => unknown;

/**
 * Records a pool's statements for a request or an activity, each as a span with its name. Values are left out, and so are texts: the
 * ORM's contain values.
 */
export function tracePool(tracing: Tracing, pool: Pool, url: string): void {
  const common = attributesOf(url);
  pool.query = traced(pool.query.bind(pool)) as Pool['query'];
  pool.on('connect', (client: ClientBase) => {
    client.query = traced(client.query.bind(client)) as ClientBase['query'];
  });

  function traced(query: Query): Query {
    return (...args) => {
      const parent = tracing.active();
      // The pool's own calls have a callback: their span began with the pool's `query`, in its caller's context.
      if (!parent?.isRecording() || typeof args.at(-1) === 'function') return query(...args);
      const summary = summaryOf(args[0] as string | { name?: string; text: string });
      const attributes = { ...common, 'db.query.summary': summary };
      const span = tracing.start(summary, { kind: SPAN_KIND.client, attributes }, parent);
      const answer = query(...args);
      void (answer as Promise<unknown>).then(
        () => span.end(),
        (error: unknown) => endFailed(span, error),
      );
      return answer;
    };
  }
}

function endFailed(span: Span, error: unknown): void {
  const { code } = error as { code?: string };
  if (code !== undefined) span.setAttribute('db.response.status_code', code);
  markFailed(span, error);
  span.end();
}

function attributesOf(url: string) {
  const { hostname, port, pathname } = new URL(url);
  return {
    'db.system.name': 'postgresql',
    'db.namespace': pathname.slice(1),
    'server.address': hostname,
    'server.port': Number(port || 5432),
  };
}

const OPERATION = /^[\s(]*(\w+)/;
const TARGET = /\b(?:from|into|update|join)\s+"?([a-z_]\w*)"?/i;

/** The name of a prepared statement; otherwise its verb and its first table or function: `SELECT runs`. */
export function summaryOf(statement: string | { name?: string; text: string }): string {
  if (typeof statement !== 'string' && statement.name !== undefined) return statement.name;
  const text = typeof statement === 'string' ? statement : statement.text;
  // The rest after the first quotation mark may be a value.
  const [head] = text.split(/['$]/, 1) as [string];
  const operation = (OPERATION.exec(head)?.[1] ?? 'query').toUpperCase();
  const target = TARGET.exec(head)?.[1];
  return target === undefined ? operation : `${operation} ${target}`;
}
