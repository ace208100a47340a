import './catalog.css';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { CopiedId } from '../parts/CopiedId.tsx';
import { Fact } from '../parts/Fact.tsx';
import { countText, DateTime, UtcDay } from '../parts/figures.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { Panel } from '../parts/Panel.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { ModelState, percentText } from './CatalogModels.tsx';
import { ModelDialog } from './ModelDialog.tsx';
import { Places } from './Places.tsx';
import { PriceDialog } from './PriceDialog.tsx';
import { PriceHistory } from './PriceHistory.tsx';
import type { CatalogModel, CatalogPrice } from './shapes.ts';
import { ChangedMembers, ReturnButton, Source } from './Source.tsx';

/** A model as operators see it: its price and its history, its upstreams with costs, and what is changed of it. */
export default function CatalogModelPage() {
  const id = usePathParam('id');
  const navigate = useNavigate();
  const [open, setOpen] = useState<'price' | 'change'>();
  const model = useAnswer(['catalog', 'model', id], (signal) =>
    api.GET('/console/v1/catalog/models/{catalog_model}', { params: { path: { catalog_model: id } }, signal }),
  );
  if (model.error && !model.data) {
    const list = { path: '/operate?tab=models', name: 'All models' };
    return <PageFailure title="Model" id={id} error={model.error} retry={() => void model.refetch()} list={list} />;
  }
  if (!model.data) return <PageStart />;
  const { data } = model;
  return (
    <>
      <PageHeader
        title={data.name ?? data.id}
        description={<CopiedId id={data.id} name="Copy the ID of the model" />}
        actions={
          <>
            <Button onClick={() => setOpen('price')}>Propose a price</Button>
            <Button variant="default" onClick={() => setOpen('change')}>
              Change model
            </Button>
            <ReturnButton
              kind="models"
              id={data.id}
              source={data.source}
              onReturned={() => data.source === 'added' && void navigate(pageAt('/operate', { tab: 'models' }))}
            />
          </>
        }
      />
      <State of={data} />
      <div className="catalog-page">
        <PriceHistory model={data} />
        <Places model={data} />
        <About model={data} />
      </div>
      <PriceDialog model={data} isOpen={open === 'price'} onClose={() => setOpen(undefined)} />
      <ModelDialog model={data} isOpen={open === 'change'} onClose={() => setOpen(undefined)} />
    </>
  );
}

function State({ of }: { of: CatalogModel }) {
  const { price, next_price: next, upstreams, pending_prices: pending } = of;
  const first = upstreams[0];
  return (
    <Figures label="Now">
      <Figure
        label="State"
        value={
          <span className="figure-text">
            <ModelState of={of} />
          </span>
        }
      >
        <Source of={of} />
      </Figure>
      <Figure label="Price since" value={price ? <UtcDay at={price.valid_from} /> : '—'}>
        {price ? setBy(price) : 'Sold from its first approved price on'}
      </Figure>
      <Figure label="Margin" value={percentText(first?.margin_percentage)}>
        {first?.cost ? `Least of its units, at ${first.upstream}` : 'No cost is stated'}
      </Figure>
      <Figure label="Waits" value={countText(pending)}>
        {pending > 0 ? (
          <Link {...pageAt('/operate', { tab: 'prices' })}>Prices to approve</Link>
        ) : next ? (
          <>
            Next price from <DateTime at={next.valid_from} />
          </>
        ) : (
          'Nothing to approve'
        )}
      </Figure>
    </Figures>
  );
}

const setBy = ({ source, is_first: isFirst, proposed_by: by, decided_by: second }: CatalogPrice): string => {
  if (source === 'file') return 'From the file';
  return isFirst ? `First price, set by ${by}` : `Set by ${by}, approved by ${second}`;
};

function About({ model }: { model: CatalogModel }) {
  const { kind, aliases, description, context_tokens: context, output_tokens_max: output, input_media_types } = model;
  return (
    <Panel title="About" description={<ChangedMembers of={model} />}>
      <dl className="facts">
        <Fact name="Kind">{kind}</Fact>
        <Fact name="Aliases">{aliases.length > 0 ? aliases.join(', ') : '—'}</Fact>
        {context > 0 && <Fact name="Context">{countText(context)} tokens</Fact>}
        {output > 0 && <Fact name="Max output">{countText(output)} tokens</Fact>}
        {input_media_types.length > 0 && <Fact name="Takes">{input_media_types.join(', ')}</Fact>}
        <Fact name="Description">{description ?? 'That of its kind'}</Fact>
      </dl>
    </Panel>
  );
}
