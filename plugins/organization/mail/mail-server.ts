import type { Transporter } from 'nodemailer'
import { type AddressedMail, type Refusal, refuse } from '../../../core/plugin.ts'

/** A mail server, with the connections to it. */
export interface MailServer {
  readonly transport: Transporter
  readonly sender: string
  close(): void
}

interface Address {
  readonly host: string
  readonly port: number
  /** Whether TLS begins with the connection; otherwise by STARTTLS. */
  readonly secure: boolean
  /** Whether there is no TLS at all. */
  readonly isPlain: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
}

/** An address without control characters and spaces. */
export const senderPattern =
  /^(?:(?!\s)[!-;=?A-~\u00A1-\uFFFF])+@(?:(?!\s)[!-;=?A-~\u00A1-\uFFFF])+$/

const waitMs = 10_000
const noSender = 'Set the sender of mail: the name in LINNET_SMTP_URL is no address.'

/**
 * Reads `smtps://name:password@host[:465]` and `smtp://[name:password@]host[:587]`, which insists on STARTTLS unless
 * it ends with `?tls=off`. Undefined if it is anything else.
 */
export function readServer(text: string): Address | undefined {
  const url = URL.parse(text)
  const { protocol = '', hostname, port, username, password, search, pathname } = url ?? {}
  if (!/^smtps?:$/.test(protocol) || !hostname || !['', '/'].includes(pathname ?? ''))
    return undefined
  const secure = protocol === 'smtps:'
  if (!['', ...(secure ? [] : ['?tls=off'])].includes(search ?? '')) return undefined
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    isPlain: search === '?tls=off',
    auth: username ? { user: decoded(username), pass: decoded(password ?? '') } : undefined,
  }
}

/** The text itself if it is not as URLs have it, such as a password with a stray %. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Connects when mail is sent. A sentence says what is to be set first, if no mail can be sent. */
export async function connect(
  url: string | undefined,
  from: string | undefined,
): Promise<MailServer | string> {
  const server = url === undefined ? undefined : readServer(url)
  if (!server) return 'LINNET_SMTP_URL is not set: it is the URL of the mail server.'
  const { isPlain, auth, ...rest } = server
  const sender = from ?? (auth && senderPattern.test(auth.user) ? auth.user : undefined)
  if (sender === undefined) return noSender
  const { default: nodemailer } = await import('nodemailer')
  const transport = nodemailer.createTransport({
    ...rest,
    ...(auth && { auth }),
    ...(isPlain ? { ignoreTLS: true } : { requireTLS: !rest.secure }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // A connection that breaks while nothing is sent is no failure; whoever sends is told by the promise.
  transport.on('error', () => undefined)
  return { transport, sender, close: () => transport.close() }
}

/** Resolves when the server has taken a message, or to why it does not take it. Throws if it cannot be asked. */
export async function deliver(
  { transport, sender }: MailServer,
  { to, subject, text }: AddressedMail,
  name = 'Linnet',
): Promise<Refusal | undefined> {
  try {
    await transport.sendMail({
      from: { name, address: sender },
      to: { name: '', address: to },
      subject,
      text,
      // Asks programs that answer mail by themselves not to (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return undefined
  } catch (error) {
    const { responseCode = 0, response = '', command } = error as SmtpError
    // The server took the connection, but not this message: that will not change by itself.
    if (responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command ?? '')) {
      return refuse('mail_refused', `The mail server does not take this mail: ${response}`, 422)
    }
    throw error
  }
}

interface SmtpError extends Error {
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}
