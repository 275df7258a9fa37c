import { chance, placeBy, popularity } from './chance.mjs'
import { codeOf, urlOf } from './links.mjs'
import { visitHeaders } from './visitors.mjs'

/** The address at which visitors and programs reach the instance, behind its proxy. */
export const publicUrl = 'https://go.example.org'
const { host } = new URL(publicUrl)

/** How the visited links are chosen. */
export const choices = {
  /** All links equally often. */
  uniform: (links, random) => Math.floor(random() * links),
  /** The nth most popular link, n times less often than the first. */
  zipf: (links, random) => placeBy(popularity(links), random),
  /** No existing link. */
  unknown: (links, random) => links + Math.floor(random() * links * 1_000),
}

/** `count` requests for short URLs, as raw HTTP; the same in each run. */
export function follow(count, links, choose) {
  const random = chance(4)
  return visitHeaders(count).map(headers =>
    encode('GET', `/${codeOf(choose(links, random))}`, headers),
  )
}

/** `count` requests that create one link each. */
export function create(count, token) {
  return numbers(count).map(number => post('/links', token, { original_url: urlOf(number) }))
}

/** `count` requests that create `bulk` links each. */
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
