import { Stack } from '@mantine/core';
import { Domains } from './Domains.tsx';
import { Provider } from './Provider.tsx';
import { SessionRules } from './SessionRules.tsx';

/** How members sign in: by whom, with which domains, and what is asked of their sessions. */
export default function SignInRules() {
  return (
    <Stack gap="lg" className="in-order">
      <Provider />
      <Domains />
      <SessionRules />
    </Stack>
  );
}
