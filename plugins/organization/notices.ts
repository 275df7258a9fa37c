import {
  choice,
  type Dashboard,
  definePlugin,
  endpoint,
  field,
  toggle,
  z,
} from '../../core/plugin.ts'
import {
  changeChoices,
  changedChoices,
  choicesOf,
  noteRefused,
  showChoices,
  shownChoices,
} from './notices/choices.ts'
import { examine } from './notices/examine.ts'
import { gather } from './notices/gather.ts'
import { hear, hearNotice, kindsHeard } from './notices/hear.ts'
import { lookAtLimits } from './notices/limits.ts'
import { sendDue, writeMail } from './notices/send.ts'
import { languageNames, languages, settings } from './notices/settings.ts'
import { mountKey, stopMount } from './notices/stop.ts'
import { makeTables, type OwnContext, type Tables } from './notices/tables.ts'
import { tidy } from './notices/tidy.ts'
import { lookAtWeek } from './notices/weekly.ts'
import { words } from './notices/words.ts'

const group = 'Notices'

/** In the settings of each person. */
const dashboard: Dashboard = {
  settings: [
    {
      title: 'Notices',
      lead: 'What you are told by mail. Much of the same comes as one mail.',
      from: 'GET /notice-settings',
      rows: {
        email: { label: 'Address' },
        isMailOn: {
          label: 'Mail',
          words: { false: { label: 'No plugin of this instance sends mail', tone: 'warning' } },
        },
        refused: { label: 'Your address is not taken' },
      },
      form: {
        call: 'PATCH /notice-settings',
        fields: {
          limits: toggle({ label: 'A limit of the plan is nearly reached, or reached' }),
          endingLinks: toggle({ label: 'Links end soon' }),
          blockedLinks: toggle({ label: 'Links are blocked' }),
          deadLinks: toggle({ label: 'Addresses of links do not answer' }),
          webhooks: toggle({ label: 'Webhooks are switched off' }),
          imports: toggle({ label: 'Imports have ended' }),
          weekly: toggle({ label: 'Numbers of the week, on Monday' }),
          others: toggle({ label: 'What other plugins say' }),
          language: choice(languageNames, { label: 'Language', labels: languages }),
          timeZone: field(z.string().max(64), {
            label: 'Time zone',
            hint: 'Such as Europe/Berlin. Mails go by day.',
            control: 'text',
          }),
        },
        submit: 'Save notices',
      },
      buttons: [{ label: 'Send a test', call: 'POST /notice-settings/test', done: 'Sent' }],
    },
  ],
}

export default definePlugin<Tables>()({
  feature: 'organization.notices',
  label: 'Notices',
  about: 'Tell accounts by mail what happens to their links, limits, webhooks and imports.',
  scopes: ['notices:read', 'notices:write'],
  settings,
  migrations: { '001-notices': makeTables },
  setup: ({ unstable }) => unstable.hear(kindsHeard),
  events: {
    // These come anyway: `unstable.hear` says which others do.
    kinds: ['events'],
    handle: (event, context) => hear(event, context),
  },
  jobs: {
    send: {
      label: 'Send notices',
      every: '* * * * *',
      async run(context) {
        if (!context.unstable.mail.canSend()) return
        await gather(context)
        await sendDue(context)
      },
    },
    limits: {
      label: 'Look for limits that are reached',
      every: '19 * * * *',
      run: context => lookAtLimits(context),
    },
    // Some time zones are half an hour or three quarters beside the others.
    week: {
      label: 'Look for whom the week is over',
      every: '*/15 * * * *',
      run: context => lookAtWeek(context),
    },
    tidy: { label: 'Forget old notices', every: '47 3 * * *', run: context => tidy(context) },
  },
  endpoints: {
    'GET /notice-settings': endpoint({
      summary: 'Show what you are told by mail',
      group,
      scope: 'notices:read',
      answer: z.strictObject({ data: shownChoices }),
      async handle({ caller }, context: OwnContext) {
        const data = await showChoices(caller.accountId, context)
        return data && { data }
      },
    }),
    'PATCH /notice-settings': endpoint({
      summary: 'Choose what you are told by mail',
      group,
      scope: 'notices:write',
      inTransaction: true,
      body: changedChoices,
      answer: z.strictObject({ data: shownChoices }),
      async handle({ caller, body }, context: OwnContext) {
        await changeChoices(caller.accountId, body, context.db)
        const data = await showChoices(caller.accountId, context)
        return data && { data }
      },
    }),
    'POST /notice-settings/test': endpoint({
      summary: 'Send a test to your own address, as notices are',
      group,
      scope: 'notices:write',
      rateLimit: { max: 5, seconds: 60 },
      status: 204,
      async handle({ caller }, context: OwnContext) {
        const [account] = await context.unstable.accounts.find([caller.accountId])
        const choices = account && (await choicesOf([account], context)).get(caller.accountId)
        if (!account || !choices) return undefined
        const { subject, lead } = words[choices.language].test
        const { name } = context.unstable.brand()
        const letter = { subject: subject(name ?? 'Linnet'), lead }
        const mail = writeMail(account, choices, undefined, letter, context)
        const refused = await context.unstable.mail.send(mail)
        if (refused) return refused
        await noteRefused(caller.accountId, undefined, context.db)
        return {}
      },
    }),
  },
  mounts: { [mountKey]: stopMount },
  unstable: {
    hears: 'chosen',
    notice: (notice, context) => hearNotice(notice, context),
    examine: context => examine(context),
    dashboard,
  },
})
