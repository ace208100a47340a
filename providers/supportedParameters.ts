import type { Json } from './provider.ts';

/** Request members that the service does not define: they are forwarded to upstreams of that vendor's dialect. */
export interface VendorParameters {
  dialect: 'openai' | 'elevenlabs';
  members: Json;
}

/**
 * Which parameters of a request an engine supports: `true` supports any value. A function checks the value, and returns whether it is
 * supported, or the name of an unsupported member. Unlisted parameters are not supported.
 */
export type SupportedParameters<Parameters> = {
  readonly [Name in keyof Parameters]?: true | ((value: NonNullable<Parameters[Name]>) => boolean | string);
};

/** An unsupported parameter, and the name of its unsupported member, if any. */
export interface UnsupportedParameter<Parameters> {
  name: keyof Parameters & string;
  member?: string;
}

/** The first of the given parameters that an engine does not support; undefined means not given. */
export function firstUnsupported<Parameters extends object>(
  supported: SupportedParameters<Parameters>,
  given: Parameters,
): UnsupportedParameter<Parameters> | undefined {
  for (const name of Object.keys(given) as (keyof Parameters & string)[]) {
    const value = given[name];
    if (value === undefined) continue;
    const rule = supported[name];
    const verdict = typeof rule === 'function' ? rule(value as NonNullable<typeof value>) : rule === true;
    if (verdict !== true) return typeof verdict === 'string' ? { name, member: verdict } : { name };
  }
  return undefined;
}

/** Supports members of one vendor's dialect. */
export const inDialect =
  (dialect: VendorParameters['dialect']) =>
  (sent: VendorParameters): boolean | string =>
    sent.dialect === dialect || firstOf(sent);

/** Supports no members outside of the service's own. */
export const noOthers = (sent: VendorParameters): boolean | string => firstOf(sent);

/** A value as form fields: one for each item of a list. */
export const fieldsOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (one === undefined ? [] : [typeof one === 'string' ? one : JSON.stringify(one)]));

const firstOf = ({ members }: VendorParameters) =>
  Object.entries(members).find(([, value]) => !isUnset(value))?.[0] ?? true;

const UNSET_VALUES: readonly unknown[] = [undefined, null, false, 'false', 'False', ''];

/** Whether a parameter has no effect, as if it were omitted. */
export const isUnset = (value: unknown): boolean =>
  UNSET_VALUES.includes(value) || (Array.isArray(value) && value.length === 0);

/** Supports these members of an object, and no others. */
export const membersOnly =
  (names: readonly string[]) =>
  (value: object): boolean | string =>
    Object.entries(value).find(([name, member]) => member !== undefined && !names.includes(name))?.[0] ?? true;

/** Whether a code means English: `en`, `en-GB`, `eng`. */
export const isEnglish = (code: string): boolean => /^en(g|glish)?([-_]|$)/i.test(code);
