import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  createGuardedFetch,
  createWhyNoFetch,
  type GuardedFetchOptions,
} from '../../../../core/kernel/run/guarded-fetch.ts'
import { type OwnNetwork, parseOwnNetwork } from '../../../../core/lib/net/own-network.ts'
import { isPublicAddress } from '../../../../core/lib/net/public-ip.ts'

/** A service on this machine that nobody outside must be able to reach through us. */
let sink: Server
let connections = 0
let requests: IncomingMessage[] = []
let answer: RequestListener = (_, res) => res.end('secret')
let port: number

beforeAll(async () => {
  sink = createServer((req, res) => {
    requests.push(req)
    answer(req, res)
  })
  sink.on('connection', () => {
    connections += 1
  })
  // All addresses of this machine, IPv6 and IPv4.
  await new Promise<void>(done => sink.listen(0, done))
  port = (sink.address() as AddressInfo).port
})
afterEach(() => {
  connections = 0
  requests = []
  answer = (_, res) => res.end('secret')
})
afterAll(() => {
  sink.close()
})

const never = new AbortController().signal

function strictFetch(options: Partial<GuardedFetchOptions> = {}) {
  return createGuardedFetch({ isAllowed: isPublicAddress, signal: never, ...options })
}

const openFetch = strictFetch({ isAllowed: () => true })
const at = (host: string, path = '/') => `http://${host}:${port}${path}`
const text = (body: Uint8Array) => Buffer.from(body).toString()

describe('S05: what we fetch is never in a private network', () => {
  const own = [
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    'localhost',
    'LOCALHOST',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
  ]

  it.each(own)('%s is refused, and the sink sees no connection', async host => {
    await expect(strictFetch()(at(host))).rejects.toThrow('plugins must not connect to')
    expect(connections).toBe(0)
  })

  it('nor is any port asked but those that are meant to be', async () => {
    const fetch = strictFetch({ isAllowed: () => true, ports: [80, 443] })
    for (const url of [at('127.0.0.1'), 'https://127.0.0.1:22/', 'http://127.0.0.1:443443/']) {
      await expect(fetch(url)).rejects.toThrow()
    }
    await expect(fetch(at('127.0.0.1'))).rejects.toThrow('its port is not allowed')
    expect(connections).toBe(0)
  })

  describe('unless the operator names it', () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const strict = (text: string) =>
      strictFetch({ ownNetwork: parseOwnNetwork(text) as OwnNetwork, ports: [80, 443], resolve })

    it.each(['127.0.0.1', '127.0.0.0/8', '10.0.0.0/8, 127.0.0.1', 'n8n.lan,Sink.lan'])(
      'as %s, for an address that the operator gave, and for no other',
      async text => {
        const fetch = strict(text)
        expect((await fetch(at('sink.lan'), { toOwnNetwork: true })).status).toBe(200)
        await expect(fetch(at('sink.lan'))).rejects.toThrow('plugins must not connect to.')
        expect(connections).toBe(1)
      },
    )

    it('and then nothing else, nor where that redirects', async () => {
      for (const text of ['none', '127.0.0.2', '10.0.0.0/8', 'lan', 'k.lan', 'other.lan']) {
        const asked = strict(text)(at('sink.lan'), { toOwnNetwork: true })
        await expect(asked).rejects.toThrow(
          'plugins must not connect to, unless LINNET_FETCH_ALLOW names sink.lan.',
        )
      }
      expect(connections).toBe(0)
      answer = (_, res) => res.writeHead(302, { location: at('other.lan') }).end()
      const asked = strict('sink.lan')(at('sink.lan'), { toOwnNetwork: true })
      await expect(asked).rejects.toThrow('other.lan')
      expect(connections).toBe(1)
    })
  })

  it('control: without the check those addresses reach the sink', async () => {
    const reached = await Promise.allSettled(own.map(host => openFetch(at(host))))
    const through = own.filter((_, index) => reached[index]?.status === 'fulfilled')
    expect(through).toEqual(expect.arrayContaining(['127.0.0.1', '127.1', '0x7f000001', '0']))
    expect(connections).toBe(through.length)
  })

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[::127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:db8::1]',
    '[2001::1]',
  ])('%s is refused before anything is sent there', async host => {
    await expect(strictFetch()(at(host))).rejects.toThrow('plugins must not connect to')
  })

  it.each(['8.8.8.8', '172.32.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s is on the internet',
    address => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://127.0.0.1:70/',
    'data:text/html,hi',
    'javascript:1',
    'http://ada:secret@example.com/',
    'nonsense',
  ])('%s is not asked', async url => {
    await expect(strictFetch()(url)).rejects.toThrow(/Only http and https|There is no URL/)
  })

  it('a name is refused when only one of its addresses is private', async () => {
    const resolve = async () => [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const fetch = strictFetch({ resolve, isAllowed: address => address !== '127.0.0.1' })
    await expect(fetch(at('both.example'))).rejects.toThrow('plugins must not connect to')
    expect(connections).toBe(0)
  })

  it('a name that changes its address after the check is not followed to the new one', async () => {
    let asked = 0
    const resolve = async () => {
      asked += 1
      return asked === 1 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '::1', family: 6 }]
    }
    answer = ({ socket }, res) => res.end(socket.localAddress)
    const fetch = strictFetch({ resolve, isAllowed: address => address.endsWith('127.0.0.1') })
    const { body } = await fetch(at('rebinds.example'))
    expect(text(body)).toMatch(/127\.0\.0\.1$/)
    expect([asked, connections]).toEqual([1, 1])
  })

  it('nothing is sent when the other end turns out to be elsewhere', async () => {
    let checks = 0
    const isAllowed = () => {
      checks += 1
      return checks === 1
    }
    await expect(strictFetch({ isAllowed })(at('127.0.0.1'))).rejects.toThrow(
      'plugins must not connect to',
    )
    expect(requests).toEqual([])
  })

  it.each(['http://10.0.0.1:PORT/secret', '//[::1]:PORT/secret', 'file:///etc/passwd'])(
    'a redirect to %s is not followed',
    async location => {
      answer = (req, res) => {
        const to = location.replace('PORT', String(port))
        if (req.url === '/door') res.writeHead(302, { location: to }).end()
        else res.end('secret')
      }
      // This one address stands for a server on the internet.
      const isAllowed = (address: string) =>
        address.endsWith('127.0.0.1') || isPublicAddress(address)
      await expect(strictFetch({ isAllowed })(at('127.0.0.1', '/door'))).rejects.toThrow(
        /must not connect|Only http/,
      )
      expect(requests.map(({ url }) => url)).toEqual(['/door'])
    },
  )
})

