// Those that Whisper knows, which OpenAI's transcriptions name.
const CODES = (
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn ' +
  'sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my ' +
  'bo tl mg as tt haw ln ha ba jv su yue'
).split(' ');

/** Where OpenAI's name is another than Unicode's. */
const OWN_NAMES: Record<string, string> = {
  bn: 'bengali',
  mi: 'maori',
  my: 'myanmar',
  nn: 'nynorsk',
  tl: 'tagalog',
};

// Created for the first name: loading language names takes a fortieth of the API's start.
let names: Intl.DisplayNames | undefined;
let codes: Map<string, string> | undefined;

/** `english` for `en`, as OpenAI names languages; an unknown code is unchanged. */
export function languageNameOf(code: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'language' });
  try {
    return OWN_NAMES[code] ?? (names.of(code) ?? code).toLowerCase();
  } catch {
    return code;
  }
}

/** `en` for `English`, and for `en` itself; undefined for an unknown name. */
export function languageCodeOf(name: string): string | undefined {
  codes ??= new Map(CODES.map((code) => [languageNameOf(code), code]));
  const lower = name.trim().toLowerCase();
  return codes.get(lower) ?? (/^[a-z]{2,3}$/.test(lower) ? lower : undefined);
}
