import { choices, create, createInBulk, follow } from './requests.mjs'
import { raw, rawWithPage, variants } from './variants.mjs'

/** A high rate for a link shortener, but a low one for any of these servers. */
const calmPerSecond = 1_000
const connections = 50
const bulk = 100
const compared = [raw, 'every dimension']
/** A page matters only where there is no link. */
const whereLinksAre = Object.keys(variants).filter(name => name !== rawWithPage)
const alsoWithoutLane = [...compared, 'every dimension, without the lane']
const goalsOf = (ofRaw, processorOfRaw) => [
  ...(ofRaw ? [{ row: 'every dimension', column: 'of raw', atLeast: ofRaw }] : []),
  ...(processorOfRaw
    ? [{ row: 'every dimension', column: 'CPU of raw', atMost: processorOfRaw }]
    : []),
]

/**
 * The parts of the benchmark, in order. Each has its number of links, its rows (a server and its load), the
 * columns of its table, and its goals. At a `size` other than 1, links and requests are multiplied by it.
 */
export function partsOf(size) {
  const links = number => Math.max(1, Math.round(number * size))
  const [few, many] = [links(1_000), links(100_000)]

  /** At full speed. */
  const atTheLimit = (title, count, choose, names, goals) => ({
    title,
    links: count,
    rows: rowsOf(names, followed(count, choose)),
    columns: limitColumns,
    goals,
  })

  const followed = (count, choose, status = 302) => {
    const requests = once(() => follow(Math.max(links(100_000), 2 * count), count, choose))
    return { requests, status, connections }
  }

  const created = (clients, perRequest = 1) => ({
    requests: token =>
      perRequest === 1 ? create(1_000, token) : createInBulk(50, token, perRequest),
    status: perRequest === 1 ? 201 : 200,
    connections: clients,
    linksEach: perRequest,
  })

  return [
    {
      title: 'at rest',
      links: few,
      rows: rowsOf(whereLinksAre),
      columns: ['first redirect ms', 'MiB'],
      goals: [
        { row: 'every plugin', column: 'first redirect ms', atMost: 1_000 },
        { row: 'all but cities', column: 'MiB', atMost: 150 },
      ],
    },
    atTheLimit(named(few, 'Zipf'), few, choices.zipf, whereLinksAre, [
      ...goalsOf(0.9, 1.5),
      { row: 'totals only', column: 'of raw', atLeast: 0.95 },
      { row: 'all but cities', column: 'MiB after', atMost: 150 },
    ]),
    atTheLimit(named(few, 'uniform'), few, choices.uniform, alsoWithoutLane, goalsOf(0.9, 1.5)),
    atTheLimit('only 1 link', 1, choices.uniform, compared, goalsOf(0.9)),
    atTheLimit(named(many, 'Zipf'), many, choices.zipf, compared, goalsOf(0.75, 1.83)),
    atTheLimit(named(many, 'uniform'), many, choices.uniform, alsoWithoutLane, goalsOf(0.75, 1.83)),
    {
      title: 'unknown codes',
      links: few,
      rows: rowsOf([raw, rawWithPage, 'every dimension'], followed(few, choices.unknown, 404)),
      columns: limitColumns.filter(column => column !== 'folded after s'),
      goals: goalsOf(0.7),
    },
    {
      title: 'ten minutes',
      links: many,
      rows: [
        ['all links', choices.uniform, 302],
        ['unknown codes', choices.unknown, 404],
      ].map(([name, choose, status]) => ({
        name,
        variant: 'all but cities',
        load: { ...followed(many, choose, status), lasts: Math.max(1, Math.round(300 * size)) },
      })),
      columns: ['requests/s', 'p99 ms', 'MiB at first', 'MiB later', 'MiB grown', 'MiB after'],
      // Each row takes five minutes, both on the same server.
      goals: [
        { row: 'all links', column: 'MiB grown', atMost: 20 },
        { row: 'unknown codes', column: 'MiB grown', atMost: 20 },
      ],
    },
    {
      title: `at ease, ${calmPerSecond.toLocaleString('en')} requests/s`,
      links: few,
      rows: rowsOf([raw, 'no tracking', 'totals only', 'every dimension', 'every plugin'], {
        ...followed(few, choices.zipf),
        perSecond: calmPerSecond,
      }),
      columns: ['p50 ms', 'p99 ms', 'p99 of raw', 'CPU µs', 'CPU of raw', 'MiB after'],
      goals: [{ row: 'every dimension', column: 'p99 of raw', atMost: 1.5 }],
    },
    {
      title: 'making links',
      links: few,
      rows: [
        { name: '1 client', variant: 'every plugin', load: created(1) },
        { name: '10 clients', variant: 'every plugin', load: created(10) },
        { name: '50 clients', variant: 'every plugin', load: created(50) },
        { name: '1 client, 100 at once', variant: 'every plugin', load: created(1, bulk) },
      ],
      columns: ['links/s', 'of before', 'p50 ms', 'p99 ms', 'CPU µs', 'MiB after'],
      goals: [
        { row: '1 client', column: 'of before', atLeast: 2.5 },
        { row: '50 clients', column: 'of before', atLeast: 5 },
        { row: '1 client, 100 at once', column: 'of before', atLeast: 5 },
        { row: '50 clients', column: 'p99 ms', atMost: 30 },
      ],
    },
  ]
}

const limitColumns = [
  ...['requests/s', 'of raw', 'of raw, tick kept', 'of before', 'p50 ms', 'p99 ms', 'CPU µs'],
  ...['CPU of raw', 'folded after s', 'bytes a visit', 'MiB after'],
]

function rowsOf(names, load) {
  return names.map(name => ({ name, variant: name, load }))
}

function named(count, how) {
  return `${count.toLocaleString('en')} ${count === 1 ? 'link' : 'links'}, ${how}`
}

/** A function that computes its result only once. */
function once(work) {
  let answer
  return () => {
    answer ??= work()
    return answer
  }
}
