import { invalidRequest } from '../../base/errors/requestErrors.ts';

/** A frame of a voice socket as JSON. Throws 400 `invalid_json`, which names the member that each frame has. */
export function frameJson(data: string, member: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw invalidRequest('invalid_json', `The frame is not JSON. Send an object with the member "${member}".`);
  }
}
