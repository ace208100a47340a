import * as z from 'zod';
import { wholeNumber } from './variableTypes.ts';

/** Variables of the archive of months. */
export const ARCHIVE = {
  ARCHIVE_AFTER_DAYS: wholeNumber(30, 3_650).optional().meta({
    about: 'Days after its end when a month of calls moves to the archive; at least 30',
    unset: 'months stay in the database',
  }),
  ARCHIVE_FOLDER: z.string().optional().meta({
    about: 'Folder of archived months, which every process must see under this path',
    unset: 'the store of FILES_S3_URL, under archive/',
  }),
};
