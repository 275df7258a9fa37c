import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { browser, token } from '../../e2e/server.ts'
import type { Chance } from '../../screenshots/chance.ts'
import { type HttpAnswer, readAnswers } from './read-answers.ts'

/** A link that a client may follow, and where it leads. */
export interface Known {
  readonly code: string
  readonly target: string
}

/** What all clients of a round found. */
export interface Ledger {
  /** Links that clients were told exist: original URLs by short code. */
  readonly promised: Map<string, string>
  /** Answers that do not belong to the request. */
  readonly wrong: string[]
  /** Visits that were sent, whether or not an answer came. */
  sent: number
  /** Visits whose redirect came. */
  answered: number
  /** Connections that ended before their answer. */
  cut: number
}

export interface World {
  readonly port: number
  readonly links: readonly Known[]
  readonly ledger: Ledger
  readonly chance: Chance
  /** Unique among the clients of all rounds. */
  readonly name: string
}

const agent = `Host: a\r\nUser-Agent: ${browser}\r\n`
const mayBeAway = [500, 503]

/** What a client does next, and how often. */
const steps: readonly (readonly [
  (world: World, socket: Socket, next: Next) => Promise<void>,
  number,
])[] = [
  [visit, 8],
  [visitMany, 4],
  [create, 4],
  [requestOther, 3],
  [stall, 2],
  [halfClose, 1],
  [leave, 5],
  [readNothing, 2],
  [lieAboutLength, 2],
  [sendGarbage, 2],
]

type Next = () => Promise<HttpAnswer | undefined>

/** Lives as a client until the time is over: connects, does some things, and connects again. */
export async function live(world: World, until: number): Promise<void> {
  while (performance.now() < until) {
    const socket = connect({ port: world.port, host: '127.0.0.1', noDelay: true })
    socket.on('error', () => undefined)
    await Promise.race([once(socket, 'connect').catch(() => undefined), wait(1_000)])
    const next = readAnswers(socket)
    for (let left = world.chance.upTo(6); left > 0 && socket.writable; left -= 1) {
      await world.chance.oneOf(steps)(world, socket, next)
    }
    socket.destroy()
  }
}

async function visit(world: World, socket: Socket, next: Next): Promise<void> {
  const link = aLink(world)
  send(socket, visitOf(world, link))
  await expectTarget(world, link, next)
}

async function visitMany(world: World, socket: Socket, next: Next): Promise<void> {
  const links = Array.from({ length: world.chance.upTo(20) }, () => aLink(world))
  const text = links.map(link => visitOf(world, link)).join('')
  const cut = world.chance.upTo(text.length)
  send(socket, text.slice(0, cut))
  if (world.chance.upTo(3) === 1) await wait(world.chance.upTo(10))
  send(socket, text.slice(cut))
  for (const link of links) await expectTarget(world, link, next)
}

let made = 0
async function create(world: World, socket: Socket, next: Next): Promise<void> {
  made += 1
  const original_url = `https://example.com/${world.name}/${made}`
  send(socket, post(JSON.stringify({ original_url })))
  const answer = await next()
  if (!answer) return noteCut(world)
  if (mayBeAway.includes(answer.status)) return
  const { data } = JSON.parse(answer.body)
  if (answer.status === 201 && data?.originalUrl === original_url) {
    world.ledger.promised.set(data.shortCode, original_url)
  } else note(world, `create ${original_url}`, answer)
}

/** What has another answer than a redirect. */
async function requestOther(world: World, socket: Socket, next: Next): Promise<void> {
  const [path, status, says] = world.chance.oneOf<readonly [string, number, string]>([
    [[`/no-${world.name}-${world.chance.upTo(1e9)}`, 404, '<html'], 3],
    [['/api/v1/links?per_page=10', 200, '"data"'], 1],
    [['/api/v1/profile', 200, '"email"'], 1],
    [['/dashboard/', 200, '<!doctype html>'], 1],
    [['/health/live', 200, '"ok"'], 1],
  ])
  send(socket, `GET ${path} HTTP/1.1\r\n${agent}Authorization: Bearer ${token}\r\n\r\n`)
  const answer = await next()
  if (!answer) return noteCut(world)
  if (mayBeAway.includes(answer.status)) return
  if (answer.status !== status || !answer.body.includes(says)) note(world, path, answer)
}

