/** The grammar's rules for plain JSON. Whitespace is at most one space: a small model can otherwise write blanks for ever. */
export const JSON_RULES: Record<string, string> = {
  comma: '"," " "?',
  colon: '":" " "?',
  char: '[^"\\\\\\x7F\\x00-\\x1F] | "\\\\" ["\\\\bfnrt]',
  string: '"\\"" char* "\\""',
  integer: '"-"? ("0" | [1-9] [0-9]{0,14})',
  number: 'integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
  member: 'string colon value',
  object: '"{" (member (comma member)*)? "}"',
  array: '"[" (value (comma value)*)? "]"',
  boolean: '"true" | "false"',
  null: '"null"',
  value: 'object | array | string | number | boolean | null',
  hex: '[0-9a-f]',
  label: '[a-z] [a-z0-9]{0,20}',
  host: 'label ("." label){0,2} "." [a-z]{2,6}',
  octet: '"25" [0-5] | "2" [0-4] [0-9] | "1" [0-9] [0-9] | [1-9] [0-9] | [0-9]',
  date: '[0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | "1" [0-9] | "2" [0-8])',
  time: '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] "Z"',
};

/** The insides of a string, by JSON Schema format. Each is a part of the format on which every validator agrees. */
export const STRING_FORMATS = new Map<unknown, string>(
  Object.entries({
    date: 'date',
    time: 'time',
    'date-time': 'date "T" time',
    uuid: 'hex{8} "-" hex{4} "-4" hex{3} "-" [89ab] hex{3} "-" hex{12}',
    email: 'label ("." label)? "@" host',
    hostname: 'host',
    ipv4: 'octet "." octet "." octet "." octet',
    uri: '"https://" host ("/" [a-zA-Z0-9_-]{0,30}){0,4}',
  }),
);

/** A text that must stand there exactly so. */
export function literal(text: string): string {
  return JSON.stringify(text);
}

/** A JSON value that must stand there exactly so. */
export function jsonLiteral(value: unknown): string {
  return literal(JSON.stringify(value));
}
