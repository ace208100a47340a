import { invalidValue } from '../../../base/errors/invalidRequest.ts';

const NAME_CHARS_MAX = 100;

/** A tool that is offered or chosen. */
export interface NamedTool {
  type: 'function' | 'custom';
  name: string;
}

/** Refuses a choice of a tool that the request does not offer, before anything is paid for: an upstream would refuse it, too. */
export function refuseUnknownTool({ type, name }: NamedTool, offered: readonly NamedTool[], param: string): void {
  const types = offered.filter((tool) => tool.name === name).map((tool) => tool.type);
  if (types.includes(type)) return;
  const reason = types[0] ? `a tool of type '${types[0]}', not '${type}'` : 'not one of the tools';
  throw invalidValue(param, `'${name.slice(0, NAME_CHARS_MAX)}' is ${reason}.`);
}
