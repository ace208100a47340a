import type { z } from 'zod';
import { isObject, withoutNulls } from '../../../base/json.ts';
import { explainIssue } from './explainIssue.ts';
import { firstIssue } from './firstIssue.ts';
import { notAnObject } from './validateBody.ts';

/** Makes the check of a body whose members are all known; a null member counts as not sent. The check throws `InvalidRequest`. */
export const strictBody =
  <Schema extends z.ZodObject>(schema: Schema) =>
  (body: unknown): z.output<Schema> => {
    if (!isObject(body)) throw notAnObject();
    const sent = withoutNulls(body);
    const found = firstIssue(schema, sent);
    if (found !== null) throw explainIssue(found);
    return sent as z.output<Schema>;
  };
