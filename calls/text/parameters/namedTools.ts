import { invalidValue } from '../../../base/errors/invalidRequest.ts';

const NAME_CHARS_MAX = 100;

/** Refuses a choice of a tool that the request does not offer, before anything is paid for: an upstream would refuse it, too. */
export function refuseUnknownTool(name: string, offered: readonly string[], param: string): void {
  if (!offered.includes(name)) throw invalidValue(param, `'${name.slice(0, NAME_CHARS_MAX)}' is not one of the tools.`);
}
