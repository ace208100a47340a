import { Ago } from '../parts/figures.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import type { Login } from './grant.ts';

/** Who asks, and the code to compare. What the program says of itself is marked as its own words. */
export function Program({ login }: { login: Login }) {
  return (
    <Panel
      title="Does your terminal show this code?"
      description="Compare all eight letters. If it shows another code, or none, deny: somebody else asks."
    >
      <p className="device-code">{login.user_code}</p>
      <dl className="facts">
        <Fact name="Program">
          <span className="device-name">{login.client_name ?? 'It gives no name'}</span>
          <span className="device-note">As it calls itself: not verified</span>
        </Fact>
        <Fact name="Asked from">
          <span className="id">{login.address}</span>, <Ago at={login.created_at} />
          <span className="device-note">
            {login.is_same_network ? (
              'The network of this browser'
            ) : (
              <Status tone="held" word="Not the network of this browser" />
            )}
          </span>
        </Fact>
      </dl>
    </Panel>
  );
}
