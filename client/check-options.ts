import { LinnetError } from './errors.ts'

/** What an option has to be, in words that follow "must be". */
type Check = readonly [must: string, is: (value: unknown) => boolean]

const text: Check = ['a text', value => typeof value === 'string']
const flag: Check = ['true or false', value => typeof value === 'boolean']
const call: Check = ['a function', value => typeof value === 'function']
const count: Check = [
  'a whole number from 0',
  value => Number.isInteger(value) && Number(value) >= 0,
]
/** Timers of JavaScript go no further: they would end at once. */
const mostMs = 2 ** 31 - 1
const wait: Check = [
  `a number of milliseconds up to ${mostMs}`,
  value => typeof value === 'number' && value >= 0 && value <= mostMs,
]
const signal: Check = [
  'an AbortSignal',
  value => typeof (value as AbortSignal)?.aborted === 'boolean',
]
const headers: Check = ['an object of texts', value => typeof value === 'object']

const ofCall: Readonly<Record<string, Check>> = {
  signal,
  timeoutMs: wait,
  retries: count,
  dryRun: flag,
  idempotencyKey: text,
  ifMatch: text,
  ifNoneMatch: text,
  headers,
}

const ofClient: Readonly<Record<string, Check>> = {
  url: text,
  // It becomes a header, where nothing else can stand.
  token: ['an API token', value => typeof value === 'string' && /^[!-~]+$/.test(value)],
  timeoutMs: wait,
  retries: count,
  longestWaitMs: wait,
  onRetry: call,
  fetch: call,
}

/** The address of the server in the options of a client. Throws if one of them cannot be meant. */
export function checkOptions(options: unknown): string {
  check(options, ofClient, 'The client')
  const { url } = options as { readonly url?: unknown }
  const found = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  const { protocol = '', username, password, search, hash, href } = found ?? {}
  const isAddress = /^https?:$/.test(protocol) && ![username, password, search, hash].some(Boolean)
  if (isAddress && href) return href.replace(/\/+$/, '')
  throw new LinnetError(
    `${JSON.stringify(url)} is not the address of a server. Give one such as https://go.example.org as url.`,
  )
}

/** Throws if an option of a call cannot be meant. */
export function checkCall(options: object): void {
  check(options, ofCall, 'A call')
}

function check(options: unknown, known: Readonly<Record<string, Check>>, whose: string): void {
  if (typeof options !== 'object' || options === null) {
    throw new LinnetError(
      `${whose} takes its options as an object: { ${Object.keys(known)[0]}: … }.`,
    )
  }
  for (const [name, value] of Object.entries(options)) {
    const [must, is] = Object.hasOwn(known, name) ? (known[name] as Check) : []
    if (is === undefined) {
      const all = Object.keys(known).join(', ')
      throw new LinnetError(`${whose} has no option ${name}. Those that there are: ${all}.`)
    }
    if (value !== undefined && !is(value)) throw new LinnetError(`${name} must be ${must}.`)
  }
}
