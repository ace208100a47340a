import { readXml, type Attributes } from './xml.ts';

/** The value of a cell. Dates and times are texts in the form of ISO 8601. */
export type Cell = string | number | boolean | null;

interface CellSource {
  strings: readonly string[];
  styles: Buffer | undefined;
  /** Days are counted from 1904, as on old Macs. */
  hasDatesFrom1904: boolean;
}

/** Reads the values of a workbook's cells from their attributes and their text. */
export function createCellReader({ strings, styles, hasDatesFrom1904 }: CellSource) {
  const formats = styles ? dateFormatsIn(styles) : [];
  return (attributes: Attributes, text: string): Cell => {
    if (text === '') return null;
    switch (attributes.get('t') ?? 'n') {
      case 's':
        return strings[Number(text)] ?? null;
      case 'b':
        return text === '1';
      case 'n': {
        const number = Number(text);
        if (!Number.isFinite(number)) return text;
        const format = formats[Number(attributes.get('s') ?? 0)];
        return (format && dateOf(number, format, hasDatesFrom1904)) ?? Number(number.toPrecision(15));
      }
      // Texts of the cell itself, results of formulas, errors, and dates in the form of ISO 8601.
      default:
        return text;
    }
  };
}

interface DateFormat {
  hasDate: boolean;
  hasTime: boolean;
}

/** The formats of a workbook's cell styles that show a date or a time, by the style's number. */
function dateFormatsIn(styles: Buffer): (DateFormat | undefined)[] {
  const own = new Map<string, DateFormat | undefined>();
  const formats: (DateFormat | undefined)[] = [];
  let isCellStyle = false;
  readXml(styles, {
    open: (name, attributes) => {
      const id = attributes.get('numFmtId') ?? '0';
      if (name === 'numFmt') own.set(id, dateFormatOf(attributes.get('formatCode') ?? ''));
      else if (name === 'cellXfs') isCellStyle = true;
      else if (name === 'xf' && isCellStyle) formats.push(own.has(id) ? own.get(id) : builtInFormat(Number(id)));
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return formats;
}

const FORMAT_CHARACTERS_MAX = 255;

function dateFormatOf(code: string): DateFormat | undefined {
  // Excel has no longer formats, and the expressions below take quadratic time. Only the first section counts; texts, escaped characters,
  // colours and conditions are not dates. [h] is a duration.
  const bare = code
    .slice(0, FORMAT_CHARACTERS_MAX)
    .split(';')[0]!
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?![hms]+\])[^\]]*\]/gi, '')
    .toLowerCase();
  const [hasTime, hasDate] = [/[hs]|am\/pm/.test(bare), /[yd]|mmm/.test(bare)];
  if (hasTime || hasDate) return { hasDate, hasTime };
  return /^[^0#?]*m[^0#?]*$/.test(bare) ? { hasDate: true, hasTime: false } : undefined;
}

// The formats that every workbook has; the gaps belong to East Asian calendars.
function builtInFormat(id: number): DateFormat | undefined {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58))
    return { hasDate: true, hasTime: false };
  if (id === 22) return { hasDate: true, hasTime: true };
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47))
    return { hasDate: false, hasTime: true };
  return undefined;
}

const DAY_SECONDS = 86_400;
const UNIX_EPOCH_DAY = 25_569;
const DAYS_TO_1904 = 1_462;
const LAST_DAY = 2_958_465;
/** Excel counts a 29th of February in 1900. */
const FIRST_TRUE_DAY = 61;

function dateOf(serial: number, { hasDate, hasTime }: DateFormat, isFrom1904: boolean): string | undefined {
  const shifted = isFrom1904 ? serial + DAYS_TO_1904 : serial;
  if (shifted < 0 || shifted > LAST_DAY) return undefined;
  const days = !isFrom1904 && shifted < FIRST_TRUE_DAY && hasDate ? shifted + 1 : shifted;
  const seconds = Math.round(days * DAY_SECONDS);
  if (!hasDate) return durationOf(seconds);
  const text = new Date((seconds - UNIX_EPOCH_DAY * DAY_SECONDS) * 1000).toISOString();
  const isMidnight = seconds % DAY_SECONDS === 0;
  return hasTime || !isMidnight ? text.slice(0, 19).replace('T', ' ') : text.slice(0, 10);
}

const durationOf = (seconds: number) =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
