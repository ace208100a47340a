import { body } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { operatorKey } from '../console/operatorKey.ts';
import { idempotent } from '../guard/idempotency.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { get, patch, post, put, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { catalogDocs } from './catalogDocs.ts';
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
import {
  changeCatalogModel,
  createCatalogModel,
  listCatalogModels,
  listCatalogPrices,
  retrieveCatalogModel,
  returnEntry,
  stateCost,
} from './models.ts';
import { decidePrice, listProposals, previewPriceChange, proposePrice } from './prices.ts';
import {
  changeCatalogUpstream,
  createCatalogUpstream,
  listCatalogUpstreams,
  probeCatalogUpstream,
} from './upstreams.ts';

/** The catalogue, which operators change while it is used. */
export function catalogRoutes(services: Services, keyed: Keyed): Route[] {
  const operator: Keyed = (...checks) => keyed(scope('operator'), operatorKey(services), ...checks);
  const at = '/console/v1/catalog';
  const [model, upstream] = [`${at}/models/:catalog_model`, `${at}/upstreams/:upstream`];
  const price = `${at}/prices/:price_id`;
  const proposal = [...operator(body(parseWith(NewPriceBody, 'body'))), idempotent(services.db, 'price')];
  const modelChange = operator(body(parseWith(ModelChangeBody, 'body')));
  const upstreamChange = operator(body(parseWith(UpstreamChangeBody, 'body')));
  const newModel = operator(body(parseWith(NewModelBody, 'body')));
  const newUpstream = operator(body(parseWith(NewUpstreamBody, 'body')));
  const about = catalogDocs;
  return [
    get(`${at}/models`, operator(), listCatalogModels(services), about.models),
    post(`${at}/models`, newModel, createCatalogModel(services), about.addModel),
    get(model, operator(), retrieveCatalogModel(services), about.model),
    patch(model, modelChange, changeCatalogModel(services), about.changeModel),
    post(`${model}/return`, operator(), returnEntry(services, 'model'), about.returnModel),
    get(`${model}/prices`, operator(), listCatalogPrices(services), about.history),
    put(`${model}/costs`, operator(body(parseWith(CostBody, 'body'))), stateCost(services), about.cost),
    get(`${at}/upstreams`, operator(), listCatalogUpstreams(services), about.upstreams),
    post(`${at}/upstreams`, newUpstream, createCatalogUpstream(services), about.addUpstream),
    patch(upstream, upstreamChange, changeCatalogUpstream(services), about.changeUpstream),
    post(`${upstream}/return`, operator(), returnEntry(services, 'upstream'), about.returnUpstream),
    post(`${upstream}/probe`, operator(), probeCatalogUpstream(services), about.probe),
    get(`${at}/prices`, operator(query(PriceQuery)), listProposals(services), about.prices),
    post(`${at}/prices`, proposal, proposePrice(services), about.propose),
    post(
      `${at}/prices/preview`,
      operator(body(parseWith(PreviewBody, 'body'))),
      previewPriceChange(services),
      about.preview,
    ),
    post(`${price}/approve`, operator(), decidePrice(services, 'approved'), about.approve),
    post(`${price}/reject`, operator(), decidePrice(services, 'rejected'), about.reject),
    post(`${price}/withdraw`, operator(), decidePrice(services, 'withdrawn'), about.withdraw),
  ];
}
