import { parseArgs } from 'node:util'
import { openBrowser } from './first-load.mjs'
import { makeInstance, startLinnet } from './linnet.mjs'
import { machine } from './measure.mjs'
import { markdownTable, median, say } from './report.mjs'

/**
 * `npm run bench -- dashboard [--loads 15] [--links 1000]`: how long the list of links takes in Chromium until
 * its heading and until its first link appear. A cold load has an empty cache, a warm one is a reload. The
 * browser shares the machine with the server, and does nearly all of the work.
 */
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    loads: { type: 'string', default: '15' },
    links: { type: 'string', default: '1000' },
  },
})
const loads = Number(values.loads)
const linkCount = Number(values.links)
const promisedMs = 1_000
const promisedKibibytes = 190

const instance = await makeInstance(linkCount)
const server = await startLinnet(instance)
const browser = await openBrowser(server)
// The first load includes what browser and server do only once, so it does not count.
await browser.loadTwice('/dashboard/links')
const measured = []
for (let load = 0; load < loads; load += 1) {
  measured.push(await browser.loadTwice('/dashboard/links'))
}
await browser.close()
await server.stop()
instance.remove()

console.log(`${machine()}\n`)
console.log(`Chromium ${browser.version}, ${loads} loads of each kind, ${linkCount} links\n`)
const cold = measured.map(it => it.cold)
const warm = measured.map(it => it.warm)
const columns = Object.keys(cells(cold))
console.log(
  markdownTable(
    ['', ...columns],
    Object.entries({ cold, warm }).map(([name, loads]) => [name, ...Object.values(cells(loads))]),
  ),
)
const row = Math.round(median(cold.map(it => it.row)))
say(row < promisedMs, `cold: the first link after ${row} ms; promised: ${promisedMs}`)
const script = Math.round(Math.max(...cold.map(it => it.kibibytes)))
say(script < promisedKibibytes, `cold: ${script} KiB of script; promised: ${promisedKibibytes}`)

/** The server's processor time is counted in steps of 10 ms, so only its average is meaningful. */
function cells(rows) {
  const headings = rows.map(it => it.heading)
  const links = rows.map(it => it.row)
  return {
    'heading p50 ms': Math.round(median(headings)),
    'heading max ms': Math.round(Math.max(...headings)),
    'link p50 ms': Math.round(median(links)),
    'link max ms': Math.round(Math.max(...links)),
    'script KiB': Math.round(median(rows.map(it => it.kibibytes))),
    'server CPU ms': average(rows.map(it => it.serverMs)),
    'browser CPU ms': average(rows.map(it => it.browserMs)),
  }
}

function average(numbers) {
  return Math.round(numbers.reduce((sum, number) => sum + number, 0) / numbers.length)
}
