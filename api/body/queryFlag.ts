import { z } from 'zod';

/** A member of a query that is `true` or `false`; the handler gets a boolean. */
export const queryFlag = z.enum(['true', 'false']).transform((text) => text === 'true');
