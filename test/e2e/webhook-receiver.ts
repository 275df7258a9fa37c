import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { root } from './program.ts'
import type { Server } from './server.ts'

const secret = Buffer.alloc(24, 7)

/** What servers need so that the webhook sender can sign, and reach this machine. */
export const senderEnv = {
  WEBHOOK_SECRET: `whsec_${secret.toString('base64')}`,
  LINNET_FETCH_ALLOW: '127.0.0.1/32',
}

/** A message that came with a right signature. */
export interface Message {
  readonly id: string
  readonly type: string
  readonly data: { readonly id: string; readonly title: string | null }
}

/** Another program that takes messages: a real server, which the test can make fail. */
export interface Receiver {
  readonly url: string
  /** Every message that was taken, in the order in which they came. */
  readonly taken: readonly Message[]
  /** The status of answers; by default 204. */
  status: number
}

export async function startReceiver(): Promise<Receiver> {
  const taken: Message[] = []
  const server = createServer(async (req, res) => {
    const body = await text(req)
    const {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': signature,
    } = req.headers
    const right = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')
    const isTaken = signature === `v1,${right}` && receiver.status < 300
    if (isTaken) taken.push({ id: String(id), ...JSON.parse(body) })
    res.writeHead(isTaken ? receiver.status : Math.max(receiver.status, 400)).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hook`, taken, status: 204 }
  return receiver
}

/** Puts the example that sends webhooks into the folder of plugins. */
export function addSender(dataDir: string): void {
  mkdirSync(join(dataDir, 'plugins'), { recursive: true })
  cpSync(join(root, 'examples/webhook.ts'), join(dataDir, 'plugins/webhook.ts'))
}

/** Tells the sender where the other program is. */
export async function sendTo(server: Server, { url }: Receiver): Promise<void> {
  const settings = { url }
  const { status, text } = await server.api('PATCH', '/admin/plugins/custom.webhook', { settings })
  expect({ status, text }).toMatchObject({ status: 200 })
}

/** Changes that servers said were done, as `type id title`, in the order of each link. */
export type Done = string[]

const clients = 4

/** Lets clients make, change and delete links as fast as they can, and kills the server after this many milliseconds. */
export async function changeLinksUntilKilled(
  server: Server,
  afterMs: number,
  done: Done,
): Promise<void> {
  let isOver = false
  const before = done.length
  async function call(method: string, path: string, body?: object) {
    const answer = await server.api(method, path, body).catch(() => undefined)
    if (answer === undefined || answer.status >= 300) isOver = true
    return isOver ? undefined : answer
  }
  async function change(client: number): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      const title = `${server.pid} ${client} ${number}`
      const original_url = 'https://example.com/'
      const made = await call('POST', '/links', { original_url, title })
      if (!made) return
      const { id } = made.body.data
      done.push(`link.created ${id} ${title}`)
      if (!(await call('PATCH', `/links/${id}`, { title: `${title}!` }))) return
      done.push(`link.updated ${id} ${title}!`)
      if (number % 2 === 0) continue
      if (!(await call('DELETE', `/links/${id}`))) return
      done.push(`link.deleted ${id} ${title}!`)
    }
  }
  const over = Promise.all(Array.from({ length: clients }, (_, client) => change(client)))
  await delay(afterMs)
  while (done.length === before) await delay(20)
  await server.kill('SIGKILL')
  await over
}

export const nameOf = ({ type, data }: Message) => `${type} ${data.id} ${data.title}`

/** Waits until each of these changes has come, and expects them in their order, none under two ids. */
export async function expectAll({ taken }: Receiver, done: Done, withinMs = 30_000): Promise<void> {
  const missing = () => {
    const came = new Set(taken.map(nameOf))
    return done.filter(it => !came.has(it))
  }
  await expect.poll(missing, { timeout: withinMs }).toEqual([])
  const links = taken.filter(({ type }) => type.startsWith('link.'))
  const ids = new Map(links.map(message => [nameOf(message), message.id]))
  expect(links.filter(message => ids.get(nameOf(message)) !== message.id)).toEqual([])
  expect(outOfOrder(links)).toEqual([])
}

/** The messages that first came before one of their link that is older. */
export function outOfOrder(messages: readonly Message[]): readonly string[] {
  const order = ['link.created', 'link.updated', 'link.deleted']
  const reached = new Map<string, number>()
  const seen = new Set<string>()
  return messages.flatMap(({ id, type, data }) => {
    if (seen.has(id)) return []
    seen.add(id)
    const step = order.indexOf(type)
    const before = reached.get(data.id) ?? -1
    reached.set(data.id, step)
    return step === before + 1 ? [] : [`${type} ${data.id}`]
  })
}
