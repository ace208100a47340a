import { nameInMail } from '../../providers/mail/mailDocument.ts';
import type { Mailer } from '../../providers/mail/mailer.ts';

/** The mails about a person's account. Links lead to pages of the console. */
export function createAccountMails({ sendMail }: Mailer, publicUrl: string) {
  const page = (path: string) => new URL(path, publicUrl).href;
  const ignore = 'If you did not request this, ignore this mail. Nothing changes.';
  const alarm = `If this was not you, set a new password. That ends your other sessions:\n\n${page('/forgot-password')}`;
  return {
    sendVerification: (to: string, url: string) =>
      sendMail({
        to,
        subject: 'Confirm your address for Ledgerline',
        text: `Confirm your address within an hour:\n\n${url}\n\n${ignore}`,
        reason: 'You get this because this address was given for an account at Ledgerline.',
      }),
    sendKnownAddress: (to: string) =>
      sendMail({
        to,
        subject: 'You already have an account at Ledgerline',
        text:
          `Somebody tried to sign up with this address, which has an account already:\n\n${page('/sign-in')}\n\n` +
          `You can set a new password at ${page('/forgot-password')}.\n\n${ignore}`,
      }),
    sendReset: (to: string, token: string) =>
      sendMail({
        to,
        subject: 'Set a new password for Ledgerline',
        text: `Set a new password within an hour. All your sessions end then:\n\n${page(`/reset-password?token=${encodeURIComponent(token)}`)}\n\n${ignore}`,
      }),
    sendPasswordChanged: (to: string) =>
      sendMail({
        to,
        subject: 'Your password was changed',
        text: `Your password at Ledgerline was changed.\n\n${alarm}`,
      }),
    sendSecondFactorOff: (to: string) =>
      sendMail({
        to,
        subject: 'Two-factor authentication was turned off',
        text: `Your password alone now signs you in to Ledgerline.\n\n${alarm}\n\nThen turn it on again in your settings.`,
      }),
    sendPasskeyAdded: (to: string) =>
      sendMail({
        to,
        subject: 'A passkey was added to your account',
        text: `A new passkey can now sign in to your account at Ledgerline.\n\n${alarm}\n\nThen remove it in your settings.`,
      }),
    sendProviderAdded: (to: string, provider: string) =>
      sendMail({
        to,
        subject: 'A way to sign in was added to your account',
        text: `You can now sign in to Ledgerline with ${provider}.\n\n${alarm}\n\nThen remove it in your settings.`,
      }),
    sendAddressChange: (to: string, newEmail: string, url: string) =>
      sendMail({
        to,
        subject: 'Confirm your new address for Ledgerline',
        text:
          `Confirm within an hour that the address of your account changes to ${newEmail}. We then ask for a ` +
          `confirmation at that address:\n\n${url}\n\n${ignore}`,
      }),
    sendInvitation: (invited: { to: string; id: string; workspaceName: string; inviterName: string; role: string }) => {
      const [workspace, inviter] = [nameInMail(invited.workspaceName), nameInMail(invited.inviterName)];
      return sendMail({
        to: invited.to,
        subject: `Join ${workspace} on Ledgerline`,
        text:
          `${inviter} invites you to the workspace ${workspace} as ${invited.role}. Accept it within seven days, signed in with this address:` +
          `\n\n${page(`/invitations/${invited.id}`)}\n\nIf you do not know them, ignore this mail. Nothing changes.`,
        // They may have no account.
        reason: `You get this because ${inviter} gave this address to invite you.`,
      });
    },
  };
}
