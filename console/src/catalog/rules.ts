import type { CatalogModel } from './shapes.ts';

export type Rule = CatalogModel['routing']['by'];

/** How the upstreams of a model are chosen, in words. */
export const RULES: Record<Rule, string> = {
  order: 'A call goes to the first healthy one of the list.',
  weighted: 'Calls are shared out by weight.',
  price: 'A call goes to the one that charges least.',
  latency: 'A call goes to the one with the lowest p95 of the last five minutes.',
  errors: 'A call goes to the one with the fewest errors of the last five minutes.',
};

export const RULE_NAMES: Record<Rule, string> = {
  order: 'In their order',
  weighted: 'By weight',
  price: 'By cost',
  latency: 'By speed',
  errors: 'By errors',
};
