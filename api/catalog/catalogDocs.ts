import { pageOf, type RouteDoc } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import {
  CatalogModelAnswer,
  CatalogModelList,
  CatalogPriceAnswer,
  CatalogUpstreamAnswer,
  CatalogUpstreamList,
  PreviewAnswer,
  PriceHistory,
  ProbeAnswer,
  RemovedChange,
} from './catalogAnswers.ts';
import {
  CostBody,
  ModelChangeBody,
  NewModelBody,
  NewPriceBody,
  NewUpstreamBody,
  PreviewBody,
  PriceQuery,
  UpstreamChangeBody,
} from './catalogSchema.ts';

const TAG = 'Catalogue';
const MODEL = { id: 'CatalogModel', schema: CatalogModelAnswer };
const UPSTREAM = { id: 'CatalogUpstream', schema: CatalogUpstreamAnswer };
const PRICE = { id: 'CatalogPrice', schema: CatalogPriceAnswer };
const REMOVED = { id: 'RemovedChange', schema: RemovedChange };

const models = {
  models: {
    tag: TAG,
    summary: 'List the models of the catalogue',
    description:
      'Also those that are not sold. Each says whether it is as in the catalogue file or who changed it when, its price, ' +
      'and for each upstream its health, its stated cost and what remains of the price.',
    answer: { id: 'CatalogModelList', schema: CatalogModelList },
  },
  addModel: {
    tag: TAG,
    summary: 'Add a model',
    description: 'It is sold from the instant of its first approved price on. 409 `model_exists`.',
    input: {
      id: 'NewCatalogModel',
      schema: NewModelBody,
      example: {
        id: 'qwen3-8b',
        kind: 'text',
        context_tokens: 32768,
        upstreams: [{ upstream: 'vllm', model: 'qwen3' }],
      },
    },
    answer: MODEL,
    statuses: [201],
    errors: [409],
  },
  model: { tag: TAG, summary: 'Read a model of the catalogue', answer: MODEL },
  changeModel: {
    tag: TAG,
    summary: 'Change a model',
    description:
      'Changes what is sent; a null member is the file’s again. Every process has the change within a second. A disabled ' +
      'model is unknown to new calls (404 `model_not_found`), and calls that run end normally. 409 `model_in_use` where ' +
      'another model needs it.',
    input: { id: 'CatalogModelChange', schema: ModelChangeBody, example: { aliases: ['qwen'], disabled: false } },
    answer: MODEL,
    errors: [409],
  },
  returnModel: {
    tag: TAG,
    summary: 'Return a model to the file',
    description: 'Drops what operators changed of it. A model that the file does not have is removed. Prices stay.',
    answer: REMOVED,
    errors: [409],
  },
  history: {
    tag: TAG,
    summary: 'List the prices of a model',
    description: 'Every price that holds, held or will hold, with who proposed and who approved it; the newest first.',
    answer: { id: 'CatalogPriceHistory', schema: PriceHistory },
  },
  cost: {
    tag: TAG,
    summary: 'State what an upstream charges for a model',
    description: 'For operators alone, who see it beside the price. Earlier costs are kept.',
    input: {
      id: 'UpstreamCost',
      schema: CostBody,
      example: { upstream: 'openai', usd_per_million: { input_tokens: 0.2, output_tokens: 0.8 } },
    },
    answer: MODEL,
  },
} satisfies Record<string, RouteDoc>;

const upstreams = {
  upstreams: {
    tag: TAG,
    summary: 'List the upstreams of the catalogue',
    answer: { id: 'CatalogUpstreamList', schema: CatalogUpstreamList },
  },
  addUpstream: {
    tag: TAG,
    summary: 'Add an upstream',
    description:
      'Its key is sealed and never shown again. 409 `upstream_exists`, and `no_sealing_key` without the key that seals.',
    input: {
      id: 'NewCatalogUpstream',
      schema: NewUpstreamBody,
      example: { id: 'vllm', base_url: 'http://vllm.internal:8000/v1', api_key: 'sk-vllm' },
    },
    answer: UPSTREAM,
    statuses: [201],
    errors: [409],
  },
  changeUpstream: {
    tag: TAG,
    summary: 'Change an upstream',
    description:
      'Changes what is sent; a null member is the file’s again. Its key is sent to no other address: a new address needs ' +
      'its key again. 409 `upstream_in_use` where a model would have none left.',
    input: { id: 'CatalogUpstreamChange', schema: UpstreamChangeBody, example: { disabled: true } },
    answer: UPSTREAM,
    errors: [404, 409],
  },
  returnUpstream: {
    tag: TAG,
    summary: 'Return an upstream to the file',
    description: 'Drops what operators changed of it. An upstream that the file does not have is removed.',
    answer: REMOVED,
    errors: [404, 409],
  },
  probe: {
    tag: TAG,
    summary: 'Probe an upstream',
    description: 'Asks it for its list of models with its key, for at most five seconds. Redirects are not followed.',
    answer: { id: 'UpstreamProbe', schema: ProbeAnswer },
    errors: [404],
  },
} satisfies Record<string, RouteDoc>;

const prices = {
  prices: {
    tag: TAG,
    summary: 'List proposed prices',
    query: PriceQuery,
    answer: { id: 'CatalogPricePage', schema: pageOf(CatalogPriceAnswer) },
  },
  propose: {
    tag: TAG,
    summary: 'Propose a price',
    description:
      'It counts once another operator has approved it. It then holds from the instant that was asked for, or from its ' +
      'approval where that is later: never backwards. A call costs what held when it started.',
    input: {
      id: 'NewCatalogPrice',
      schema: NewPriceBody,
      example: {
        model: 'gpt-4.1-mini',
        usd_per_million: { input_tokens: 0.5, output_tokens: 1.8 },
        reason: 'New tariff',
      },
    },
    headers: headers.ONCE,
    answer: PRICE,
    statuses: [201],
    errors: [404],
  },
  preview: {
    tag: TAG,
    summary: 'Preview a price',
    description: 'What the live calls of the last 30 days cost, and what they would have cost at this price.',
    input: {
      id: 'PricePreviewOrder',
      schema: PreviewBody,
      example: { model: 'gpt-4.1-mini', usd_per_million: { input_tokens: 0.5, output_tokens: 1.8 } },
    },
    answer: { id: 'PricePreview', schema: PreviewAnswer },
    errors: [404],
  },
  approve: {
    tag: TAG,
    summary: 'Approve a price',
    description:
      '403 `second_person_required` for the person who proposed it, with any key of theirs; 403 `person_required` for a ' +
      'key of the command line, whose person is not known; 409 `price_decided`.',
    answer: PRICE,
    errors: [409],
  },
  reject: { tag: TAG, summary: 'Reject a price', answer: PRICE, errors: [409] },
  withdraw: {
    tag: TAG,
    summary: 'Withdraw a price',
    description: 'By who proposed it, before it is decided. 409 `not_proposer` for others, who reject it.',
    answer: PRICE,
    errors: [409],
  },
} satisfies Record<string, RouteDoc>;

/** Documentation of the catalogue's routes. */
export const catalogDocs = { ...models, ...upstreams, ...prices };
