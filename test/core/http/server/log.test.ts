import { expect, test } from 'vitest'
import { createLog, forPeople } from '../../../../core/http/server/log.ts'
import { ServerAway } from '../../../../core/storage/files/out-of-reach.ts'

function logTo(lines: string[]) {
  return createLog('info', { write: line => lines.push(line) })
}

test('a line is JSON with a time, a level, a message and details', () => {
  const lines: string[] = []
  logTo(lines).warn('The disk is full', { freeBytes: 0 })
  const { time, ...rest } = JSON.parse(lines[0] ?? '')
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(rest).toEqual({ level: 'warn', message: 'The disk is full', freeBytes: 0 })
})

test('an error is logged with its stack', () => {
  const lines: string[] = []
  logTo(lines).error('It failed', { error: new Error('why') })
  expect(JSON.parse(lines[0] ?? '').error).toMatchObject({
    message: 'why',
    stack: expect.any(String),
  })
})

test('a message or an error of some megabytes is shortened', () => {
  const lines: string[] = []
  const issues = Array.from({ length: 100_000 }, () => 'issue')
  const error = Object.assign(new Error('long'.repeat(1_000_000)), { issues })
  logTo(lines).error('long'.repeat(1_000_000), { error })
  expect(lines.join().length).toBeLessThan(50_000)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    message: expect.stringMatching(/^(long)+… \(3990000 more characters\)$/),
    error: { type: 'Error', message: expect.stringMatching(/^longlong/) },
  })
})

test('details of some megabytes are shortened, and the line says so and whose it is', () => {
  const lines: string[] = []
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`key${at}`, at]))
  const long = { list: 'x'.repeat(5_000_000), small: 1, many, ...many, feature: 'a.b' }
  const error = Object.assign(new Error('why'), { body: { all: 'x'.repeat(5_000_000) } })
  logTo(lines).info('Read', long)
  logTo(lines).error('Failed', { ...long, error })
  expect(lines.join('').length).toBeLessThan(20_000)
  const [read, failed] = lines.map(line => JSON.parse(line))
  expect(read).toMatchObject({ level: 'info', message: 'Read', feature: 'a.b', small: 1 })
  expect(read.list).toMatch(/^x+… \(4999000 more characters\)$/)
  expect([read.isCut, failed.isCut]).toEqual([true, true])
  expect(failed.error).toMatchObject({ type: 'Error', message: 'why', stack: error.stack })
})

test('of what is long nothing is written before it is cut, and what cannot be read fails nobody', () => {
  const lines: string[] = []
  const log = logTo(lines)
  let written = 0
  const counted = { toJSON: () => (written += 1) }
  const rows = Array.from({ length: 100_000 }, () => counted)
  log.warn('Rows', {
    rows,
    bytes: new Uint8Array(100_000),
    deep: { rows, status: 500 },
    feature: 'a.b',
  })
  log.warn('Failed', {
    error: Object.assign(new Error('why'), { response: { rows, status: 500 } }),
  })
  expect(written).toBeLessThan(100)
  const [first, second] = lines.map(line => JSON.parse(line))
  expect(first).toMatchObject({ bytes: '100000 bytes', deep: { rows: '…', status: 500 } })
  expect([first.rows.length, first.feature, first.isCut]).toEqual([10, 'a.b', true])
  expect(second.error.response).toEqual({ rows: '…', status: 500 })

  const unreadable = Object.defineProperty({}, 'it', {
    enumerable: true,
    get() {
      throw new Error('gone')
    },
  })
  log.warn('Unreadable', { unreadable })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ message: 'Unreadable', unreadable: '…' })
  const itself: Record<string, unknown> = { name: 'a' }
  itself.itself = itself
  log.warn('Itself', { itself, small: 1 })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ itself: { name: 'a' }, small: 1 })
})

