import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { splitPaths } from '../../../../core/http/request/split-paths.ts'

test.each([
  ['/api', 'api'],
  ['/api/', 'api'],
  ['/api/v1/links', 'api'],
  ['/api?x=/health', 'api'],
  ['/api#x', 'api'],
  ['/health/live', 'health'],
  ['/', 'follow'],
  ['', 'follow'],
  ['*', 'follow'],
  ['/apis', 'follow'],
  ['/a', 'follow'],
  ['/API', 'follow'],
  ['/api%2Fv1', 'follow'],
  ['/%61pi', 'api'],
  ['//api', 'api'],
  ['///%61%70%69/v1?x', 'api'],
  ['//', 'follow'],
  ['//apis', 'follow'],
  ['//x/api', 'follow'],
  ['/%61pis', 'follow'],
  ['/x/api', 'follow'],
  ['/healthy', 'follow'],
  ['/constructor', 'follow'],
])('a request for %s goes to %s', (url, expected) => {
  const gone: string[] = []
  const to = (name: string) => () => void gone.push(name)
  const handle = splitPaths(to('follow'), { api: to('api'), health: to('health') })
  void handle({ url } as IncomingMessage, {} as ServerResponse)
  expect(gone).toEqual([expected])
})

test.each([
  ['/api/v2', 'second'],
  ['/api/v2/links?x', 'second'],
  ['/api/v2?x', 'second'],
  ['/api/v1/v2', 'api'],
  ['/api/v22', 'api'],
  ['/api', 'api'],
  ['/.well-known/a.json', 'known'],
  ['/.well-known/a.json/b', 'known'],
  ['/.well-known/b', 'follow'],
  ['/.well-known', 'follow'],
  ['/.well-known/', 'follow'],
  ['//.well-known/a.json', 'follow'],
])('with mounts of two segments, a request for %s goes to %s', (url, expected) => {
  const gone: string[] = []
  const to = (name: string) => () => void gone.push(name)
  const mounts = { api: to('api'), 'api/v2': to('second'), '.well-known/a.json': to('known') }
  void splitPaths(to('follow'), mounts)({ url } as IncomingMessage, {} as ServerResponse)
  expect(gone).toEqual([expected])
})

test.each([
  ['/', 'home'],
  ['/?utm_source=letter', 'home'],
  ['*', 'follow'],
  ['//', 'follow'],
  ['//api', 'api'],
  ['/a', 'follow'],
  ['/api', 'api'],
])('with something at the bare address, a request for %s goes to %s', (url, expected) => {
  const gone: string[] = []
  const to = (name: string) => () => void gone.push(name)
  const handle = splitPaths(to('follow'), { api: to('api'), '': to('home') })
  void handle({ url } as IncomingMessage, {} as ServerResponse)
  expect(gone).toEqual([expected])
})

test.each([
  ['/api/v1/mcp', 'third'],
  ['/api/v1/mcp/', 'third'],
  ['/api/v1/mcp?x', 'third'],
  ['/api/v1/mcps', 'api'],
  ['/api/v1', 'api'],
  ['/api/v1/links/mcp', 'api'],
  ['/x/api/v1/mcp', 'follow'],
])('with a mount of three segments, a request for %s goes to %s', (url, expected) => {
  const gone: string[] = []
  const to = (name: string) => () => void gone.push(name)
  void splitPaths(to('follow'), { api: to('api'), 'api/v1/mcp': to('third') })(
    { url } as IncomingMessage,
    {} as ServerResponse,
  )
  expect(gone).toEqual([expected])
})
