import type { Refusal } from './outcomes.ts'

/**
 * A message to one person, as plain text, and as HTML if it has that too.
 *
 * @example
 * await context.unstable.mail.send({ to: 'ada@example.org', subject: 'A link ends', text: 'It ends tomorrow.' })
 */
export interface Mail {
  /** An e-mail address, or the account whose address it is. */
  readonly to: string | { readonly accountId: number }
  /** One line of at most 200 characters. */
  readonly subject: string
  /** At most 100,000 characters. */
  readonly text: string
  /** The same as HTML, which loads nothing from elsewhere: at most 200,000 characters. */
  readonly html?: string | undefined
  /**
   * Ends mails of this kind: the address answers a POST without a sign-in and a question, and changes nothing at a GET, since
   * programs that look for harmful links open it (RFC 8058). Mail programs show a button for it.
   */
  readonly unsubscribeUrl?: string | undefined
}

/** A message whose recipient is known, as the plugin that sends mail gets it. */
export interface AddressedMail extends Mail {
  readonly to: string
  /** The feature of the plugin that sends it. */
  readonly from: string
}

/**
 * Sends mail by the plugin that provides it, if one is on.
 *
 * @example
 * const refused = await context.unstable.mail.send({ to: { accountId }, subject, text })
 * if (refused) context.log.warn('Nobody was told', { why: refused.detail })
 */
export interface Mailer {
  /** Whether a running plugin sends mail. */
  canSend(): boolean
  /**
   * Resolves when a mail server has taken the message; otherwise to a refusal that says why not: `mail_invalid` (422),
   * `mail_off` (409: no plugin sends mail), `mail_failed` (502), `too_many_requests` (429: more than 60 a minute from one
   * plugin), or what the plugin that sends it answers: `mail_refused` (422: the server will never take it; with
   * `details.of`, `address` or `message`), `mail_put_off` (503: later again) or `mail_uncertain` (502: it may have been
   * taken). It is not tried again: store what must arrive, and try again later.
   */
  send(mail: Mail): Promise<Refusal | undefined>
}

/**
 * Something that people should know, as plain text.
 *
 * @example
 * const title = 'A link is blocked'
 * await context.unstable.notices.send({ title, text: 'spring leads to malware.', level: 'warning', to: 'admins' })
 */
export interface Notice {
  /** One line of at most 200 characters. */
  readonly title: string
  /** At most 10,000 characters. */
  readonly text: string
  readonly level: 'info' | 'warning' | 'problem'
  /** All admins, or one account. */
  readonly to: 'admins' | { readonly accountId: number }
  /** Where there is more about it: an http or https URL of at most 2,048 characters. */
  readonly url?: string | undefined
}

/**
 * A notice as a plugin that delivers it gets it.
 *
 * @example
 * unstable: { notice: ({ to, title }) => to === 'admins' && say(title) }
 */
export interface AddressedNotice extends Notice {
  /** Whom it is for: the account, or the first hundred admins. */
  readonly people: readonly { readonly accountId: number; readonly email: string }[]
  /** The feature of the plugin that sends it. */
  readonly from: string
}

/**
 * Tells people something by all plugins that deliver notices.
 *
 * @example
 * const taken = await context.unstable.notices.send({ title, text, level: 'problem', to: 'admins' })
 * if (isRefusal(taken)) context.log.warn('Nobody was told', { why: taken.detail })
 */
export interface Notices {
  /**
   * Resolves to how many plugins took it, at least one; otherwise to a refusal: `notice_invalid` (422), `notices_off` (409: no
   * running plugin took it), or `too_many_requests` (429: more than 20 a minute from one plugin). It is not tried again. May
   * take half a minute, so send it from a job or a listener.
   */
  send(notice: Notice): Promise<number | Refusal>
}