async function stall(world: World, socket: Socket, next: Next): Promise<void> {
  const link = aLink(world)
  const text = visitOf(world, link)
  const cut = world.chance.upTo(text.length - 1)
  send(socket, text.slice(0, cut))
  await wait(world.chance.upTo(300))
  send(socket, text.slice(cut))
  await expectTarget(world, link, next)
}

async function halfClose(world: World, socket: Socket, next: Next): Promise<void> {
  const link = aLink(world)
  socket.end(visitOf(world, link))
  await expectTarget(world, link, next)
}

async function leave(world: World, socket: Socket): Promise<void> {
  const text = world.chance.oneOf<string>([
    [visitOf(world, aLink(world)), 3],
    [`GET /no-${world.chance.upTo(1e9)} HTTP/1.1\r\n${agent}\r\n`, 3],
    [`GET /api/v1/links HTTP/1.1\r\n${agent}Authorization: Bearer ${token}\r\n\r\n`, 1],
  ])
  send(
    socket,
    text.slice(0, world.chance.upTo(4) === 1 ? world.chance.upTo(text.length) : undefined),
  )
  const pause = world.chance.upTo(12)
  if (pause > 4) await wait(pause - 4)
  world.chance.oneOf<() => unknown>([
    [() => socket.resetAndDestroy(), 2],
    [() => socket.end(), 1],
    [() => socket.destroy(), 2],
  ])()
}

async function readNothing(world: World, socket: Socket): Promise<void> {
  const path = world.chance.oneOf<string>([
    ['/api/v1/openapi.json', 1],
    [`/no-${world.name}`, 1],
    ['/dashboard/', 1],
  ])
  socket.pause()
  send(socket, `GET ${path} HTTP/1.1\r\n${agent}\r\n`.repeat(world.chance.upTo(200)))
  await wait(world.chance.upTo(500))
  socket.destroy()
}

/** More or less of a body than was announced, and then the client leaves. */
async function lieAboutLength(world: World, socket: Socket): Promise<void> {
  const text = post('{"original_url":"https://example.com/"}', world.chance.upTo(100))
  send(socket, text)
  await wait(world.chance.upTo(50))
  socket.destroy()
}

async function sendGarbage(world: World, socket: Socket): Promise<void> {
  const bytes = Array.from({ length: world.chance.upTo(300) }, () => world.chance.upTo(256) - 1)
  send(socket, String.fromCharCode(...bytes))
  await wait(world.chance.upTo(50))
  socket.destroy()
}

function aLink({ chance, links }: World): Known {
  const link = links[chance.upTo(links.length) - 1]
  if (!link) throw new Error('There are no links.')
  return link
}

function visitOf({ ledger }: World, { code }: Known): string {
  ledger.sent += 1
  return `GET /${code} HTTP/1.1\r\n${agent}\r\n`
}

function post(body: string, length = body.length): string {
  const type = 'Content-Type: application/json\r\n'
  return `POST /api/v1/links HTTP/1.1\r\n${agent}Authorization: Bearer ${token}\r\n${type}Content-Length: ${length}\r\n\r\n${body}`
}

function send(socket: Socket, text: string): void {
  if (socket.writable) socket.write(text, 'latin1')
}

async function expectTarget(world: World, link: Known, next: Next): Promise<void> {
  const answer = await next()
  if (!answer) return noteCut(world)
  if (answer.status === 302 && answer.location === link.target) world.ledger.answered += 1
  else if (!mayBeAway.includes(answer.status)) note(world, link.target, answer)
}

function noteCut({ ledger }: World): void {
  ledger.cut += 1
}

function note({ ledger }: World, asked: string, { status, location, body }: HttpAnswer): void {
  ledger.wrong.push(`${asked}: ${status} ${location ?? body.slice(0, 200)}`)
}
