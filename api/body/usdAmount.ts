import { z } from 'zod';
import { isWholeNanos } from '../../db/money.ts';

/** An amount in US dollars that the ledger can count. */
export const usdAmount = z.number().refine(isWholeNanos, 'must have at most nine decimals');
