import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import type { ReadGauge } from '../../base/telemetry/metrics.ts';
import { keepTestMail } from '../../db/mails/testMails.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { mailDocument } from './mailDocument.ts';

const OF_ACCOUNT = 'You get this because of your account at Ledgerline.';

export interface MailConfig {
  /** The mail server with its login; null: mails are stored as test mails and not sent. */
  smtpUrl: string | null;
  from: string;
}

/** A mail. Its text is plain; addresses in it become links. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Why its reader gets it, as a sentence, which ends the mail. When omitted: because of an account. */
  reason?: string;
  /** Derived from the text when omitted. */
  html?: string;
  attachments?: { filename: string; content: Buffer; contentType: string }[];
}

export interface Mailer {
  /** Whether mails leave the installation. */
  kind: 'smtp' | 'test';
  /**
   * Sends a mail. Without a mail server it is stored for the page of test mails, and logged. Throws an error that names no recipient:
   * it is logged.
   */
  sendMail: (mail: Mail) => Promise<void>;
  /** The mails of this process, by outcome. */
  gauge: ReadGauge;
  close: () => void;
}

const TIMEOUT_MS = 10_000;

/** Sends mails through the mail server. Its client is loaded at the first mail. */
export function createMailer(
  { smtpUrl, from }: MailConfig,
  { everywhere, log }: { everywhere: Rows<undefined>; log: Pick<Logger, 'info' | 'warn'> },
): Mailer {
  let opening: Promise<Transporter> | undefined;
  let transporter: Transporter | undefined;
  const counts = { sent: 0, failed: 0 };

  async function open(url: string): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const times = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
    return (transporter = createTransport({ url, pool: true, maxConnections: 2, ...times }));
  }

  return {
    kind: smtpUrl === null ? 'test' : 'smtp',
    async sendMail({
      to,
      subject,
      text: words,
      reason = OF_ACCOUNT,
      html = mailDocument(subject, words, reason),
      attachments = [],
    }) {
      const text = `${words}\n\n${reason}`;
      if (smtpUrl === null) {
        const files = attachments.map(({ filename }) => filename);
        log.info(
          { event: 'test_mail', to, subject, text, ...(files.length > 0 && { files }) },
          'TEST mail: no mail server is set, so it was not sent',
        );
        return keepTestMail(everywhere, { recipient: to, subject, text });
      }
      try {
        await (await (opening ??= open(smtpUrl))).sendMail({ from, to, subject, text, html, attachments });
        counts.sent += 1;
      } catch (error) {
        counts.failed += 1;
        const failed = new MailFailed(error as MailError);
        // The pages of accounts send in the background: nobody else would tell of it.
        const { code, message } = failed;
        log.warn({ event: 'mail_failed', subject, code, error: message }, 'a mail was not sent');
        throw failed;
      }
    },
    gauge: {
      name: 'ledgerline_mails_total',
      help: 'Mails that the mail server took (sent) or did not (failed), by outcome',
      labels: ['outcome'],
      isCounter: true,
      read: () => Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    close: () => transporter?.close(),
  };
}

/** As the client of mail servers throws them. A socket's error keeps the system's code beside a general one. */
interface MailError extends Error {
  code?: string;
  originalCode?: string;
  responseCode?: number;
}

const ADDRESS = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g;

/**
 * Why a mail was not sent, without what else the client of mail servers keeps in its errors: the recipient is there, and in the server's
 * words too. Runbooks name the code, which the message of a refused login or a timeout does not have.
 */
class MailFailed extends Error {
  readonly code: string | undefined;
  readonly responseCode: number | undefined;

  constructor({ message, code, originalCode = code, responseCode }: MailError) {
    super(message.replaceAll(ADDRESS, '[address]'));
    this.name = 'MailFailed';
    this.code = originalCode;
    this.responseCode = responseCode;
  }
}
