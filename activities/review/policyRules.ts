// Invisible characters, direction marks, tags and variation selectors can hide whole sentences that only a model reads.
const INVISIBLE =
  '[\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff\\u115f\\u1160\\u180e\\u3164\\u{e0100}-\\u{e01ef}]';
// Joiners, which some scripts and emoji need between letters.
const JOINER = '(?<![\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{sc=Arabic}\\p{sc=Syriac}])[\\u200c\\u200d]';
// A regional flag is a black flag and at most six tags.
const TAG = '(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{0,6})[\\u{e0000}-\\u{e007f}]';
// A single selector turns a character into an emoji; several in a row show nothing, and hide bytes.
const SELECTORS = '[\\ufe00-\\ufe0f]{2}';
const HIDDEN = new RegExp([INVISIBLE, JOINER, SELECTORS, TAG].join('|'), 'u');

/** Forbidden instructions, as patterns simple enough for a publisher to understand the finding. */
export const POLICY_RULES: { code: string; severity: 'blocking' | 'advisory'; pattern: RegExp; message: string }[] = [
  {
    code: 'asks_for_secrets',
    severity: 'blocking',
    pattern:
      /\b(ask|request|demand|collect|obtain)\b[^.\n]{0,80}\b(passwords?|api keys?|card numbers?|cvv|pin codes?|seed phrases?)\b/i,
    message: 'asks users for secrets. An agent must work without them.',
  },
  {
    code: 'evades_safety',
    severity: 'blocking',
    pattern: /\b(ignore|disregard|bypass|override)\b[^.\n]{0,60}\b(safety|polic(y|ies)|guidelines|moderation)\b/i,
    message: 'tells the model to ignore safety rules.',
  },
  {
    code: 'sends_data_out',
    severity: 'blocking',
    pattern: /\b(send|post|upload|forward|exfiltrate)\b[^.\n]{0,80}\bhttps?:\/\//i,
    message: 'sends what it works on to an address. Use an HTTP tool or a plugin for that, so that users can see it.',
  },
  {
    code: 'poses_as_human',
    severity: 'blocking',
    pattern: /\b(pretend|claim|insist|say)\b[^.\n]{0,40}\b(you are|to be)\b[^.\n]{0,20}\b(a )?(human|real person)\b/i,
    message: 'poses as a human.',
  },
  {
    code: 'hidden_text',
    severity: 'blocking',
    pattern: HIDDEN,
    message: 'contains invisible characters.',
  },
  {
    code: 'encoded_text',
    severity: 'advisory',
    pattern: /[A-Za-z0-9+/]{200,}={0,2}/,
    message: 'holds a long encoded text that a reviewer can not read.',
  },
];
