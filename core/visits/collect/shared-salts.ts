import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { within } from '../../lib/async/within.ts'
import { newRecipient, type Recipient, sealFor } from '../../lib/seal.ts'
import type { Storage } from '../../storage/database.ts'
import { isOfOurs, serversOn } from '../../storage/servers.ts'
import { keepSalts, newSalt, saltMs } from '../count/marker.ts'
import { dayOf } from '../facts/buckets.ts'
import type { AgreedSalt } from '../wire/packed-visits.ts'

/** What a server knows about the salt of a day. */
const heldSalt = z.object({
  day: z.number(),
  /** Begins with the time at which it was made, so that the smaller id is the older one. */
  id: z.string(),
  salt: z.string().length(64),
})

type HeldSalt = z.infer<typeof heldSalt>

interface Question extends Recipient {
  /** How many other servers there are, and the public keys of those that asked the same. */
  readonly others: number
  readonly askers: Set<string>
  answered(): void
}

/** More servers than there are: only an answer will do. */
const everybody = Number.POSITIVE_INFINITY

/**
 * How long to wait for answers of other servers, and then for a server that made a salt at the same moment, in
 * milliseconds.
 */
const answerMs = 2_000
const settleMs = 250

/** How long answers to a question are accepted, in milliseconds. */
const questionMs = 60_000

const topic = 'salt'

/** How long before a day begins its salt is agreed on, in milliseconds, so that its first visits need not wait. */
const aheadMs = 60_000

const dayMs = 24 * 3_600_000

/** How many characters the time in an id has: milliseconds since 1970 UTC in base 36. */
const momentChars = 9

/**
 * Lets servers on one database make the marks of a day with the same salt, so that a visitor of two servers counts
 * once. The salt is only in their memory. A server that needs it creates a key pair and asks for it over the news
 * with the public key; a server that has it encrypts its answer with that key, so that what the database passes on,
 * and may write to a disk, reveals nothing. All of them must be connected as Linnet's own user. If nobody answers,
 * the server makes a salt; if there are two, all servers use the older one.
 */
export function agreeOnSalts({
  db,
  news,
}: Pick<Storage, 'db' | 'news'>): (days: readonly number[]) => Promise<readonly AgreedSalt[]> {
  const held = keepSalts<HeldSalt>()
  const finding = new Map<number, Promise<HeldSalt>>()
  const questions = new Map<number, Question>()

  /** Resolves when somebody answers, or when so many others have asked the same that nobody is left to answer. */
  async function ask(day: number, others: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = questions.get(day)
    const answered = () => {
      before?.answered()
      resolve()
    }
    const question = { ...newRecipient(), others, askers: new Set<string>(), answered }
    questions.set(day, question)
    const forget = () => questions.get(day) === question && questions.delete(day)
    setTimeout(forget, questionMs).unref()
    const known = held.get(day)?.id ?? ''
    await news.tell(db, topic, `ask ${day} ${question.publicKey} ${known}`)
    await promise
  }

  async function hear(message: string, teller: number): Promise<void> {
    const [what, ...rest] = message.split(' ')
    if (what === 'ask') await hearQuestion(rest, teller)
    if (what === 'answer') await hearAnswer(rest, teller)
  }

  async function hearQuestion(
    [dayText, publicKey = '', itsId = '']: readonly string[],
    teller: number,
  ): Promise<void> {
    const day = Number(dayText)
    const mine = held.get(day)
    const question = questions.get(day)
    if (question?.publicKey === publicKey || mine?.id === itsId) return
    if (!(mine || question) || !(await isOfOurs(db, teller))) return
    if (mine === undefined && itsId === '') {
      question?.askers.add(publicKey)
      if (question && question.askers.size >= question.others) question.answered()
      return
    }
    if (mine === undefined || (itsId !== '' && itsId < mine.id)) return ask(day, everybody)
    const sealed = sealFor(publicKey, JSON.stringify(mine))
    await news.tell(db, topic, `answer ${publicKey} ${sealed}`)
  }

  async function hearAnswer(
    [publicKey, sealed = '']: readonly string[],
    teller: number,
  ): Promise<void> {
    const question = [...questions.values()].find(it => it.publicKey === publicKey)
    const opened = question?.open(sealed)
    if (question === undefined || opened === undefined || !(await isOfOurs(db, teller))) return
    const its = heldSalt.parse(JSON.parse(opened))
    const mine = held.get(its.day)
    if (mine === undefined || its.id < mine.id) held.set(its.day, its, endOf(its))
    question.answered()
  }

  // Whoever gets no answer asks again or goes on alone.
  const ignore = () => undefined
  news.on(topic, (message, teller) => {
    if (message !== undefined && teller !== undefined) hear(message, teller).catch(ignore)
    else for (const day of held.days()) ask(day, everybody).catch(ignore)
  })

  async function findOrMake(day: number): Promise<HeldSalt> {
    const others = (await serversOn(db)).length - 1
    if (others > 0) await within(answerMs, ask(day, others), undefined)
    const answered = held.get(day)
    if (answered) return answered
    const made = { day, id: newId(), salt: newSalt() }
    held.set(day, made, endOf(made))
    if (others > 0) await within(settleMs, ask(day, everybody), undefined)
    return held.get(day) ?? made
  }

  function findOnce(day: number): Promise<HeldSalt> {
    const found = finding.get(day) ?? findOrMake(day).finally(() => finding.delete(day))
    finding.set(day, found)
    return found
  }

  return async days => {
    const salts: AgreedSalt[] = []
    for (const day of days) {
      const it = held.get(day) ?? (await findOnce(day))
      salts.push({ day, salt: it.salt, until: endOf(it) })
    }
    return salts
  }
}

/**
 * Agrees on the salt of today, and of each later day shortly before it begins, so that no visit waits for it. The
 * returned promise is for today, and never rejects: visits ask again.
 */
export async function agreeAhead(
  agree: ReturnType<typeof agreeOnSalts>,
  day = dayOf(Date.now()),
): Promise<void> {
  const nextInMs = (day + 1) * dayMs - aheadMs - Date.now()
  setTimeout(() => void agreeAhead(agree, day + 1), Math.max(nextInMs, 0)).unref()
  await agree([day]).catch(() => undefined)
}

function newId(): string {
  const moment = Date.now().toString(36).padStart(momentChars, '0')
  return moment + randomBytes(4).toString('hex')
}

function endOf({ id }: HeldSalt): number {
  return Number.parseInt(id.slice(0, momentChars), 36) + saltMs
}
