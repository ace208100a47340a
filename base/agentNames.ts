/*
 * How a caller names an agent, the same at every door: `<namespace>/<slug>`, or with `@` and a channel or a version of it, as
 * `acme/poet@beta`. A channel begins with a letter and has no underscore, so it is neither a date nor `aver_…`.
 */

/** The channel of runs that name none: the default version, with its rollout. */
export const STABLE = 'stable';

/** A namespace, or the slug of an agent. */
export const SEGMENT = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const NAME = '[a-z0-9]+(?:-[a-z0-9]+)*/[a-z0-9]+(?:-[a-z0-9]+)*';
const VERSION = String.raw`aver_[0-9A-Za-z]{1,60}|\d{4}-\d{2}-\d{2}(?:\.\d{1,6})?`;
const CHANNEL = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*';

export const CHANNEL_CHARACTERS_MAX = 32;
export const CHANNEL_NAME = new RegExp(`^${CHANNEL}$`);
export const VERSION_NAME = new RegExp(`^(${VERSION})$`);
export const AGENT_NAME = new RegExp(`^${NAME}$`);
export const AGENT_REFERENCE = new RegExp(`^${NAME}(@(${VERSION}|${CHANNEL}))?$`);

/** The agent that a caller's reference names, without the channel or version. */
export const agentIn = (reference: string): string => reference.split('@', 1)[0]!;

/** The named channel or version; null: the default. */
export function releaseIn(reference: string): string | null {
  const named = reference.split('@', 2)[1];
  return named === undefined || named === STABLE ? null : named;
}
