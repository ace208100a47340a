import type { Mailer } from '../../providers/mail/mailer.ts';

/** The mails about a person's account. Links lead to pages of the console. */
export function createAccountMails({ sendMail }: Mailer, publicUrl: string) {
  const page = (path: string) => new URL(path, publicUrl).href;
  const ignore = 'If you did not ask for this, ignore this mail: nothing changes.';
  const alarm = `If this was not you, reset your password at ${page('/reset-password')} and end your other sessions.`;
  return {
    sendVerification: (to: string, url: string) =>
      sendMail({
        to,
        subject: 'Confirm your address for Ledgerline',
        text: `Open this link within an hour to confirm your address:\n\n${url}\n\n${ignore}`,
      }),
    sendKnownAddress: (to: string) =>
      sendMail({
        to,
        subject: 'You have an account at Ledgerline',
        text:
          `This address was used to sign up again: it has an account already. Sign in at ${page('/sign-in')}, or ` +
          `set a new password at ${page('/forgot-password')}.\n\n${ignore}`,
      }),
    sendReset: (to: string, token: string) =>
      sendMail({
        to,
        subject: 'Set a new password for Ledgerline',
        text: `Open this link within an hour to set a new password. All your sessions end then:\n\n${page(`/reset-password?token=${encodeURIComponent(token)}`)}\n\n${ignore}`,
      }),
    sendPasswordChanged: (to: string) =>
      sendMail({
        to,
        subject: 'Your password was changed',
        text: `Your password at Ledgerline was changed.\n\n${alarm}`,
      }),
    sendAddressChange: (to: string, newEmail: string, url: string) =>
      sendMail({
        to,
        subject: 'Confirm your new address for Ledgerline',
        text:
          `Open this link within an hour to change the address of your account to ${newEmail}. We then ask for a ` +
          `confirmation there:\n\n${url}\n\n${ignore}`,
      }),
    sendInvitation: (invited: { to: string; id: string; workspaceName: string; inviterName: string; role: string }) =>
      sendMail({
        to: invited.to,
        subject: `Join ${oneLine(invited.workspaceName)} on Ledgerline`,
        text: `${oneLine(invited.inviterName)} invites you to the workspace ${oneLine(invited.workspaceName)} as ${invited.role}. Accept within seven days, signed in with this address:\n\n${page(`/invitations/${invited.id}`)}\n\n${ignore}`,
      }),
  };
}

// Names are untrusted: they must not add a line or a link to a mail.
const oneLine = (name: string): string => name.replaceAll(/\s+/g, ' ').replaceAll('://', ' ').slice(0, 100);
