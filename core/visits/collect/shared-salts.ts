import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { within } from '../../lib/async/within.ts'
import { newRecipient, type Recipient, sealFor } from '../../lib/seal.ts'
import type { Storage } from '../../storage/database.ts'
import { isOfOurs, serversOn } from '../../storage/servers.ts'
import { keepSalts, saltMs } from '../count/kept-salts.ts'
import { newSalt } from '../count/marker.ts'
import type { AgreedSalt } from '../wire/packed-visits.ts'

/** What a server knows of the salt of a day. */
const heldSalt = z.object({
  day: z.number(),
  /** Begins with the moment at which it was made: the smaller one is older. */
  id: z.string(),
  salt: z.string().length(64),
})

type HeldSalt = z.infer<typeof heldSalt>

/** How long other servers may take to answer, and how long it is waited for one that made a salt at the same moment. */
const answerMs = 2_000
const settleMs = 250

/** Later nothing that answers a question is taken up. */
const questionMs = 60_000

const topic = 'salt'

/** Base 36, of milliseconds since 1970 UTC. */
const momentChars = 9

/**
 * Servers on one database make the marks of a day by one salt, so that a visitor of two of them is one. It is in
 * their memory alone. A server that needs it makes a key pair, asks for it over the news with the public key, and a
 * server that has it answers with what only that key opens: what the database passes on, and may write to a disk, says
 * nothing to anybody. Who asks or answers has to be connected as Linnet's own user. Where nobody answers, a server makes
 * one; of two the older one is used by all.
 */
export function agreeOnSalts({
  db,
  news,
}: Pick<Storage, 'db' | 'news'>): (days: readonly number[]) => Promise<readonly AgreedSalt[]> {
  const held = keepSalts<HeldSalt>()
  const questions = new Map<number, Recipient & { answered(): void }>()

  async function ask(day: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const question = { ...newRecipient(), answered: resolve }
    questions.set(day, question)
    const forget = () => questions.get(day) === question && questions.delete(day)
    setTimeout(forget, questionMs).unref()
    const known = held.get(day)?.id ?? ''
    await news.tell(db, topic, `ask ${day} ${question.publicKey} ${known}`)
    await promise
  }

  async function hear(told: string, teller: number): Promise<void> {
    const [what, ...rest] = told.split(' ')
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
    const isNewsToMe = itsId !== '' && (mine ? itsId < mine.id : question !== undefined)
    if (!(mine || isNewsToMe) || !(await isOfOurs(db, teller))) return
    if (isNewsToMe) return ask(day)
    const sealed = await sealFor(publicKey, JSON.stringify(mine))
    await news.tell(db, topic, `answer ${publicKey} ${sealed}`)
  }

  async function hearAnswer(
    [publicKey, sealed = '']: readonly string[],
    teller: number,
  ): Promise<void> {
    const question = [...questions.values()].find(it => it.publicKey === publicKey)
    const opened = await question?.open(sealed)
    if (question === undefined || opened === undefined || !(await isOfOurs(db, teller))) return
    const its = heldSalt.parse(JSON.parse(opened))
    const mine = held.get(its.day)
    if (mine === undefined || its.id < mine.id) held.set(its.day, its, endOf(its))
    question.answered()
  }

  // Who was not answered asks again or goes on by itself.
  const ignore = () => undefined
  news.on(topic, (told, teller) => {
    if (told !== undefined && teller !== undefined) hear(told, teller).catch(ignore)
    else for (const day of held.days()) ask(day).catch(ignore)
  })

  async function findOrMake(day: number): Promise<HeldSalt> {
    const isAlone = (await serversOn(db)).length < 2
    if (!isAlone) await within(answerMs, ask(day), undefined)
    const answered = held.get(day)
    if (answered) return answered
    const made = { day, id: newId(), salt: newSalt() }
    held.set(day, made, endOf(made))
    if (!isAlone) await within(settleMs, ask(day), undefined)
    return held.get(day) ?? made
  }

  return async days => {
    const salts: AgreedSalt[] = []
    for (const day of days) {
      const it = held.get(day) ?? (await findOrMake(day))
      salts.push({ day, salt: it.salt, until: endOf(it) })
    }
    return salts
  }
}

function newId(): string {
  const moment = Date.now().toString(36).padStart(momentChars, '0')
  return moment + randomBytes(4).toString('hex')
}

function endOf({ id }: HeldSalt): number {
  return Number.parseInt(id.slice(0, momentChars), 36) + saltMs
}
