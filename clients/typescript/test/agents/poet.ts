// Written by `ledgerline add acme/poet` from version 2026-11-21. Changes are lost when it is written again.
import { defineAgent } from 'ledgerline';

/**
 * Poet: Writes verses.
 *
 * Calls acme/poet, for $0 to $0.5 a run.
 * @example const { output, costUsd } = await poet('…');
 */
export const poet = defineAgent("acme/poet");