describe('an answer', () => {
  it('has status, headers and body, whatever the status', async () => {
    answer = (_, res) => res.writeHead(404, { 'X-Note': 'gone' }).end('no such page')
    const { status, headers, body, isWhole } = await openFetch(at('127.0.0.1'))
    expect([status, headers.get('x-note'), text(body), isWhole]).toEqual([
      404,
      'gone',
      'no such page',
      true,
    ])
  })

  it('comes from where the redirects lead, without what was meant for the first', async () => {
    answer = (req, res) => {
      if (req.url === '/a') res.writeHead(301, { location: '/b' }).end()
      else if (req.url === '/b') res.writeHead(307, { location: at('localhost', '/c') }).end()
      else res.end('here')
    }
    const options = { headers: { authorization: 'Bearer x' } }
    expect(await openFetch(at('127.0.0.1', '/a'), options)).toMatchObject({
      url: at('localhost', '/c'),
      status: 200,
    })
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer x',
      'Bearer x',
      undefined,
    ])
  })

  it('is given up after five redirects', async () => {
    answer = (_, res) => res.writeHead(302, { location: '/again' }).end()
    await expect(openFetch(at('127.0.0.1'))).rejects.toThrow('it redirects too often')
    expect(requests).toHaveLength(6)
  })

  it('to what was posted is not looked for elsewhere', async () => {
    answer = (_, res) => res.writeHead(307, { location: '/again' }).end()
    const { status } = await openFetch(at('127.0.0.1'), { method: 'POST', body: '{}' })
    expect([status, requests.length]).toEqual([307, 1])
  })

  it('is cut where it gets too long, and the rest is not waited for', async () => {
    answer = (_, res) => {
      res.write('x'.repeat(100_000))
    }
    const { body, isWhole } = await openFetch(at('127.0.0.1'), { maxBytes: 1_000 })
    expect([body.length, isWhole]).toEqual([1_000, false])
  })

  it.each([
    ['turns to another protocol', 'HTTP/1.1 101 A\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
    ['is no answer at all', 'Hello\r\n\r\n'],
    ['only says that one will come', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['ends in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na'],
  ])('that %s fails in time', async (_, said) => {
    const server = createTcpServer(socket => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(said))
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await expect(openFetch(url, { timeoutMs: 200 })).rejects.toThrow('does not answer')
    server.close()
  })

  const chunks = (count: number, bytes: number): RequestListener => {
    return (_, res) => {
      for (let sent = 0; sent < count; sent += 1) res.write('a'.repeat(bytes))
      res.end()
    }
  }
  const afterHints = (count: number): RequestListener => {
    return (_, res) => {
      for (let sent = 0; sent < count; sent += 1) res.writeProcessing()
      res.end('a')
    }
  }

  it.each([
    ['after many interim responses', afterHints(11), 'it sends too many interim responses'],
    ['in many chunks of a byte', chunks(102, 1), 'it answers in too many small chunks'],
  ])('is not read when it comes %s, which would hold redirects', async (_, said, why) => {
    answer = said
    await expect(openFetch(at('127.0.0.1'))).rejects.toThrow(
      `127.0.0.1:${port} does not answer: ${why}.`,
    )
  })

  it.each([
    ['after a few interim responses', afterHints(10), 1],
    ['in a few chunks of a byte', chunks(101, 1), 101],
    ['in many small chunks', chunks(500, 40), 20_000],
  ])('control: is read when it comes %s', async (_, said, bytes) => {
    answer = said
    const { body, isWhole } = await openFetch(at('127.0.0.1'))
    expect([text(body), isWhole]).toEqual(['a'.repeat(bytes), true])
  })

  it('is not waited for longer than said while the name is not found out', async () => {
    const fetch = strictFetch({ resolve: () => new Promise(() => undefined) })
    await expect(fetch(at('localhost'), { timeoutMs: 50 })).rejects.toThrow('nothing within 50 ms')
  })

  it('that does not come in time is not waited for', async () => {
    answer = (_, res) => {
      res.write('never')
    }
    await expect(openFetch(at('127.0.0.1', '/?key=k'), { timeoutMs: 50 })).rejects.toThrow(
      `127.0.0.1:${port} does not answer: nothing within 50 ms.`,
    )
  })

  it('is not waited for when the process stops, or the caller wants it no more', async () => {
    answer = () => stopping.abort()
    let stopping = new AbortController()
    const fetch = strictFetch({ isAllowed: () => true, signal: stopping.signal })
    await expect(fetch(at('127.0.0.1'))).rejects.toThrow('it was stopped')
    await expect(fetch(at('127.0.0.1'))).rejects.toThrow('it was stopped')
    stopping = new AbortController()
    await expect(openFetch(at('127.0.0.1'), { signal: stopping.signal })).rejects.toThrow(
      'it was stopped',
    )
    expect(requests).toHaveLength(2)
  })
})

