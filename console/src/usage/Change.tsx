import { percentText } from './percent.ts';

/** The change against the period before, in percent. */
export function Change({ now, before, than }: { now: number | undefined; before: number | undefined; than?: string }) {
  if (now === undefined || before === undefined) return null;
  return (
    <span className="number" title={than && `Compared with ${than}`}>
      {percentText(now, before)}
    </span>
  );
}
