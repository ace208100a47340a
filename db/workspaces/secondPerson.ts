import type { Actor } from './audit.ts';

/** The actor who asks for something that a second person decides, or decides it: by id, with their key and request. */
export interface Person extends Actor {
  /** The key's id, if no known person made the key. */
  personId: string;
  isKnown: boolean;
  name: string;
}

/** The reason why a person may not approve what somebody asked for; undefined when there is none. */
export function approvalRefusal(
  { requestedBy }: { requestedBy: string },
  by: Person,
): 'unknown_person' | 'same_person' | undefined {
  if (!by.isKnown) return 'unknown_person';
  return requestedBy === by.personId ? 'same_person' : undefined;
}
