import { jsonOf, MARK, type ChunkShape, type PlainChunk } from '../../../providers/plainChunk.ts';
import type { Json } from '../../../providers/provider.ts';

/** The presented text of a shape: what surrounds its strings, and which of them it has, in order. */
interface PlainForm {
  literals: string[];
  places: number[];
  /** A chunk of this shape. */
  sample: Json;
}

/**
 * Presents plain chunks without making objects of them. `present` is the way by objects: its text for a shape's sample shows where the
 * strings go, and is used where it gives the same text for a chunk of that shape. A choice's state may change that text, and `note` is
 * told of each chunk's other members.
 */
export function createPlainText(present: (chunk: Json) => string, note: (chunk: Json) => void) {
  const forms = new Map<ChunkShape, PlainForm>();
  let changes = 0;

  function textOf(chunk: PlainChunk): string {
    const known = forms.get(chunk.shape);
    if (known) {
      note(known.sample);
      return filled(known, chunk.texts);
    }
    const before = changes;
    const text = present(jsonOf(chunk));
    // Presenting its shape would change the state again.
    if (changes !== before) return text;
    const form = formOf(jsonOf(chunk.shape.sample));
    // The first chunk of a choice has its role too.
    if (filled(form, chunk.texts) === text) forms.set(chunk.shape, form);
    return text;
  }

  function formOf(sample: Json): PlainForm {
    const pieces = present(sample).split(MARK);
    // Copies: marks make a text of wide characters, and its slices too.
    const literals = pieces.filter((_piece, at) => at % 2 === 0).map((piece) => Buffer.from(piece).toString());
    const places = pieces.filter((_piece, at) => at % 2 === 1).map(Number);
    return { literals, places, sample };
  }

  /** A choice has changed its state. */
  const forget = (): void => {
    changes += 1;
    forms.clear();
  };

  return { textOf, forget };
}

function filled({ literals, places }: PlainForm, texts: readonly string[]): string {
  let text = literals[0]!;
  for (let at = 0; at < places.length; at++) text += texts[places[at]!]! + literals[at + 1]!;
  return text;
}
