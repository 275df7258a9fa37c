import type { Json, KnownAccount } from '../../../core/plugin.ts'
import type { Choices } from './choices.ts'
import type { KindName } from './kinds.ts'
import type { Letter } from './letter.ts'
import { type LimitNews, limitsOfPlugins, monthly } from './limits.ts'
import { isObject, type Shown } from './shown.ts'
import type { OwnContext } from './tables.ts'
import { weekOf } from './weekly-numbers.ts'
import type { Words } from './words/sentences.ts'
import { words } from './words.ts'
import { momentIn, numbersIn, pageOf, shortened } from './written.ts'

/** How many of what happened a mail shows; it counts the others. */
const mostShown = 25

/** How many links are looked at, whether what is said of them is still true. */
const mostRead = 200

/** What a mail is made of. */
export interface Told {
  readonly account: KnownAccount
  readonly choices: Choices
  readonly kind: KindName
  /** Oldest first. */
  readonly says: readonly Shown[]
}

interface Making extends Told {
  readonly w: Words
  readonly context: OwnContext
}

/** What an account is told; undefined if none of it is true any more. */
export async function compose(told: Told, context: OwnContext): Promise<Letter | undefined> {
  const w = words[told.choices.language]
  return makers[told.kind]({ ...told, w, context })
}

type Maker = (making: Making) => Promise<Letter | undefined>

const makers: Readonly<Record<KindName, Maker>> = {
  async limits({ says, w, choices, account, context }) {
    const number = numbersIn(choices)
    // What is reached was nearly reached before.
    const last = new Map((says as unknown as LimitNews[]).map(it => [it.name, it]))
    const all = [...last.values()]
    const names: Readonly<Record<string, string>> = w.limits.names
    const isKnown = ({ name }: LimitNews) => Object.hasOwn(names, name)
    const brought = all.every(isKnown)
      ? []
      : await limitsOfPlugins(account, context, choices.language)
    const isMonthly = all.some(({ name }) => monthly.some(it => it.name === name))
    return {
      subject: w.limits.subject(all.some(({ used, limit }) => used >= limit)),
      lead: w.limits.lead,
      rows: all.map(({ name, label, used, limit }) => ({
        title: names[name] ?? brought.find(it => it.name === name)?.label ?? label,
        details: [w.limits.used(number(used), number(limit))],
      })),
      after: isMonthly ? w.limits.nextMonth : undefined,
    }
  },

  endingLinks: making =>
    ofLinks(making, making.w.endingLinks, (link, { expiresAt }, { w, choices }) => {
      if (expiresAt !== null) {
        // It may have another end by now.
        if (link.expiresAt !== expiresAt) return undefined
        return [w.endingLinks.on(momentIn(choices, String(expiresAt)))]
      }
      const left = Number(link.visitsLeft)
      return left > 0 ? [w.endingLinks.left(left)] : undefined
    }),

  // A mail with a harmful address is taken for a harmful mail.
  blockedLinks: making =>
    ofLinks(making, making.w.blockedLinks, ({ status }) => (status === 'blocked' ? [] : undefined)),

  deadLinks: making =>
    ofLinks(making, making.w.deadLinks, ({ originalUrl }, said, { w }) =>
      originalUrl === said.originalUrl ? [w.leadsTo(shortened(String(originalUrl)))] : undefined,
    ),

  async webhooks({ says, w, context }) {
    return {
      subject: w.webhooks.subject(says.length),
      lead: w.webhooks.lead,
      rows: says.map(({ host, offBecause }) => ({
        title: String(host),
        details: [offBecause === 'gone' ? w.webhooks.gone : w.webhooks.failing],
      })),
      button: {
        label: w.webhooks.open,
        url: pageOf('plugins/developer/webhooks', context),
      },
    }
  },

  async imports({ says, w, context }) {
    const isDone = says.every(({ state }) => state === 'done')
    const rows = says.slice(0, mostShown).map(({ source, made, refused, visits }) => ({
      title: w.imports.from(String(source)),
      details: [w.imports.counts(Number(made), Number(refused), Number(visits))],
    }))
    const button = { label: w.imports.open, url: pageOf('links/move-in', context) }
    return { subject: w.imports.subject(isDone), lead: '', rows, button }
  },

  weekly: ({ account, choices, says, w, context }) =>
    weekOf({ account, choices, monday: String(says.at(-1)?.monday), w }, context),

  async others({ says, w }) {
    const [first] = says
    if (first && says.length === 1) {
      const { title, text, url } = first
      const button = url ? { label: String(url), url: String(url) } : undefined
      return { subject: String(title), lead: String(text), button }
    }
    const rows = says.slice(0, mostShown).map(({ title, text, url }) => ({
      title: String(title),
      details: [shortened(String(text))],
      url: url ? String(url) : undefined,
    }))
    const more = says.length - rows.length
    return {
      subject: w.others.subject(says.length),
      lead: '',
      rows,
      after: more > 0 ? w.more(more) : undefined,
    }
  },
}

/** A mail about links. `say` says something of one, and undefined of one of which it is true no more. */
async function ofLinks(
  making: Making,
  { subject, lead }: { subject(n: number): string; readonly lead: string },
  say: (link: Shown, said: Shown, making: Making) => readonly string[] | undefined,
): Promise<Letter | undefined> {
  const { account, context, w } = making
  const says = [...new Map(making.says.map(it => [it.id, it])).values()]
  const rows = []
  for (const said of says.slice(0, mostRead)) {
    const link = await readLink(account, String(said.id), context)
    const details = link && say(link, said, making)
    if (!link || !details) continue
    const { title, shortUrl, id } = link
    rows.push({
      title: title ? `${title} (${shortUrl})` : String(shortUrl),
      ...{ details, url: pageOf(`links/${id}`, context) },
    })
  }
  if (rows.length === 0) return undefined
  const all = rows.length + Math.max(says.length - mostRead, 0)
  const more = all - Math.min(rows.length, mostShown)
  return {
    subject: subject(all),
    ...{ lead, rows: rows.slice(0, mostShown), after: more > 0 ? w.more(more) : undefined },
  }
}

/** A link as the API shows it to its account; undefined if there is none any more. */
async function readLink(
  { accountId }: KnownAccount,
  id: string,
  { unstable }: OwnContext,
): Promise<Shown | undefined> {
  const { status, body } = await unstable.callApi(accountId, 'GET', `/links/${id}`)
  if (status === 404) return undefined
  const data: Json | undefined = isObject(body) ? body.data : undefined
  if (status === 200 && isObject(data)) return data
  throw new Error(`A link could not be read: ${status}`)
}
