import { definePlugin, endpoint, optional, refuse, secret, text, z } from '../../core/plugin.ts'
import { connect, deliver, type MailServer, readServer, senderPattern } from './mail/mail-server.ts'
import { deliverNotice } from './mail/notice-by-mail.ts'

/** No control characters. */
const namePattern = /^[ -~\u00A0-\uFFFF]+$/

const notAdmin = refuse('insufficient_scope', 'Only admins may do this.', 403, undefined, {
  requiredScope: 'admin',
})

export default definePlugin({
  feature: 'organization.mail',
  label: 'Mail',
  about: 'Send the mail of all plugins over an SMTP server.',
  scopes: ['mail:write'],
  settings: {
    server: secret({
      label: 'URL of the mail server, such as smtps://name:password@mail.example.org',
      env: 'LINNET_SMTP_URL',
      schema: z
        .string()
        .refine(
          url => readServer(url) !== undefined,
          'enter a URL such as smtps://name:password@mail.example.org or smtp://mail.example.org:587.',
        ),
    }),
    sender: optional(
      text({
        label: 'Sender',
        hint: 'The address that mail comes from, such as links@example.org. If empty, the name in LINNET_SMTP_URL.',
        pattern: senderPattern,
        max: 254,
      }),
    ),
    name: optional(
      text({
        label: 'Name of the sender',
        hint: 'One line of text.',
        pattern: namePattern,
        max: 100,
      }),
    ),
  },
  setup: ({ settings: { server, sender } }) => connect(server, sender),
  dispose({ state }) {
    if (typeof state !== 'string') state.close()
  },
  unstable: {
    mail(mail, { state, settings }) {
      const server = state as MailServer | string
      if (typeof server === 'string') return refuse('mail_off', server, 409)
      return deliver(server, mail, settings.name)
    },
    notice(notice, { state, settings, log }) {
      const server = state as MailServer | string
      if (typeof server === 'string') return refuse('mail_off', server, 409)
      return deliverNotice(server, notice, settings.name, log)
    },
  },
  endpoints: {
    'POST /test-mails': endpoint({
      summary: 'Send a mail to your own address, to test the mail server',
      scope: 'mail:write',
      rateLimit: { max: 5, seconds: 60 },
      status: 204,
      async handle({ caller: { accountId, isAdmin } }, { unstable: { mail } }) {
        if (!isAdmin) return notAdmin
        return (await mail.send({ to: { accountId }, subject, text: body })) ?? {}
      },
    }),
  },
})

const subject = 'Linnet can send mail'
const body = 'This is a test. Linnet reaches you at this address.\n'
