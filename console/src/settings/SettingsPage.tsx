import '../parts/work.css';
import { Stack, Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useMe } from '../api/me.ts';
import { PagePending } from '../shell/PageStates.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { Members } from './Members.tsx';
import { Passkeys } from './Passkeys.tsx';
import { Password, Profile } from './Profile.tsx';
import { Providers } from './Providers.tsx';
import { Sessions } from './Sessions.tsx';
import { TwoFactor } from './TwoFactor.tsx';
import { Workspace } from './Workspace.tsx';

const SignInRules = lazy(() => import('./signIn/SignInRules.tsx'));
const AuditLog = lazy(() => import('./audit/AuditLog.tsx'));

export default function SettingsPage() {
  const [{ tab = 'profile' }, set] = useSearchState();
  const { mode, role, scopes } = useMe();
  const isLive = mode === 'live';
  return (
    <>
      <PageHeader title="Settings" description="Your account, and the workspace that is selected." />
      <Tabs value={tab} onChange={(value) => set({ tab: value ?? undefined })} keepMounted={false} className="settings">
        <Tabs.List mb="lg" aria-label="Settings">
          <Tabs.Tab value="profile">Profile</Tabs.Tab>
          <Tabs.Tab value="security">Security</Tabs.Tab>
          {isLive && <Tabs.Tab value="members">Members</Tabs.Tab>}
          {isLive && role === 'owner' && <Tabs.Tab value="sign-in">Sign-in</Tabs.Tab>}
          {isLive && scopes.includes('manage') && <Tabs.Tab value="audit">Audit log</Tabs.Tab>}
          {isLive && <Tabs.Tab value="workspace">Workspace</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="profile">
          <Profile />
        </Tabs.Panel>
        <Tabs.Panel value="security">
          <Stack gap="lg">
            <Password />
            <TwoFactor />
            <Providers />
            <Passkeys />
            <Sessions />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <Members />
        </Tabs.Panel>
        <Tabs.Panel value="sign-in">
          <Suspense fallback={<PagePending />}>
            <SignInRules />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <Suspense fallback={<PagePending />}>
            <AuditLog />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="workspace">
          <Workspace />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
