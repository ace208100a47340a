import './starters.css';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAgentModel } from '../api/agentModel.ts';
import { Status } from '../parts/Status.tsx';
import { inWords } from './InUse.tsx';

/** Above the models of the catalogue: what agents use, and the way to change it. */
export function AgentModelLine() {
  const { data } = useAgentModel();
  const isRehearsed = data?.is_rehearsed;
  return (
    <div className="panel starters-line">
      <span>{data && <Status tone={isRehearsed ? 'held' : 'good'} word={inWords(data)} />}</span>
      <Button component={Link} to="/operate/agent-model" size="xs" variant={isRehearsed ? 'filled' : 'default'}>
        {isRehearsed ? 'Give agents a model' : 'Model of agents'}
      </Button>
    </div>
  );
}
