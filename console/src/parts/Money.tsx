import { centsText, usdText } from './figures.tsx';
import type { Usd } from './nanos.ts';
import { fixedText } from './precision.ts';

const CENT_DIGITS = 2;

export { columnText, digitsOf, exactDigitsOf } from './precision.ts';

/**
 * An amount of US dollars, exact on hover. Without `digits` it is exact to the nano; with them it has the precision of its column;
 * `isRounded` shows cents. The zeros that say nothing are dim.
 */
export function Money({
  usd,
  digits,
  isRounded = false,
  hasSign = false,
}: {
  usd: Usd | null | undefined;
  /** Digits after the point: see `digitsOf`. */
  digits?: number;
  isRounded?: boolean;
  hasSign?: boolean;
}) {
  if (usd === null || usd === undefined) return <span className="number">—</span>;
  const exact = usdText(usd);
  const text = isRounded ? centsText(usd) : digits === undefined ? exact : fixedText(usd, digits);
  const amount = Number(usd);
  const signed = hasSign && amount > 0 ? `+${text}` : text;
  const { before, lead, middle, trail } = isRounded ? plain(signed) : amount === 0 ? allDim(signed) : split(signed);
  return (
    <span className="number" title={text === exact ? undefined : exact}>
      {before}
      {lead && <span className="money-dim">{lead}</span>}
      {middle}
      {trail && <span className="money-dim">{trail}</span>}
    </span>
  );
}

/** A headline: whole cents large, the rest to the nano small. Below a cent the figures that count are large, and the zeros before are dim. */
export function HeadlineMoney({ usd }: { usd: number | null | undefined }) {
  if (usd === null || usd === undefined) return <span className="number">—</span>;
  const text = usdText(usd);
  if (usd !== 0 && Math.abs(usd) < 0.01) {
    const { before, lead, middle } = split(text);
    return (
      <span className="number">
        {before}
        <span className="money-lead">{lead}</span>
        {middle}
      </span>
    );
  }
  const end = text.indexOf('.') + 1 + CENT_DIGITS;
  return (
    <span className="number">
      {text.slice(0, end)}
      {text.length > end && <span className="money-rest">{text.slice(end)}</span>}
    </span>
  );
}

const allDim = (text: string) => ({ before: '', lead: text, middle: '', trail: '' });

/** Cents all count. */
const plain = (text: string) => ({ before: '', lead: '', middle: text, trail: '' });

/** `$0.000120` in its parts: what leads to the first figure that counts, the figures, and the zeros behind the cents. */
function split(text: string): { before: string; lead: string; middle: string; trail: string } {
  const [, before = '', lead = '', rest = ''] = /^([^\d$]*)(\$0\.0*(?=[1-9]))?(.*)$/.exec(text) ?? [];
  const trail = /(?<=\.\d\d\d*?)0+$/.exec(`${lead}${rest}`)?.[0] ?? '';
  const kept = Math.max(0, rest.length - trail.length);
  return { before, lead, middle: rest.slice(0, kept), trail: rest.slice(kept) };
}
