import { Alert, Anchor, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accounts } from '../api/accounts.ts';
import { pageAt } from '../parts/pageAt.ts';
import { AccountForm, AccountFrame } from './AccountFrame.tsx';

/**
 * Asks before a link of a mail takes effect, and names the account: another person may have sent the link, to sign this browser in to
 * theirs.
 */
export default function ConfirmLinkPage() {
  const query = new URLSearchParams(location.search);
  const [token, callbackURL] = [query.get('token') ?? '', query.get('callbackURL') ?? '/'];
  const link = query.get('link') === 'magic-link/verify' ? 'magic-link/verify' : 'verify-email';
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => accounts.confirmLink(link, { token, callbackURL }),
    onSuccess: ({ next }) => {
      // Another person's rows must not stay in the page's memory.
      queries.clear();
      location.replace(next);
    },
  });
  const { title, lead, button } = wordsOf(link, token);
  return (
    <AccountFrame title={title} lead={lead}>
      {token === '' && <Alert color="red">This link is incomplete. Copy the whole link from the mail.</Alert>}
      <AccountForm error={confirm.error} onSubmit={() => confirm.mutate()}>
        <Button type="submit" loading={confirm.isPending} disabled={token === ''}>
          {button}
        </Button>
        {(token === '' || confirm.error) && (
          <Anchor component={Link} {...pageAt('/sign-in', { next: callbackURL })}>
            Back to sign-in
          </Anchor>
        )}
      </AccountForm>
    </AccountFrame>
  );
}

function wordsOf(link: 'verify-email' | 'magic-link/verify', token: string) {
  const { email, updateTo } = link === 'verify-email' ? claimsIn(token) : {};
  if (updateTo !== undefined)
    return {
      title: 'Confirm the new address',
      lead: `The account of ${email} gets the address ${updateTo}.`,
      button: 'Confirm',
    };
  if (email !== undefined)
    return {
      title: 'Confirm your address',
      lead: `This signs this browser in to the account of ${email}. Continue only if that is your address.`,
      button: 'Confirm and sign in',
    };
  return {
    title: 'Sign in with a link',
    lead: 'This signs this browser in to the account that the link was made for. Continue only if you asked for it.',
    button: 'Sign in with this link',
  };
}

/** A token's unverified content: the API checks it. */
function claimsIn(token: string): { email?: string; updateTo?: string } {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { email, updateTo } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    return { ...(typeof email === 'string' && { email }), ...(typeof updateTo === 'string' && { updateTo }) };
  } catch {
    return {};
  }
}
