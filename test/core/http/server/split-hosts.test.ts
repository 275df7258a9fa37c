import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { Handler } from '../../../../core/http/request/split-paths.ts'
import { splitHosts, watchHosts } from '../../../../core/http/server/split-hosts.ts'
import type { RequestHead } from '../../../../core/lib/request-head.ts'

const nowhere = { name: '', accountId: 1, rootUrl: null, notFoundUrl: null }
const gone: string[] = []
const to = (name: string) => () => void gone.push(name)
const others = to('others')

/** Where a request for a host goes. */
function goesTo(host: string): string | undefined {
  const handlers = new Map([['links.example.com', to('links')]])
  const hostOf = ({ rawHeaders }: RequestHead) => rawHeaders[1] ?? ''
  const handle = splitHosts(others, handlers, { hostOf, own: 'go.example.org:8080' })
  void handle({ rawHeaders: ['Host', host] } as IncomingMessage, {} as ServerResponse)
  return gone.pop()
}

it.each([
  'links.example.com',
  'LINKS.example.COM',
  'links.example.com.',
  'links.example.com:80',
  'links.example.com.:80',
])('the host %j has a handler of its own', host => {
  expect(goesTo(host)).toBe('links')
})

it.each([
  'go.example.org:8080',
  'go.example.org',
  'links.example.com:80:80',
  'links.example.com:http',
  'links.example.com/',
  ' links.example.com',
  'a.links.example.com',
  '[::1]:8080',
  '__proto__',
  '',
])('the host %j is like any other', host => {
  expect(goesTo(host)).toBe('others')
})

it('all hosts but that of the base URL are answered apart, where that is asked for', () => {
  const hostOf = ({ rawHeaders }: RequestHead) => rawHeaders[1] ?? ''
  const own = 'go.example.org:8080'
  const handle = splitHosts(others, new Map(), { hostOf, own, unknown: to('unknown') })
  const goes = (host: string) => {
    void handle({ rawHeaders: ['Host', host] } as IncomingMessage, {} as ServerResponse)
    return gone.pop()
  }
  for (const host of [own, 'go.example.org', 'GO.Example.org.:443'])
    expect(goes(host)).toBe('others')
  for (const host of ['evil.example', '127.0.0.1:8080', '']) expect(goes(host)).toBe('unknown')
})

it('the host of a request is not looked at while no host has a handler', () => {
  const lookUp = () => expect.fail('A host was looked at.')
  expect(splitHosts(others, new Map(), { hostOf: lookUp, own: '' })).toBe(others)
})

it('the handler of a host is made when it is asked for, kept for some hundred hosts, and made anew after a change', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `h${index}.example.com`)
  const made: string[] = []
  let change = (): void => undefined
  const hosts = {
    all: () => new Map(names.map(name => [name, { ...nowhere, name }])),
    onChange: (listener: () => void) => {
      change = listener
      return () => undefined
    },
  }
  let handlers: ReadonlyMap<string, Handler> = new Map()
  const watch = watchHosts(hosts, host => {
    const { name } = host === 'shut' ? nowhere : host
    made.push(name)
    return Object.assign(to(name), { ready: () => undefined })
  })
  watch(now => {
    handlers = now
  })
  const ask = (name: string) =>
    void handlers.get(name)?.({} as IncomingMessage, {} as ServerResponse)
  expect([handlers.size, made]).toEqual([20_000, []])
  for (const name of ['h7.example.com', 'h7.example.com', 'h19999.example.com']) ask(name)
  expect(made.splice(0)).toEqual(['h7.example.com', 'h19999.example.com'])
  expect(gone.splice(0)).toEqual(['h7.example.com', 'h7.example.com', 'h19999.example.com'])
  for (const name of names) ask(name)
  made.splice(0)
  for (const name of names.slice(-400)) ask(name)
  expect(made).toEqual([])
  ask('h7.example.com')
  expect(made.splice(0)).toEqual(['h7.example.com'])
  change()
  ask('h7.example.com')
  expect(made).toEqual(['h7.example.com'])
})
