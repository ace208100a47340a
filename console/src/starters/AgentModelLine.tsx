import './starters.css';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Status } from '../parts/Status.tsx';
import { InWords } from './InUse.tsx';
import { useStarters } from './useStarters.ts';

/** Above the models of the catalogue: what agents use, and the way to change it. */
export function AgentModelLine() {
  const { data } = useStarters();
  const isRehearsed = data?.agents.is_rehearsed;
  return (
    <div className="panel starters-line">
      <span>
        {data && (
          <>
            <Status tone={isRehearsed ? 'held' : 'good'} word={isRehearsed ? 'By rules' : 'By a language model'} />{' '}
            <span className="starters-words">
              <InWords of={data.agents} />
            </span>
          </>
        )}
      </span>
      <Button component={Link} to="/operate/agent-model" size="xs" variant={isRehearsed ? 'filled' : 'default'}>
        {isRehearsed ? 'Give agents a model' : 'Model of agents'}
      </Button>
    </div>
  );
}
