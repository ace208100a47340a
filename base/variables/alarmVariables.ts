import * as z from 'zod';
import { address } from './variableTypes.ts';

/** What the worker watches for alerts, besides its own parts. */
export const ALARMS = {
  CERTIFICATE_URL: z
    .union([z.literal('off'), address('https', 'https://api.example')])
    .optional()
    .meta({
      about:
        'Address whose certificate the worker watches, as https://host; off: none, where the worker cannot reach it',
      unset: 'PUBLIC_URL',
    }),
  DATABASE_DISK_DIR: z.string().optional().meta({
    about: "Folder on the database's disk, where the worker's machine sees it: its free space is a metric",
    unset: 'that of the database that `npm start` runs',
  }),
};
