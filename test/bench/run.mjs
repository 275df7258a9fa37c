import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { builtProgram, makeInstance } from './linnet.mjs'
import { machine } from './measure.mjs'
import { measurePart } from './measure-part.mjs'
import { partsOf } from './parts.mjs'
import { beforeOf, printPart } from './report.mjs'
import { raw, variants } from './variants.mjs'
import { hasWrk } from './wrk.mjs'

/**
 * `npm run bench`: Linnet as it is deployed, behind a proxy and with visitors from everywhere, compared with
 * plain `node:http` with a Map of the same links, and nginx if it is installed. It takes 25 minutes and prints
 * a Markdown table for each part. The driver, which is wrk if it is installed, shares the machine with the
 * server, so the ratios say more than the numbers.
 */
const { values } = parseArgs({
  options: {
    /** Only the parts whose title contains this, such as `Zipf` or `making`. */
    only: { type: 'string', multiple: true, default: [''] },
    /** Only the servers whose name contains this; the raw one is always included. */
    servers: { type: 'string', multiple: true, default: [''] },
    /** A factor for the numbers of links, the durations and the rests: 0.1 for a first impression. */
    size: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    /** The duration of a round. */
    seconds: { type: 'string' },
    /** Another build, such as that of an earlier commit: `elsewhere/dist/main.js`. Its rows are named "before". */
    against: { type: 'string' },
  },
})
const size = positive('size', values.size)
const rounds = positive('rounds', values.rounds)
const seconds = positive('seconds', values.seconds ?? String(wholeFromOne(4 * size)))
/** After some idle seconds V8 releases the memory that it does not need. */
const restSeconds = 30 * Math.min(1, size)

const parts = partsOf(size)
  .filter(({ title }) => isNamed(title, values.only))
  .map(part => ({ ...part, rows: part.rows.filter(isWanted).flatMap(withBefore) }))
  .filter(({ rows }) => rows.length > 0)
if (parts.length === 0) {
  const titles = partsOf(size).map(({ title }) => title)
  throw new Error(`Nothing is left to measure. There is: ${titles.join('; ')}.`)
}

const driver = hasWrk && Number.isInteger(seconds) ? 'wrk' : 'a driver in Node'
console.log(`${machine()}\n`)
console.log(`${rounds} rounds of ${seconds} s by ${driver}\n`)
const instances = new Map()
try {
  for (const part of parts) {
    process.stderr.write(`${part.title}\n`)
    const options = { rounds, seconds, restSeconds, instanceOf }
    printPart(part, await measurePart(part, options))
  }
} finally {
  for (const instance of instances.values()) (await instance).remove()
}

function instanceOf(links, program) {
  const key = `${links} ${program}`
  const instance = instances.get(key) ?? makeInstance(links, program)
  instances.set(key, instance)
  return instance
}

function isWanted({ variant }) {
  return variant in variants && (variant === raw || isNamed(variant, values.servers))
}

function withBefore(row) {
  const now = { ...row, program: builtProgram }
  if (!values.against || !variants[row.variant].isLinnet) return [now]
  return [now, { ...now, name: beforeOf(row.name), program: resolve(values.against) }]
}

function isNamed(name, texts) {
  return texts.some(text => name.toLowerCase().includes(text.toLowerCase()))
}

/** Whole seconds, which is what wrk takes, except for a fraction of one. */
function wholeFromOne(number) {
  return number < 0.5 ? number : Math.round(number)
}

function positive(option, text) {
  const number = Number(text)
  if (number > 0) return number
  throw new Error(`--${option} is "${text}": give a number above 0.`)
}
