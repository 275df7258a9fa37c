import {
  type Ask,
  ask,
  type Input,
  isRefusal,
  type Mount,
  type Page,
  page,
  type Refusal,
  refuse,
  type VisitorText,
  z,
} from '../../../core/plugin.ts'
import { digest, signInUrl } from './mail-links.ts'
import type { settings } from './settings.ts'
import { made, type OwnContext, requests, type Tables, type Wakes } from './tables.ts'
import { signUpTexts as t } from './texts.ts'

const dayMs = 86_400_000
const hour = 3_600

/** How often one client may ask in an hour, and how many mails an address gets in a day. */
const most = { ofClient: 5, toAddress: 3 }

const address = z.email().max(254).toLowerCase()

const closed = refuse('sign_up_closed', t.closed, 403)
const tooMany = refuse('too_many_requests', t.later, 429)
const over = refuse('sign_up_over', t.over, 410)

type Request = Parameters<Mount<typeof settings, Wakes, Tables>['handle']>[0]

/** Visitors say their address, follow the link in a mail, and choose a password. */
export const signUpMount: Mount<typeof settings, Wakes, Tables> = {
  async handle(request, context) {
    if (request.path === 'confirm') return confirm(request, context)
    if (request.path !== '') return undefined
    if (!(await isOpen(context))) return closed
    return request.method === 'POST' ? receive(request, context) : askAddress()
  },
}

/** Whether mail can be sent and there is room for one more account. */
export async function isOpen({ db, settings, unstable }: OwnContext): Promise<boolean> {
  if (!unstable.mail.canSend() || !unstable.isOn() || planProblem({ settings, unstable }))
    return false
  const { count } = await db
    .selectFrom(made)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count) < settings.most
}

/** What is wrong with the plan that new accounts get. */
export function planProblem({
  settings: { plan },
  unstable,
}: Pick<OwnContext, 'settings' | 'unstable'>): string | undefined {
  if (!plan || unstable.plans().some(({ slug }) => slug === plan)) return undefined
  return `There is no plan ${plan}, which accounts that sign up shall get.`
}

const emailInput: Input = { name: 'email', label: t.email, type: 'email' }

function askAddress(problem?: VisitorText): Ask {
  return ask(t.ask, [emailInput], problem, { text: t.askLead })
}

/** Notes who wants an account. All that is done here is the same whether there is one with this address. */
async function receive(request: Request, context: OwnContext): Promise<Ask | Page | Refusal> {
  const { db, now, settings, state, throttle } = context
  const { data: email } = address.safeParse(request.input.email?.trim())
  if (email === undefined) return askAddress(t.noAddress)
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const allowed = settings.domains.map(it => it.trim().toLowerCase())
  if (allowed.length > 0 && !allowed.includes(domain)) return askAddress(t.otherDomain)
  if (!(await throttle(`from ${request.visitor}`, most.ofClient, hour))) return tooMany
  if (!(await throttle('all', settings.mostPerHour, hour))) return tooMany
  if (await throttle(`to ${email}`, most.toAddress, 24 * hour)) {
    const row = {
      secret_hash: null,
      language: request.language,
      expires_at: now().getTime() + dayMs,
    }
    await db
      .insertInto(requests)
      .values({ email, ...row })
      .onConflict(conflict => conflict.column('email').doUpdateSet(row))
      .execute()
    state.wake()
  }
  return page({ heading: t.mailed, text: t.mailedLead })
}

const passwordInput: Input = { name: 'password', label: t.passwordLabel, type: 'new-password' }

/** A GET asks for a password and uses up nothing: programs that look for harmful links open what is in a mail. */
async function confirm(
  { method, input, visitor }: Request,
  context: OwnContext,
): Promise<Ask | Page | Refusal> {
  const { db, now, settings, unstable } = context
  const hash = digest(input.of ?? '')
  const row = await db
    .selectFrom(requests)
    .select('email')
    .where('secret_hash', '=', hash)
    .where('expires_at', '>', now().getTime())
    .executeTakeFirst()
  if (!row) return over
  const { email } = row
  if (!(await isOpen(context))) return closed
  const askPassword = (problem?: VisitorText) =>
    ask(t.password, [passwordInput], problem, { rows: [{ label: t.email, value: email }] })
  if (method !== 'POST') return askPassword()
  // Each try derives a key from the password, which costs time.
  if (!(await context.throttle(`tries of ${visitor}`, 20, hour))) return tooMany
  const { plan } = settings
  const draft = { email, password: input.password ?? '', ...(plan && { plan }) }
  const account = await unstable.accounts.create(draft)
  if (isRefusal(account)) {
    if (account.code === 'validation_failed') return askPassword(t.weak)
    if (account.code !== 'email_taken') return closed
  }
  await db.deleteFrom(requests).where('email', '=', email).execute()
  if (isRefusal(account)) return over
  await db.insertInto(made).values({ account_id: account.accountId, at: now().getTime() }).execute()
  return page({ heading: t.welcome, link: { label: t.signIn, url: signInUrl(context) } })
}
