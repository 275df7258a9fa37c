import { chance, placeBy, popularity } from './chance.mjs'
import { codeOf, urlOf } from './links.mjs'
import { visitHeaders } from './visitors.mjs'

/** Where visitors and programs find the instance: behind its proxy. */
export const publicUrl = 'https://go.example.org'
const { host } = new URL(publicUrl)

/** Which links visitors follow. */
export const choices = {
  /** All of them equally often. */
  uniform: (links, random) => Math.floor(random() * links),
  /** The nth most popular one n times less often than the first. */
  zipf: (links, random) => placeBy(popularity(links), random),
  /** None that there is. */
  unknown: (links, random) => links + Math.floor(random() * links * 1_000),
}

/** So many requests for short URLs, as they go over the wire; the same in each run. */
export function follow(count, links, choose) {
  const random = chance(4)
  return visitHeaders(count).map(headers =>
    encode('GET', `/${codeOf(choose(links, random))}`, headers),
  )
}

/** So many requests that make a link each. */
export function create(count, token) {
  return numbers(count).map(number => post('/links', token, { original_url: urlOf(number) }))
}

/** So many requests that make so many links each. */
export function createInBulk(count, token, bulk) {
  return numbers(count).map(request => {
    const links = numbers(bulk).map(at => ({ original_url: urlOf(request * bulk + at) }))
    return post('/links/bulk', token, { links })
  })
}

function post(path, token, body) {
  const text = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  }
  return encode('POST', `/api/v1${path}`, headers, text)
}

function encode(method, path, headers, body = '') {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`
}

function numbers(count) {
  return Array.from({ length: count }, (_, number) => number)
}
