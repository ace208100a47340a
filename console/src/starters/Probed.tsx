import { durationText } from '../parts/figures.tsx';
import { Status } from '../parts/Status.tsx';
import type { Probe } from './shapes.ts';
import { countOf } from '../parts/totals.tsx';

/** What a probe brought: the answer with its time and tokens, or what is at fault. */
export function Probed({ of: probe, isPending }: { of: Probe | undefined; isPending: boolean }) {
  return (
    <div role="status" className="starters-probed">
      {isPending ? <Status tone="busy" word="Waiting for an answer" /> : <Outcome probe={probe} />}
    </div>
  );
}

function Outcome({ probe }: { probe: Probe | undefined }) {
  if (!probe) return null;
  if (!probe.ok) return <Status tone="bad" word={probe.error ?? 'No answer'} />;
  const { answer, duration_ms: durationMs, input_tokens: read, output_tokens: written } = probe;
  const tokens = read === null || written === null ? '' : `, ${countOf(read + written, 'token')}`;
  return (
    <>
      <Status tone="good" word={`Answered “${answer}” in ${durationText(durationMs)}${tokens}`} />
      {!probe.calls_tools && <Status tone="held" word="It answered in words, not by the tool that it was offered" />}
    </>
  );
}
