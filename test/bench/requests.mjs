import { visits } from './visitors.mjs'

const different = 5_000

/** Thousands of different requests to a server's links, as they go over the wire. */
export function requestsTo({ url, shortCodes }) {
  const { host } = new URL(url)
  return visits(different, shortCodes).map(visit => encode(visit, host))
}

function encode({ path, headers }, host) {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`, 'latin1')
}
