import { readXml } from './xml.ts';

/** The levels of the heading styles of paragraphs, by the style's id. Names are English in every language of Word. */
export function headingLevelsIn(styles: Buffer | undefined): Map<string, number> {
  const levels = new Map<string, number>();
  if (!styles) return levels;
  let id = '';
  readXml(styles, {
    open: (name, attributes) => {
      if (name === 'style') id = attributes.get(':styleId') ?? '';
      const value = attributes.get(':val') ?? '';
      if (name === 'name') {
        const level = value.toLowerCase() === 'title' ? '1' : /^heading ([1-9])$/i.exec(value)?.[1];
        if (level) levels.set(id, Number(level));
      }
      if (name === 'outlineLvl' && !levels.has(id) && Number(value) < 9) levels.set(id, Number(value) + 1);
    },
  });
  return levels;
}

/** The levels that a list of Word has. */
const LEVELS = new Set(Array.from({ length: 9 }, (_, level) => String(level)));

/**
 * The number formats of lists, by `<number>/<level>`, and by `style <id>` for styles that are lists. A list's number leads to an abstract
 * list, which has the formats.
 */
export function listFormatsIn(numbering: Buffer | undefined): Map<string, string> {
  const abstract = new Map<string, Map<string, string>>();
  const formats = new Map<string, string>();
  if (!numbering) return formats;
  let [list, level, number] = ['', '', ''];
  readXml(numbering, {
    open: (name, attributes) => {
      const value = attributes.get(':val') ?? '';
      if (name === 'abstractNum') list = attributes.get(':abstractNumId') ?? '';
      else if (name === 'lvl') level = attributes.get(':ilvl') ?? '';
      else if (name === 'numFmt' && LEVELS.has(level)) {
        const ofList = abstract.get(list) ?? new Map<string, string>();
        abstract.set(list, ofList.set(level, value === 'bullet' ? 'bullet' : 'decimal'));
      } else if (name === 'pStyle') formats.set(`style ${value}`, abstract.get(list)?.get(level) ?? 'bullet');
      else if (name === 'num') number = attributes.get(':numId') ?? '';
      else if (name === 'abstractNumId') {
        for (const [at, format] of abstract.get(value) ?? []) formats.set(`${number}/${at}`, format);
      }
    },
  });
  return formats;
}
