import './starters.css';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { InUse } from './InUse.tsx';
import { LocalModel } from './LocalModel.tsx';
import { useStarters } from './useStarters.ts';
import { VendorModel } from './VendorModel.tsx';

const TITLE = 'Model of agents';

/** How agents get a language model: of a vendor, by its key, or one that runs here. Both take effect at once. */
export default function AgentModelPage() {
  const starters = useStarters();
  if (starters.error && !starters.data) {
    const list = { path: '/operate?tab=models', name: 'All models' };
    return <PageFailure title={TITLE} id="" error={starters.error} retry={() => void starters.refetch()} list={list} />;
  }
  if (!starters.data) return <PageStart title={TITLE} />;
  const { data } = starters;
  return (
    <>
      <PageHeader
        title={TITLE}
        description="What agents think with that name no model of their own. A change takes effect at once, in every process."
      />
      <div className="starters-page">
        <InUse agents={data.agents} />
        <VendorModel starters={data} />
        {data.engines.map((engine) => (
          <LocalModel key={engine.name} engine={engine} agents={data.agents} />
        ))}
      </div>
    </>
  );
}
