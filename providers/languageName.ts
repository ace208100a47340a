// Created for the first name: loading language names is a fortieth of the API's start.
let names: Intl.DisplayNames | undefined;

/** `english` for `en`, as OpenAI names languages; an unknown code is unchanged. */
export function languageNameOf(code: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'language' });
  try {
    return (names.of(code) ?? code).toLowerCase();
  } catch {
    return code;
  }
}
