import { accounts } from '../api/accounts.ts';
import { nextAddress } from '../api/me.ts';

/** A provider by which people sign in here. */
export interface Provider {
  id: string;
  name: string;
}

/** The providers that the installation has set up: in the document itself, so that the form does not move. */
export function signInProviders(): Provider[] {
  const text = document.querySelector<HTMLMetaElement>('meta[name=sign-in]')?.content ?? '';
  return text.startsWith('[') ? (JSON.parse(text) as Provider[]) : [];
}

const NEXT = 'ledgerline-next';

/** Goes to the provider's page, which leads back to the sign-in page. */
export async function goToProvider(id: string): Promise<void> {
  sessionStorage.setItem(NEXT, nextAddress(location.search));
  const { url } = await accounts.signInWith(id);
  location.assign(url);
}

/** Goes to the identity provider of the address's domain. False: no company has set one up for it. */
export async function goToCompany(email: string): Promise<boolean> {
  const { url } = await accounts.findCompany(email);
  if (url === null) return false;
  sessionStorage.setItem(NEXT, nextAddress(location.search));
  location.assign(url);
  return true;
}

/** The page to open after signing in, also after a provider's page. */
export function takeNext(): string {
  const kept = sessionStorage.getItem(NEXT);
  sessionStorage.removeItem(NEXT);
  return kept ?? nextAddress(location.search);
}

const SENTENCES: Record<string, string> = {
  access_denied: 'The sign-in was cancelled at the provider.',
  account_not_linked:
    'An account with this address exists. Sign in to it as you did before, then add the provider in Settings, Security.',
  account_already_linked_to_different_user: 'This account of the provider signs in another person here.',
  email_does_not_match: 'The address at the provider is not the one of your account. Change one of them first.',
  email_not_found: 'The provider did not name your address. Allow it there, and try again.',
  email_not_verified: 'The provider has not verified your address. Verify it there, and try again.',
  sso_wrong_domain: 'Your company’s provider named an address of another domain. Ask whoever looks after it.',
  sso_no_role: 'None of your groups has access to this workspace. Ask whoever looks after it at your company.',
  sso_not_tested: 'The sign-in with your company is not ready yet. An owner must try it first.',
  invalid_provider: 'Your company’s provider did not answer as it should. Try again, or ask whoever looks after it.',
  invalid_saml_response:
    'Your company’s provider did not answer as it should. Try again, or ask whoever looks after it.',
  replay_detected: 'This sign-in was used before. Try again.',
  invalid_state: 'The sign-in took too long, or the provider was changed meanwhile. Try again.',
  state_mismatch: 'This sign-in was begun in another browser, or took too long. Try again.',
  state_not_found: 'This sign-in was begun in another browser, or took too long. Try again.',
  unable_to_link_account: 'The provider has not verified your address, so it cannot be added. Verify it there first.',
};

/** What went wrong at the provider, by the code in the address; null when nothing did. */
export function providerFailure(code: string | undefined): string | null {
  if (code === undefined) return null;
  return SENTENCES[code.toLowerCase()] ?? 'The sign-in did not work. Try again, or sign in in another way.';
}
