import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import { within } from '../../lib/async/within.ts'
import { newRecipient, type Recipient, sealFor } from '../../lib/seal.ts'
import type { Storage } from '../../storage/database.ts'
import { isOfOurs, serversOn } from '../../storage/servers.ts'
import type { RecentVisits } from './recent-visits.ts'

/** How long to wait for answers of other servers, in milliseconds; later ones are left out. */
const answerMs = 2_000

/** How many characters of an answer fit into one NOTIFY. */
const partChars = 7_500

const topic = 'minutes'

type ReadMinutes = (accountId: number) => Promise<RecentVisits>

interface Question extends Recipient {
  /** The parts received so far of each answer, by its id. */
  readonly partsOfAnswers: Map<string, Map<string, string>>
  hear(answer: RecentVisits): void
}

/**
 * Each server remembers the visits that it counts itself. A server that needs the last minutes asks all others on its
 * database over the news, and adds up their answers. Only the asking server can read an answer, and all of them must
 * be connected as Linnet's own user.
 */
export function shareMinutes(
  { db, news }: Pick<Storage, 'db' | 'news'>,
  readOwn: ReadMinutes,
): ReadMinutes {
  const questions = new Map<string, Question>()
  const underWay = new Map<number, Promise<RecentVisits>>()

  async function ask(accountId: number): Promise<RecentVisits> {
    const others = news.isHeard() ? (await serversOn(db)).length - 1 : 0
    if (others < 1) return readOwn(accountId)
    const recipient = newRecipient()
    const { publicKey } = recipient
    const answers: RecentVisits[] = []
    const { promise: all, resolve } = Promise.withResolvers<void>()
    const hear = (answer: RecentVisits) => answers.push(answer) === others && resolve()
    questions.set(publicKey, { ...recipient, partsOfAnswers: new Map(), hear })
    try {
      await news.tell(db, topic, `ask ${publicKey} ${accountId}`)
      const [here] = await Promise.all([readOwn(accountId), within(answerMs, all, undefined)])
      return addUp([here, ...answers])
    } finally {
      questions.delete(publicKey)
    }
  }

  async function hearQuestion([publicKey = '', accountId]: readonly string[], teller: number) {
    if (questions.has(publicKey) || !(await isOfOurs(db, teller))) return
    const sealed = sealFor(publicKey, await pack(await readOwn(Number(accountId))))
    const id = randomUUID()
    const count = Math.ceil(sealed.length / partChars)
    for (let part = 0; part < count; part += 1) {
      const text = sealed.slice(part * partChars, (part + 1) * partChars)
      await news.tell(db, topic, `answer ${publicKey} ${id} ${part} ${count} ${text}`)
    }
  }

  async function hearAnswer(
    [publicKey = '', id = '', part = '', count, text = '']: readonly string[],
    teller: number,
  ) {
    const question = questions.get(publicKey)
    if (question === undefined) return
    const parts = question.partsOfAnswers.get(id) ?? new Map<string, string>()
    question.partsOfAnswers.set(id, parts.set(part, text))
    if (parts.size !== Number(count)) return
    // Parts may have come over several connections, out of order.
    const sealed = Array.from(parts.keys(), (_, at) => parts.get(String(at))).join('')
    const opened = question.open(sealed)
    if (opened === undefined || !(await isOfOurs(db, teller))) return
    question.hear(await unpack(opened))
  }

  news.on(topic, (message, teller) => {
    if (message === undefined || teller === undefined) return
    const [what, ...rest] = message.split(' ')
    const heard = what === 'ask' ? hearQuestion(rest, teller) : hearAnswer(rest, teller)
    // Whoever gets no answer does without it.
    heard.catch(() => undefined)
  })

  return accountId => {
    const asked =
      underWay.get(accountId) ?? ask(accountId).finally(() => underWay.delete(accountId))
    underWay.set(accountId, asked)
    return asked
  }
}

/** A link that was visited on several servers gets several sums per minute. */
function addUp(all: readonly RecentVisits[]): RecentVisits {
  return {
    rememberedMs: Math.min(...all.map(it => it.rememberedMs)),
    firstMinute: Math.max(...all.map(it => it.firstMinute)),
    sums: Float64Array.from(all.flatMap(it => [...it.sums])),
  }
}

async function pack({ rememberedMs, firstMinute, sums }: RecentVisits): Promise<string> {
  const numbers = Float64Array.from([rememberedMs, firstMinute, ...sums])
  return (await promisify(deflate)(numbers, { level: 1 })).toString('base64')
}

async function unpack(text: string): Promise<RecentVisits> {
  const bytes = await promisify(inflate)(Buffer.from(text, 'base64'))
  const [rememberedMs = 0, firstMinute = 0, ...sums] = new Float64Array(
    Uint8Array.from(bytes).buffer,
  )
  return { rememberedMs, firstMinute, sums: Float64Array.from(sums) }
}
