import {
  type Dashboard,
  definePlugin,
  endpoint,
  listOf,
  listSchema,
  pageQuery,
  readSlice,
  sliceOf,
  z,
} from '../../core/plugin.ts'
import { createSender, mountKey } from './sign-up/mail-links.ts'
import { isOpen, planProblem, signUpMount } from './sign-up/pages.ts'
import { settings } from './sign-up/settings.ts'
import { made, makeTables, type OwnContext, requests, type Tables } from './sign-up/tables.ts'

const group = 'Sign-ups'

const state = z.strictObject({
  isOpen: z.boolean().meta({
    description: 'Whether visitors can make accounts: mail can be sent, and there is room.',
  }),
  waiting: z.int().min(0).meta({ description: 'Asked for, and not confirmed.' }),
  made: z.int().min(0).meta({ description: 'Accounts that came by sign-ups.' }),
  most: z.int().min(1),
})

const signedUp = z.strictObject({
  id: z.string().meta({ description: 'Of the account.' }),
  email: z.string(),
  plan: z.string(),
  signedUpAt: z.iso.datetime(),
})

const dashboard: Dashboard = {
  page: {
    label: 'Sign-ups',
    icon: 'key',
    lead: 'Accounts that visitors made for themselves.',
    panels: [
      {
        title: 'Now',
        from: 'GET /admin/sign-ups/state',
        rows: {
          isOpen: {
            label: 'Sign-ups',
            words: {
              true: { label: 'Open', tone: 'good' },
              false: { label: 'Closed', tone: 'warning' },
            },
          },
          waiting: { label: 'Not confirmed yet' },
          made: { label: 'Accounts' },
          most: { label: 'At most' },
        },
      },
      {
        title: 'Who signed up',
        from: 'GET /admin/sign-ups',
        table: {
          columns: {
            email: { label: 'E-mail address' },
            plan: { label: 'Plan' },
            signedUpAt: { label: 'Signed up', as: 'date' },
          },
        },
      },
    ],
  },
}

export default definePlugin<Tables>()({
  feature: 'organization.signUp',
  label: 'Sign-ups',
  about: 'Let visitors make accounts, with a link in a mail, within limits that you set.',
  settings,
  migrations: { '001-sign-ups': makeTables },
  setup: context => createSender(context),
  mounts: { [mountKey]: signUpMount },
  jobs: {
    send: {
      label: 'Send mails for sign-ups',
      every: '* * * * *',
      run: ({ state }) => state.wake(),
    },
    forget: {
      label: 'Forget sign-ups that nobody confirmed',
      every: '29 * * * *',
      async run({ db, now }) {
        await db.deleteFrom(requests).where('expires_at', '<=', now().getTime()).execute()
      },
    },
  },
  endpoints: {
    'GET /admin/sign-ups': endpoint({
      summary: 'List the accounts that visitors made, newest first',
      group,
      scope: 'admin',
      query: pageQuery,
      answer: listSchema(signedUp),
      async handle({ query }, { db, unstable }: OwnContext) {
        const order = { by: ['at', 'account_id'], descending: true }
        const { rows, next } = await readSlice(
          db.selectFrom(made).selectAll(),
          order,
          sliceOf(query),
        )
        const accounts = await unstable.accounts.find(rows.map(row => Number(row.account_id)))
        const byId = new Map(accounts.map(it => [it.accountId, it]))
        const shown = rows.flatMap(({ account_id, at }) => {
          const account = byId.get(Number(account_id))
          if (!account) return []
          const { id, email, plan } = account
          return [{ id, email, plan, signedUpAt: new Date(Number(at)).toISOString() }]
        })
        const total = await count(db, made)
        return listOf(shown, total, query, '/api/v1/admin/sign-ups', next)
      },
    }),
    'GET /admin/sign-ups/state': endpoint({
      summary: 'Show whether visitors can make accounts',
      group,
      scope: 'admin',
      answer: z.strictObject({ data: state }),
      async handle(_, context: OwnContext) {
        const { db, settings } = context
        return {
          data: {
            isOpen: await isOpen(context),
            waiting: await count(db, requests),
            made: await count(db, made),
            most: settings.most,
          },
        }
      },
    }),
  },
  unstable: {
    newAccounts: mountKey,
    examine(context) {
      const says =
        planProblem(context) ??
        (context.unstable.mail.canSend() ? undefined : 'Nobody can sign up: no plugin sends mail.')
      if (says === undefined) return []
      const remedy = 'Mend the settings, or switch organization.signUp off.'
      return [{ status: 'warning', says, remedy }]
    },
    dashboard,
  },
})

async function count(db: OwnContext['db'], table: keyof Tables): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
