// Made for the first name: reading how languages are called is a fortieth of the API's start.
let names: Intl.DisplayNames | undefined;

/** `english` for `en`, as OpenAI names languages; what is no language's code stays as it is. */
export function languageNameOf(code: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'language' });
  try {
    return (names.of(code) ?? code).toLowerCase();
  } catch {
    return code;
  }
}
