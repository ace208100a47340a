const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = ['', 'thousand', 'million', 'billion', 'trillion'];
const DIGITS_MAX = 15;

const IRREGULAR_ORDINALS: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** A row of digits in words, as a quantity: `1234` is one thousand two hundred thirty four. Very long ones are read digit by digit. */
export function cardinal(digits: string): string {
  if (digits.length > DIGITS_MAX || /^0\d/.test(digits)) return digitByDigit(digits);
  const groups = Number(digits).toLocaleString('en-US').split(',');
  const words = groups.flatMap((group, at) => {
    const scale = SCALES[groups.length - 1 - at]!;
    return Number(group) === 0 ? [] : [belowThousand(Number(group)), scale];
  });
  return words.filter(Boolean).join(' ') || 'zero';
}

/** `21` is twenty first. */
export function ordinal(digits: string): string {
  const words = cardinal(digits).split(' ');
  const last = words.pop()!;
  return [...words, IRREGULAR_ORDINALS[last] ?? `${last.replace(/y$/, 'ie')}th`].join(' ');
}

/** `1999` is nineteen ninety nine, `2007` two thousand seven. */
export function year(digits: string): string {
  const century = digits.slice(0, -2);
  const rest = digits.slice(-2);
  if (century.endsWith('0') && rest.startsWith('0')) return cardinal(digits);
  if (rest === '00') return `${cardinal(century)} hundred`;
  return `${cardinal(century)} ${rest.startsWith('0') ? `oh ${cardinal(rest.slice(1))}` : cardinal(rest)}`;
}

/** `90` is ninety, `1990` nineteen ninety, each in the plural. */
export function decade(digits: string): string {
  const words = digits.length === 4 ? year(digits) : cardinal(digits);
  return words.endsWith('y') ? `${words.slice(0, -1)}ies` : `${words}s`;
}

/** `3.05` is three point zero five. */
export function decimal(number: string): string {
  const [whole = '', fraction] = number.replaceAll(',', '').split('.');
  const said = cardinal(whole || '0');
  return fraction === undefined ? said : `${said} point ${digitByDigit(fraction)}`;
}

/** Each digit in words, with a pause at each separator between groups. */
export function digitByDigit(text: string): string {
  return Array.from(text, (character) => ONES[Number(character)] ?? ',').join(' ');
}

function belowThousand(number: number): string {
  const hundreds = Math.floor(number / 100);
  const rest = number % 100;
  const words = [hundreds > 0 ? `${ONES[hundreds]} hundred` : ''];
  if (rest > 0)
    words.push(rest < 20 ? ONES[rest]! : `${TENS[Math.floor(rest / 10)]} ${rest % 10 ? ONES[rest % 10] : ''}`);
  return words.filter(Boolean).join(' ').trim();
}
