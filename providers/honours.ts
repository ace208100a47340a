import type { Json } from './provider.ts';

/** Members of a request that the service has no word for: they go to upstreams of the vendor whose dialect they are in. */
export interface VendorParameters {
  dialect: 'openai' | 'elevenlabs';
  members: Json;
}

/**
 * What an engine does with the parameters of a request: `true` honours one whatever it says. A function looks at the value, and returns
 * whether it is honoured, or the name of a member that is not. What is not named here is not honoured.
 */
export type Honours<Parameters> = {
  readonly [Name in keyof Parameters]?: true | ((value: NonNullable<Parameters[Name]>) => boolean | string);
};

/** A parameter that an engine does not honour, and where one of its members is at fault, that one's name. */
export interface Unhonoured<Parameters> {
  name: keyof Parameters & string;
  member?: string;
}

/** The first of the given parameters that an engine does not honour; undefined means not given. */
export function unhonouredOf<Parameters extends object>(
  honours: Honours<Parameters>,
  given: Parameters,
): Unhonoured<Parameters> | undefined {
  for (const name of Object.keys(given) as (keyof Parameters & string)[]) {
    const value = given[name];
    if (value === undefined) continue;
    const rule = honours[name];
    const verdict = typeof rule === 'function' ? rule(value as NonNullable<typeof value>) : rule === true;
    if (verdict !== true) return typeof verdict === 'string' ? { name, member: verdict } : { name };
  }
  return undefined;
}

/** Honours members in one vendor's words. */
export const inDialect =
  (dialect: VendorParameters['dialect']) =>
  (sent: VendorParameters): boolean | string =>
    sent.dialect === dialect || firstOf(sent);

/** Honours no member that the service has no word for. */
export const noOthers = (sent: VendorParameters): boolean | string => firstOf(sent);

/** A value as a field of a form has it: once for each of a list. */
export const fieldsOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (one === undefined ? [] : [typeof one === 'string' ? one : JSON.stringify(one)]));

const firstOf = ({ members }: VendorParameters) =>
  Object.entries(members).find(([, value]) => !isUnset(value))?.[0] ?? true;

const UNSET_VALUES: readonly unknown[] = [undefined, null, false, 'false', 'False', ''];

/** Whether a parameter that was sent asks for nothing: it is as if it had been left out. */
export const isUnset = (value: unknown): boolean =>
  UNSET_VALUES.includes(value) || (Array.isArray(value) && value.length === 0);

/** Honours these members of an object, and no others. */
export const membersOnly =
  (names: readonly string[]) =>
  (value: object): boolean | string =>
    Object.entries(value).find(([name, member]) => member !== undefined && !names.includes(name))?.[0] ?? true;

/** Whether a code means English: `en`, `en-GB`, `eng`. */
export const isEnglish = (code: string): boolean => /^en(g|glish)?([-_]|$)/i.test(code);
