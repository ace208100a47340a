const WORD_CHARS_MAX = 100;
const CHINESE = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2fa1f}]/gu;
// BERT counts all ASCII signs as punctuation, even those that Unicode calls symbols.
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/gu;

/** BERT's lower-case tokeniser: words without accents, cut into the longest pieces of its vocabulary. */
export function createWordPiece(vocabulary: Record<string, number>) {
  const [start, end, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map((name) => vocabulary[name]!) as [
    number,
    number,
    number,
  ];

  function piecesOf(word: string): number[] {
    const characters = Array.from(word);
    if (characters.length > WORD_CHARS_MAX) return [unknown];
    const pieces: number[] = [];
    for (let from = 0; from < characters.length;) {
      let to = characters.length;
      let id: number | undefined;
      for (; to > from && id === undefined; to--) {
        const piece = (from > 0 ? '##' : '') + characters.slice(from, to).join('');
        id = Object.hasOwn(vocabulary, piece) ? vocabulary[piece] : undefined;
        if (id !== undefined) break;
      }
      if (id === undefined) return [unknown];
      pieces.push(id);
      from = to;
    }
    return pieces;
  }

  return {
    size: Object.keys(vocabulary).length,
    /** A text's tokens; for a long text possibly only the first ones, at least `tokensMax`. */
    tokensOf: (text: string, tokensMax = Infinity): number[] => {
      const tokens: number[] = [];
      for (const word of wordsOf(text)) {
        tokens.push(...piecesOf(word));
        if (tokens.length > tokensMax) break;
      }
      return tokens;
    },
    /** With the markers of a text's start and end. */
    framed: (tokens: number[]): number[] => [start, ...tokens, end],
  };
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll(/[\0\ufffd]|(?![\t\n\r])\p{C}/gu, '')
    .replaceAll(CHINESE, ' $& ')
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(PUNCTUATION, ' $& ')
    .split(/\s+/u)
    .filter(Boolean);
}
