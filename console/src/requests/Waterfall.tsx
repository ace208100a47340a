import type { RequestRow } from '../api/shapes.ts';
import { countText, durationText } from '../parts/figures.tsx';
import { tokensOf } from './units.ts';

const FAILED = 500;

interface Part {
  name: string;
  kind: 'wait' | 'answer' | 'failed';
  fromMs: number;
  toMs: number;
}

/** Where the time of a call went: until its first token, and the answer itself. */
export function Waterfall({ of: request }: { of: RequestRow }) {
  const { duration_ms: totalMs } = request;
  const share = (ms: number) => `${totalMs === 0 ? 100 : Math.min(100, (ms / totalMs) * 100)}%`;
  return (
    <div>
      <ol className="waterfall" aria-label="Latency">
        {partsOf(request).map(({ name, kind, fromMs, toMs }) => (
          <li key={name} className="waterfall-line">
            <span className="waterfall-name">{name}</span>
            <span className="waterfall-track" aria-hidden>
              <span
                className="waterfall-bar"
                data-part={kind}
                style={{ left: share(fromMs), width: share(toMs - fromMs) }}
              />
            </span>
            <span className="number">{durationText(toMs - fromMs)}</span>
          </li>
        ))}
      </ol>
      <div className="waterfall-line" aria-hidden>
        <span />
        <span className="waterfall-scale number">
          <span style={{ left: 0 }}>0</span>
          <span style={{ left: '50%' }}>{durationText(totalMs / 2)}</span>
          <span style={{ left: '100%' }}>{durationText(totalMs)}</span>
        </span>
        <span />
      </div>
    </div>
  );
}

function partsOf({ duration_ms: total, first_byte_ms: first, status, usage }: RequestRow): Part[] {
  if (status >= FAILED && first === null) return [{ name: 'Until error', kind: 'failed', fromMs: 0, toMs: total }];
  if (first === null || first >= total) return [{ name: 'Response', kind: 'answer', fromMs: 0, toMs: total }];
  const isText = tokensOf(usage).output !== undefined;
  return [
    { name: isText ? 'First token' : 'First byte', kind: 'wait', fromMs: 0, toMs: first },
    { name: 'Response', kind: 'answer', fromMs: first, toMs: total },
  ];
}

/** The rate of the answer, where it came token by token. */
export function rateText({ duration_ms: total, first_byte_ms: first, usage, stream_bytes: bytes }: RequestRow): string {
  const { output } = tokensOf(usage);
  const answerMs = first === null ? 0 : total - first;
  const parts: string[] = [];
  if (output && output > 1 && answerMs > 0)
    parts.push(`${countText(Math.round(output / (answerMs / 1_000)))} tokens/s`);
  if (bytes > 0) parts.push(`${countText(bytes)} bytes streamed`);
  return parts.join(' · ');
}
