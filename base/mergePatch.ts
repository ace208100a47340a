import { isObject } from './json.ts';

/** A JSON object after a JSON Merge Patch (RFC 7396): members of the patch replace the object's, null deletes, objects are merged. */
export function mergePatch(target: unknown, patch: Record<string, unknown>): Record<string, unknown> {
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, isObject(value) ? mergePatch(members.get(name), value) : value);
  }
  return Object.fromEntries(members);
}
