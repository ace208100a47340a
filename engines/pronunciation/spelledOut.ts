import { speakable } from './speakable.ts';
import { ABBREVIATIONS, CURRENCIES, MONTHS, NEEDS_FULL_STOP, SIGNS, UNITS } from './abbreviations.ts';
import { cardinal, decade, decimal, digitByDigit, ordinal, year } from './numbers.ts';

interface Neighbours {
  previous: string;
  next: string;
}

type Rule = [RegExp, (groups: string[], around: Neighbours) => string | undefined];

const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;
const SCALE = /^(hundred|thousand|million|billion|trillion)\b/i;
const AMOUNT = new RegExp(`^([$€£¥])(${NUMBER})$`);
const ENDS_IN_NUMBER = new RegExp(`^[-−+(]?${NUMBER}$`);
const SHORT_SCALES: Record<string, string> = { k: 'thousand', m: 'million', b: 'billion', bn: 'billion' };

/** Texts between spaces that are not read as written: the first matching rule returns the words. */
const RULES: Rule[] = [
  [/^(?:https?:\/\/)?(?:[\w.+-]+@)?((?:[\w-]+\.)+[a-z]{2,}(?:\/\S*)?)$/i, ([whole]) => addressOf(whole!)],
  [/^(\d{4})-(\d\d)-(\d\d)$/, ([, y, m, d]) => dateOf(y!, m!, d!)],
  [/^(\d\d?)\/(\d\d?)\/(\d{4})$/, ([, m, d, y]) => dateOf(y!, m!, d!)],
  [/^(\d\d?):(\d\d)(?::\d\d)?([ap]\.?m)?$/i, ([, hour, minute, half]) => timeOf(hour!, minute!, half)],
  [/^(\d\d?)([ap]\.?m)$/i, ([, hour, half]) => `${cardinal(hour!)} ${lettersOf(half!)}`],
  [
    new RegExp(`^-?([$€£¥])(${NUMBER})(k|m|bn|b)?$`, 'i'),
    ([, sign, amount, scale], { next }) => moneyOf(sign!, amount!, scale, next),
  ],
  [/^(\d[\d,]*)(?:st|nd|rd|th)$/i, ([, digits]) => ordinal(digits!.replaceAll(',', ''))],
  [/^'?(\d{4}|\d0)s$/, ([, digits]) => decade(digits!)],
  [/^(\d\d?)\/(\d\d?)$/, ([, part, whole]) => fractionOf(part!, whole!)],
  [/^\+?\(?\d{3}\)?[-.]\d{3,4}(?:[-.]\d{4})?$/, ([whole]) => digitByDigit(whole!.replaceAll(/[+()]/g, ''))],
  [/^(\d+)[-–](\d+)$/, ([, from, to]) => `${numberOf(from!)} to ${numberOf(to!)}`],
  [/^v?(\d+(?:\.\d+){2,})$/i, ([, version]) => version!.split('.').map(cardinal).join(' point ')],
  [
    new RegExp(`^([-−+]?)(${NUMBER})$`),
    ([, sign, number], { previous }) => signed(sign!, quantityOf(number!, previous)),
  ],
  [
    new RegExp(`^([-−+]?)(${NUMBER})-?(°?[a-z/%°]+)$`, 'i'),
    ([, sign, number, unit]) => measureOf(sign!, number!, unit!),
  ],
  [/^#(\d+)$/, ([, digits]) => `number ${cardinal(digits!)}`],
  [/^[ap]\.?m$/i, ([half], { previous }) => (/^\d/.test(previous) ? lettersOf(half!) : undefined)],
  [
    /^[a-z/°]{1,4}$/i,
    ([unit], { previous }) => (ENDS_IN_NUMBER.test(previous) ? UNITS[unit!.toLowerCase()] : undefined),
  ],
  [/^(?:[a-z]\.){1,}[a-z]$/i, ([whole]) => ABBREVIATIONS[whole!.toLowerCase()] ?? lettersOf(whole!)],
];

/**
 * The words for one text between spaces, with punctuation: numbers, money, dates and abbreviations spelled out. Letters keep their case,
 * which marks names and initials.
 */
export function spelledOut(written: string, around: Neighbours): string[] {
  // Asked once: for each dash of a long row it would be a search through the whole row.
  const isRange = /\d[–—]\d/.test(written);
  const plain = written
    .normalize('NFKC')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll('…', '... ')
    .replaceAll(/[–—]|--+/g, () => (isRange ? '-' : ' — '));
  return plain
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((part) => partOf(part, around));
}

/** What a part opens with, its core, and what closes it. Without an expression: its tries would grow with the square of a long row of signs. */
function unwrapped(written: string): [opening: string, core: string, closing: string] {
  const opening = /^["'“”([{*_~`]*/.exec(written)![0];
  let end = written.length;
  while (end > opening.length && CLOSING.has(written[end - 1]!)) end -= 1;
  return [opening, written.slice(opening.length, end), written.slice(end)];
}

const CLOSING = new Set('"\'“”)]}*_~`.,;:!?');

function partOf(written: string, around: Neighbours): string[] {
  if (written === '—') return ['—'];
  const [opening, core, closing] = unwrapped(written);
  const pause = Array.from(closing).find((mark) => ';:,.!?'.includes(mark));
  const said = saidFor(core, closing.startsWith('.'), around);
  const afterMoney = AMOUNT.exec(around.previous);
  if (afterMoney && SCALE.test(core)) said.push(`${CURRENCIES[afterMoney[1]!]![0]}s`);
  const end =
    pause === undefined || (closing === '.' && ownsFullStop(core, around))
      ? []
      : [closing.startsWith('...') ? '…' : pause];
  return [...(opening.includes('(') ? [','] : []), ...said, ...end];
}

/** Whether a full stop belongs to the abbreviation before it, in the middle of a sentence. */
function ownsFullStop(core: string, around: Neighbours): boolean {
  const key = core.toLowerCase();
  if (around.next === '') return false;
  if (ABBREVIATIONS[key] !== undefined) return isShort(core, true, around);
  return /^([a-z]\.)+[a-z]$/.test(key) || (key === 'no' && /^\d/.test(around.next));
}

function saidFor(core: string, hasFullStop: boolean, around: Neighbours): string[] {
  for (const [pattern, say] of RULES) {
    const match = pattern.exec(core);
    const said = match && say([...match], around);
    if (said !== undefined && said !== null) return said.split(/\s+/).filter(Boolean);
  }
  const short = ABBREVIATIONS[core.toLowerCase()];
  if (short && isShort(core, hasFullStop, around)) return short.split(' ');
  if (/^no$/i.test(core) && hasFullStop && /^\d/.test(around.next)) return ['number'];
  return wordsIn(core);
}

/** Whether a word is an abbreviation: if it is a common word too, it needs a full stop, and a name or number beside it. */
function isShort(core: string, hasFullStop: boolean, { next }: Neighbours): boolean {
  if (!NEEDS_FULL_STOP.test(core.toLowerCase())) return true;
  return hasFullStop && next !== '' && (/^[A-Z]/.test(core) || /^\d/.test(next));
}

/** Runs of letters, with signs and digits between them in words: `mp3`, `and/or`, `iPhone`. */
function wordsIn(core: string): string[] {
  const signs = core.replaceAll(/[&@+=%#<>/\\_°×÷→]/g, (sign) => ` ${SIGNS[sign]} `);
  const runs =
    speakable(signs.replaceAll(/(?<=\w)\.(?=[a-z])/gi, ' dot ')).match(
      /\d+(?:\.\d+)?|[A-Za-z]+(?:['-][A-Za-z]+)*'?|,/g,
    ) ?? [];
  return runs.flatMap((run) =>
    /\d/.test(run) ? decimal(run).split(' ') : run.replaceAll(/([a-z])(?=[A-Z])/g, '$1 ').split(' '),
  );
}

function addressOf(address: string): string | undefined {
  if (!/^https?:|^www\.|@|\.(com|org|net|io|dev|ai|app|edu|gov|co|uk|de|eu)\b/i.test(address)) return undefined;
  return address
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .replaceAll(
      /[.@/_-]/g,
      (sign) => ({ '.': ' dot ', '@': ' at ', '/': ' slash ', _: ' underscore ', '-': ' dash ' })[sign]!,
    )
    .replaceAll(/\d+/g, (digits) => ` ${cardinal(digits)} `)
    .replaceAll(/[^\w\s]/g, ' ')
    .replaceAll(/\bwww\b/gi, 'W W W');
}

function dateOf(y: string, m: string, d: string): string | undefined {
  const month = MONTHS[Number(m) - 1];
  return month && Number(d) <= 31 ? `${month} ${ordinal(String(Number(d)))} , ${year(y)}` : undefined;
}

function timeOf(hour: string, minute: string, half?: string): string {
  const past =
    minute === '00'
      ? half
        ? ''
        : "o'clock"
      : minute.startsWith('0')
        ? `oh ${cardinal(minute.slice(1))}`
        : cardinal(minute);
  return [cardinal(String(Number(hour))), past, half ? lettersOf(half) : ''].join(' ');
}

function moneyOf(sign: string, amount: string, scale: string | undefined, next: string): string {
  const [unit, part] = CURRENCIES[sign]!;
  const [whole = '0', hundredths] = amount.replaceAll(',', '').split('.');
  if (SCALE.test(next)) return decimal(amount);
  if (scale) return `${decimal(amount)} ${SHORT_SCALES[scale.toLowerCase()]} ${plural(unit, 2)}`;
  if (hundredths === undefined || Number(hundredths) === 0) return `${cardinal(whole)} ${plural(unit, Number(whole))}`;
  if (hundredths.length !== 2 || !part) return `${decimal(amount)} ${plural(unit, 2)}`;
  const small = `${cardinal(String(Number(hundredths)))} ${plural(part, Number(hundredths))}`;
  return Number(whole) === 0 ? small : `${cardinal(whole)} ${plural(unit, Number(whole))} and ${small}`;
}

function plural(unit: string, count: number): string {
  if (count === 1 || unit === 'yen') return unit;
  return unit === 'penny' ? 'pence' : `${unit}s`;
}

function fractionOf(part: string, whole: string): string {
  const names: Record<string, string> = { '2': 'half', '3': 'third', '4': 'quarter' };
  const name = names[whole];
  if (!name || Number(part) >= Number(whole)) return `${cardinal(part)} over ${cardinal(whole)}`;
  return `${cardinal(part)} ${part === '1' ? name : `${name}s`}`;
}

/** Four digits without a comma are read as a year, a day after its month as an ordinal. */
function quantityOf(number: string, previous: string): string {
  const before = previous.toLowerCase().replace(/\.$/, '');
  const isDay = /^\d\d?$/.test(number) && Number(number) <= 31 && MONTHS.includes(ABBREVIATIONS[before] ?? before);
  return isDay ? ordinal(String(Number(number))) : numberOf(number);
}

function numberOf(number: string): string {
  return /^(1[1-9]|20)\d\d$/.test(number) ? year(number) : decimal(number);
}

function measureOf(sign: string, number: string, unit: string): string | undefined {
  const name = UNITS[unit.toLowerCase()];
  if (!name) return undefined;
  return signed(sign, `${decimal(number)} ${number === '1' ? name.replace(/(?<!hert)s\b/, '') : name}`);
}

const signed = (sign: string, words: string): string =>
  sign === '' ? words : `${sign === '+' ? 'plus' : 'minus'} ${words}`;

/** Initials, each read as a letter: `U.S` is U S. */
const lettersOf = (text: string): string => Array.from(text.toUpperCase().replaceAll('.', '')).join(' ');
