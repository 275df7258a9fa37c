// `node run.mjs smoke client` runs this in Node, Deno and Bun, beside a server: LINNET_URL, LINNET_TOKEN.
import { deepStrictEqual } from 'node:assert'
import process from 'node:process'
import * as client from '../../dist/client.js'
import { expected, tryClient } from './try-client.mjs'

const { LINNET_URL: url, LINNET_TOKEN: token } = process.env
deepStrictEqual(await tryClient(client, { url, token }), expected)
