// Loaded before a program of the tests: writes down each request that it sends, and whether that went through the client that checks
// addresses, which gives its own lookup to Node.
import { appendFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

const note = (how, to) => appendFileSync(process.env.OUTGOING_NOTES, `${how} ${to}\n`)

const { fetch } = globalThis
globalThis.fetch = (to, ...more) => {
  note('fetch', to.url ?? to)
  return fetch(to, ...more)
}

for (const module of [http, https]) {
  for (const name of ['request', 'get']) {
    const send = module[name]
    module[name] = (...args) => {
      const isChecked = args.some(it => typeof it?.lookup === 'function')
      const [to] = args
      note(isChecked ? 'checked' : name, to.href ?? to.host ?? to)
      return send(...args)
    }
  }
}
syncBuiltinESMExports()
