import '../parts/work.css';
import { Stack, Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useMe } from '../api/me.ts';
import { PagePending } from '../shell/PageStates.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { tabOf } from '../parts/tabOf.ts';
import { TabsLine } from '../parts/TabsLine.tsx';
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
  const [search, set] = useSearchState();
  const { mode, role, scopes } = useMe();
  const isLive = mode === 'live';
  const shown = [
    { value: 'profile', label: 'Profile', isShown: true },
    { value: 'security', label: 'Security', isShown: true },
    { value: 'members', label: 'Members', isShown: isLive },
    { value: 'sign-in', label: 'Sign-in', isShown: isLive && role === 'owner' },
    { value: 'audit', label: 'Audit log', isShown: isLive && scopes.includes('manage') },
    { value: 'workspace', label: 'Workspace', isShown: isLive },
  ].filter(({ isShown }) => isShown);
  const tab = tabOf(shown, search.tab);
  return (
    <>
      <PageHeader title="Settings" description="Your account, and the workspace that is selected." />
      <Tabs value={tab} onChange={(value) => set({ tab: value ?? undefined })} keepMounted={false} className="settings">
        <TabsLine label="Settings" chosen={tab} tabs={shown} mb="lg" />
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
