/**
 * SQL: the rest of the transaction is planned for statements that read whole tables; the pools plan for single rows, by indexes and nested
 * loops alone.
 */
export const PLAN_WHOLE_TABLES =
  'set local enable_seqscan = on; set local enable_hashjoin = on; set local enable_mergejoin = on; set local plan_cache_mode = auto';
