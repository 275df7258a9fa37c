import type { SendMailOptions, Transporter } from 'nodemailer'
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
    // A message is not sent again by itself: it may have been taken by a server that closed the connection without an answer.
    maxRequeues: 0,
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    // A server that is left may go on talking, and what it says would be taken in for as long.
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // A connection that breaks while nothing is sent is no failure; whoever sends is told by the promise.
  transport.on('error', () => undefined)
  transport.use('stream', (mail, done) => {
    const { whenHandedOver } = mail.data as Handing
    if (whenHandedOver) {
      mail.message.processFunc(message => message.once('end', whenHandedOver))
    }
    done()
  })
  return { transport, sender, close: () => transport.close() }
}

/** A message on its way, which says when all of it was given to the connection. */
interface Handing {
  readonly whenHandedOver?: () => void
}

/** Resolves when the server has taken a message, or to why it does not take it. Throws if it cannot be asked. */
export async function deliver(
  server: MailServer,
  mail: AddressedMail,
  name = 'Linnet',
  isAgain = false,
): Promise<Refusal | undefined> {
  const { transport, sender } = server
  const { to, subject, text, html, unsubscribeUrl } = mail
  let isHandedOver = false
  const message: SendMailOptions & Handing = {
    from: { name, address: sender },
    to: { name: '', address: to },
    subject,
    text,
    ...(html !== undefined && { html }),
    headers: {
      // Asks programs that answer mail by themselves not to (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    whenHandedOver() {
      isHandedOver = true
    },
  }
  try {
    await transport.sendMail(message)
    return undefined
  } catch (error) {
    const { responseCode = 0, response = '', command, code } = error as SmtpError
    const isAboutIt = /^(RCPT TO|DATA)$/.test(command ?? '')
    if (isAboutIt && responseCode >= 500) {
      // It took the connection, but not this message: that will not change by itself.
      const says = `The mail server does not take this mail: ${response}`
      const of = command === 'RCPT TO' ? 'address' : 'message'
      return refuse('mail_refused', says, 422, undefined, { of })
    }
    if (isAboutIt && responseCode >= 400) {
      return refuse('mail_put_off', `The mail server puts this mail off: ${response}`, 503)
    }
    if (isHandedOver && responseCode === 0) return uncertain
    // The server has closed a connection that waited for the next mail.
    if (code === 'ECONNECTION' && !isAgain) return deliver(server, mail, name, true)
    throw error
  }
}

const uncertain = refuse(
  'mail_uncertain',
  'The mail server did not say whether it took the mail.',
  502,
)

interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}
