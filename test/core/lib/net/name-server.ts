import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** One question of RFC 1035, section 4.1.2: 1 asks for IPv4 addresses, 16 for texts, 28 for IPv6 addresses. */
export interface Question {
  readonly name: string
  readonly type: number
}

/** The data of the records that answer it, or the code of a failure; nothing is sent back if there is neither. */
export type Answer = readonly Buffer[] | number | undefined

/** Starts a name server on this machine for one test, and gives its address with the port. */
export async function startNameServer(answerTo: (question: Question) => Answer): Promise<string> {
  const server = createSocket('udp4')
  server.on('message', (message, { port, address }) => {
    const answer = answerTo(read(message))
    if (answer !== undefined) server.send(write(message, answer), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `127.0.0.1:${server.address().port}`
}

function read(message: Buffer): Question {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1) }
}

/** The question again, with answers that refer to its name. */
function write(message: Buffer, answer: readonly Buffer[] | number): Buffer {
  const records = typeof answer === 'number' ? [] : answer
  const end = message.indexOf(0, 12) + 5
  const head = Buffer.from(message.subarray(0, 12))
  head.writeUInt16BE(0x8180 | (typeof answer === 'number' ? answer : 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  const type = message.subarray(end - 4, end - 2)
  const answers = records.map(data => {
    const record = Buffer.from([0xc0, 12, ...type, 0, 1, 0, 0, 0, 60, 0, data.length])
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, message.subarray(12, end), ...answers])
}