test('details take the place of nothing that each line has', () => {
  const lines: string[] = []
  const log = createLog('info', { write: line => lines.push(line) }, { worker: '2' })
  log.warn('mine', { level: 'error', time: 'never', message: 'yours', worker: '1', count: 3 })
  expect(lines[0]?.match(/"(level|time|message|worker)":/g)).toHaveLength(4)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    ...{ level: 'warn', message: 'mine', worker: '2', count: 3 },
  })
})

test.each([
  ['a message', 'a\n12:30:01 error b', {}],
  ['an error', 'It failed', { error: new Error('a\r\n12:30:01 error b') }],
  ['a stack', 'It failed', { error: Object.assign(new Error('a'), { stack: '12:30:01 error b' }) }],
])('%s does not look like another line to people', (_, message, details) => {
  const lines: string[] = []
  createLog('info', forPeople({ write: line => lines.push(line) })).info(message, details)
  expect(lines.join('').match(/^\d\d:\d\d:\d\d /gm)).toHaveLength(1)
  expect(lines.join('')).toContain('\n    12:30:01 error b')
})

test('what says who visited, and secrets, are left out even when somebody hands them over', () => {
  const lines: string[] = []
  logTo(lines).info('x', { ip: '203.0.113.9', visit: { ip: '203.0.113.9' }, token: 'lnt_secret' })
  expect(lines.join()).not.toMatch(/203\.0\.113\.9|lnt_secret/)
})

test('what is below the level is not logged', () => {
  const lines: string[] = []
  createLog('error', { write: line => lines.push(line) }).warn('x')
  expect(lines).toEqual([])
})

test('people read one line, an error below it, and no terminal codes', () => {
  const lines: string[] = []
  const people = createLog('info', forPeople({ write: line => lines.push(line) }))
  people.error('It failed', { name: 'a\u001b[31m', error: new Error('red \u001b[31malert') })
  expect(lines.join('')).toMatch(
    /^\d\d:\d\d:\d\d error It failed name="a.*\nError: red .*\n {4}at /,
  )
  expect(lines.join('')).not.toContain('\u001b')
})

test.each([
  ['is away', new ServerAway('connect ECONNREFUSED')],
  ['cannot be read', Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' })],
])(
  'what fails alike while the database %s is told once a minute, with the number left out',
  (_, away) => {
    const lines: string[] = []
    let nowMs = 0
    const log = createLog('info', { write: line => lines.push(line) }, {}, () => nowMs)
    const told = () => lines.splice(0).map(line => JSON.parse(line))
    for (let time = 0; time < 100; time += 1) {
      log.error('A link could not be followed', { requestId: `${time}`, error: away })
    }
    log.error('links.create failed', { error: away })
    expect(told()).toMatchObject([
      { requestId: '0', error: { message: away.message } },
      { message: 'links.create failed' },
    ])
    for (const _ of [1, 2]) log.error('links.create failed', { error: new Error('a bug') })
    expect(told()).toHaveLength(2)
    nowMs = 60_000
    for (const _ of [1, 2]) log.error('A link could not be followed', { error: away })
    expect(told()).toMatchObject([{ omitted: 99 }])
  },
)

test('people do not read twice what the message says, and an address to open is on a line of its own', () => {
  const lines: string[] = []
  const people = createLog('info', forPeople({ write: line => lines.push(line.slice(9)) }))
  const ready = { url: 'http://localhost:8080', host: '0.0.0.0', port: 8080, dataDir: '/data' }
  people.info('Linnet is ready at http://localhost:8080', ready)
  people.info('Open it here: http://localhost:8080/#c-d_E', { setupCode: 'c-d_E' })
  people.warn('3 links are protected by link.x', {
    feature: 'link.x',
    links: 3,
    port: 80,
    note: '',
  })
  expect(lines).toEqual([
    'info  Linnet is ready at http://localhost:8080 host="0.0.0.0" dataDir="/data"\n',
    'info  Open it here:\nhttp://localhost:8080/#c-d_E\n',
    'warn  3 links are protected by link.x port=80 note=""\n',
  ])
})
