import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { createLink, type Instance } from './server.ts'

/** What victims and leaving clients did. */
export interface Seen {
  /** Answers that victims got. */
  readonly answers: number
  /** Answers that were not the victim's own, as their status line and address. */
  readonly wrong: readonly string[]
  /** Clients that left. */
  readonly left: number
}

/**
 * How many answers victims must have had: where the lane still awaited a database server, one of 200 was somebody
 * else's.
 */
const answers = 2_000

/** How a client leaves. */
const leave: readonly ((socket: Socket) => unknown)[] = [
  socket => socket.resetAndDestroy(),
  socket => socket.end(),
  socket => socket.destroy(),
]
/** When: with its request, a turn later, while it is looked up, or when the answer is on its way. */
const pauses = [async () => undefined, () => turn(), () => wait(1), () => wait(6)]

/**
 * Lets twelve victims follow links of their own, while eight clients request a link, and something else that is
 * not at hand, and leave before the answer. No victim may ever get what somebody else asked for. The port may be
 * that of a proxy in front of the server.
 */
export async function seeLeaving(
  server: Instance,
  port = Number(new URL(server.url).port),
): Promise<Seen> {
  const links = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const target = `https://example.com/${index}`
      return { target, code: (await createLink(server, { original_url: target })).shortCode }
    }),
  )
  const [common = ''] = links.map(({ code }) => code)
  const guarded = await createLink(server, { password: 'open sesame' })
  const fresh = await Promise.all(Array.from({ length: 20 }, () => createLink(server)))
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
  /** What is not at hand: it is looked up, asked for, or somebody else's to answer. */
  const away = (round: number) => [
    `/unknown${round}`,
    // This spelling of the common code is never remembered.
    `/${common.slice(0, -1)}%${common.charCodeAt(common.length - 1).toString(16)}`,
    `/${fresh[round % fresh.length]?.shortCode}`,
    `/${guarded.shortCode}`,
    '/api/v1/links',
    '/dashboard/',
  ]
  let had = 0
  let left = 0
  const wrong: string[] = []

  /** A new connection for every third visit, because what a connection leaves behind goes to a new one. */
  async function beVictim({ code, target }: (typeof links)[number]): Promise<void> {
    while (had < answers) {
      const socket = await connected(port)
      const next = answersOn(socket)
      for (let visit = 0; visit < 3; visit += 1) {
        socket.write(get(`/${code}?visit=${visit}`))
        const answer = await next()
        had += 1
        const location = /^location: (.*)$/im.exec(answer)?.[1]?.trim()
        if (location !== target) wrong.push(`${answer.slice(0, 12)} ${location}`)
      }
      socket.destroy()
    }
  }

  async function keepLeaving(number: number): Promise<void> {
    for (let round = number; had < answers; round += 1) {
      const socket = await connected(port)
      const next = answersOn(socket)
      socket.write(get(`/${common}`))
      await next()
      const paths = away(round)
      const path = paths[round % paths.length] ?? ''
      // Now and then half of another follows.
      socket.write(get(path) + (round % 5 === 0 ? get(path).slice(0, 9) : ''))
      await pauses[Math.floor(round / paths.length) % pauses.length]?.()
      leave[round % leave.length]?.(socket)
      left += 1
      if (!socket.closed) await Promise.race([once(socket, 'close'), wait(50)])
      socket.destroy()
    }
  }

  await Promise.all([
    ...links.map(beVictim),
    ...Array.from({ length: 8 }, (_, number) => keepLeaving(number * 7)),
  ])
  return { answers: had, wrong, left }
}

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket.on('error', () => undefined)
}

/** Returns a function that waits for the next answer: its head, whose body is empty or is left out. */
function answersOn(socket: Socket): () => Promise<string> {
  let text = ''
  let tell: () => void = () => undefined
  socket.setEncoding('latin1').on('data', piece => {
    text += piece
    tell()
  })
  socket.once('close', () => tell())
  return async () => {
    for (;;) {
      const end = text.indexOf('\r\n\r\n')
      const head = text.slice(0, end)
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
      if (end !== -1 && text.length >= end + 4 + length) {
        text = text.slice(end + 4 + length)
        return head
      }
      if (socket.closed) return ''
      await new Promise<void>(resolve => {
        tell = resolve
      })
    }
  }
}