it('nothing warns of a leak when many hosts are asked at once', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error) => warnings.push(warning)
  process.on('warning', warned)
  const { signal } = new AbortController()
  const fetch = strictFetch({ isAllowed: () => true, signal })
  await Promise.all(Array.from({ length: 30 }, () => fetch(at('127.0.0.1'))))
  await new Promise(setImmediate)
  process.off('warning', warned)
  expect(warnings).toEqual([])
})

describe('a redirect that is not to be followed', () => {
  it('is the answer, with where it leads', async () => {
    answer = (_, res) => res.writeHead(301, { location: '/elsewhere' }).end('moved')
    const { status, url, headers } = await openFetch(at('127.0.0.1'), { redirect: 'manual' })
    expect([status, url, headers.get('location')]).toEqual([301, at('127.0.0.1'), '/elsewhere'])
    expect(requests).toHaveLength(1)
  })

  it('control: others are followed', async () => {
    answer = ({ url }, res) =>
      url === '/' ? res.writeHead(301, { location: '/elsewhere' }).end() : res.end('here')
    const { status, url } = await openFetch(at('127.0.0.1'))
    expect([status, url]).toEqual([200, at('127.0.0.1', '/elsewhere')])
  })
})

describe('what was not asked', () => {
  const failureOf = (fetching: Promise<unknown>) =>
    fetching.then(
      () => undefined,
      (error: unknown) => error,
    )

  it.each([
    ['an address in a private network', () => strictFetch()(at('127.0.0.1'))],
    ['a port', () => strictFetch({ isAllowed: () => true, ports: [80] })(at('127.0.0.1'))],
    ['a scheme', () => openFetch('ftp://example.com/')],
  ])('because of %s is forbidden', async (_, ask) => {
    expect(await failureOf(ask())).toMatchObject({ name: 'FetchFailed', isForbidden: true })
    expect(requests).toEqual([])
  })

  it('control: what was asked and did not answer is not', async () => {
    answer = ({ socket }) => socket.destroy()
    expect(await failureOf(openFetch(at('127.0.0.1')))).toMatchObject({ isForbidden: false })
  })
})

describe('whether a URL can be fetched, told without the DNS', () => {
  const whyNot = createWhyNoFetch({
    isAllowed: address => address === '93.184.216.34',
    ports: [80, 443],
    ownNetwork: { networks: [], hosts: ['10.0.0.1', 'n8n.lan'] },
  })
  const network = 'its address is in a network that plugins must not connect to'

  it.each([
    ['https://example.com/', false, undefined],
    ['https://93.184.216.34/', false, undefined],
    ['https://93.184.216.34:8443/', false, 'its port is not allowed'],
    ['https://example.com:8443/', false, 'its port is not allowed'],
    // It may be in a network of the operator.
    ['https://example.com:8443/', true, undefined],
    ['http://10.0.0.1:5678/', false, network],
    ['http://10.0.0.1:5678/', true, undefined],
    ['http://n8n.lan:5678/', true, undefined],
    ['http://10.0.0.2/', true, `${network}, unless LINNET_FETCH_ALLOW names 10.0.0.2`],
    ['http://[::1]/', false, network],
    ['http://0x7f.1/', false, network],
    ['http://localhost/', false, network],
    ['http://a.localhost/', false, network],
    [
      'ftp://example.com/',
      false,
      'Only http and https URLs without a user name or password are fetched',
    ],
    ['nonsense', false, 'There is no URL to fetch'],
  ])('%s, with toOwnNetwork: %s', (url, toOwnNetwork, why) => {
    expect(whyNot(url, { toOwnNetwork })).toBe(why)
  })
})
