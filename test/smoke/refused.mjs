// `node test/smoke/refused.mjs PATH`: with the Node at that path, which is too old, the program says so in a sentence.
import { match, strictEqual } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const [, , node] = process.argv
const program = resolve(import.meta.dirname, '../../dist/main.js')
const { status, stdout, stderr } = spawnSync(node, [program, 'serve'], { encoding: 'utf8' })
strictEqual(stdout, '')
match(stderr, /^Linnet needs Node 22.15, 23.6 or newer, and this is [\d.]+: [^\n]+\n$/)
strictEqual(status, 1)
console.log(`Refused: ${stderr.trim()}`)
