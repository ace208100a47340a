import { xmlText } from '../xmlText.ts';

/** The bundled font, and alternatives for browsers without it. */
export const FONT_FAMILY = 'Noto Sans, Helvetica, Arial, sans-serif';

// Distinguishable with any kind of colour vision: the palette of Okabe and Ito, darkened for a white background.
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b58900', '#56a0d3', '#7f5539', '#5b5b5b'];

/** The colour of a series by its place. */
export const colourOf = (at: number): string => COLOURS[at % COLOURS.length]!;

type Attributes = Record<string, string | number | undefined>;

/** An element with its attributes, and children that are elements or, with `isText`, text. */
export function element(
  name: string,
  attributes: Attributes,
  children: string[] = [],
  { isText = false }: { isText?: boolean } = {},
): string {
  const given = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${xmlText(typeof value === 'number' ? shortNumber(value) : value!)}"`)
    .join('');
  const content = isText ? children.map(xmlText).join('') : children.join('');
  return content === '' ? `<${name}${given}/>` : `<${name}${given}>${content}</${name}>`;
}

interface TextPlace {
  x: number;
  y: number;
  size: number;
  anchor?: 'start' | 'middle' | 'end';
  fill?: string;
  /** In degrees, around its anchor. */
  turn?: number;
}

export const textAt = (text: string, { x, y, size, anchor, fill = '#333333', turn }: TextPlace): string =>
  element(
    'text',
    {
      x,
      y,
      'font-size': size,
      'text-anchor': anchor,
      fill,
      transform: turn && `rotate(${turn} ${shortNumber(x)} ${shortNumber(y)})`,
    },
    [text],
    { isText: true },
  );

/** Shortens a text to this many characters. */
export function shortened(text: string, charactersMax: number): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  const max = Math.max(1, Math.floor(charactersMax));
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 1).join('')}…`;
}

const shortNumber = (value: number) => String(Math.round(value * 100) / 100);
