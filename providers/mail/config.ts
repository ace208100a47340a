import { readVariables } from '../../base/environment.ts';
import type { MailConfig } from './mailer.ts';

/** The mail settings from the environment. Throws an error that names each invalid variable. */
export function readMailConfig(env: NodeJS.ProcessEnv): MailConfig {
  const { SMTP_URL: smtpUrl = null, MAIL_FROM: from } = readVariables(env, ['SMTP_URL', 'MAIL_FROM']);
  return { smtpUrl, from };
}
