import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { start, temporaryFolder } from '../e2e/program.ts'
import { admin, serve, serverEnv } from '../e2e/server.ts'

/** `DUMP_MIB=2048` takes an hour on a busy machine, and three times the room on the disk. */
const mebibytes = Number(process.env.DUMP_MIB ?? 64)
const links = 1_000

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
]

/** A dump of YOURLS as mariadb-dump writes it, most of it visits. Returns how many there are. */
async function writeDump(path: string): Promise<number> {
  const file = createWriteStream(path)
  const write = async (lines: string) => {
    if (!file.write(lines)) await once(file, 'drain')
  }
  await write(`-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB\nCREATE TABLE \`yourls_log\` (
  \`click_id\` int(11) NOT NULL AUTO_INCREMENT,
  \`click_time\` datetime NOT NULL,
  \`shorturl\` varchar(100) NOT NULL,
  \`referrer\` varchar(200) NOT NULL,
  \`user_agent\` varchar(255) NOT NULL,
  \`ip_address\` varchar(41) NOT NULL,
  \`country_code\` char(2) NOT NULL,
  PRIMARY KEY (\`click_id\`)
);\n`)
  let visits = 0
  while (file.bytesWritten < mebibytes * 2 ** 20) {
    const rows = Array.from({ length: 5_000 }, () => {
      visits += 1
      const at = new Date(Date.UTC(2024, 0, 1) + (visits % 500_000) * 60_000).toISOString()
      const when = at.slice(0, 19).replace('T', ' ')
      const agent = agents[visits % agents.length]
      return `(${visits},'${when}','code-${visits % links}','https://example.com/${visits % 50}','${agent}','192.0.2.1','DE')`
    })
    await write(`INSERT INTO \`yourls_log\` VALUES\n${rows.join(',\n')};\n`)
  }
  const urls = Array.from({ length: links }, (_, row) => {
    const clicks = Math.floor(visits / links) + (row > 0 && visits % links >= row ? 1 : 0)
    return `('code-${row}','https://example.org/${row}','Title','2024-01-01 00:00:00','192.0.2.1',${clicks})`
  })
  await write(`CREATE TABLE \`yourls_url\` (
  \`keyword\` varchar(100) NOT NULL,
  \`url\` text NOT NULL,
  \`title\` text DEFAULT NULL,
  \`timestamp\` timestamp NOT NULL,
  \`ip\` varchar(41) NOT NULL,
  \`clicks\` int(10) unsigned NOT NULL,
  PRIMARY KEY (\`keyword\`)
);\nINSERT INTO \`yourls_url\` VALUES\n${urls.join(',\n')};\n-- Dump completed\n`)
  file.end()
  await finished(file)
  return visits
}

it(
  'a dump of any size is imported in little memory, with each of its visits',
  async () => {
    const file = join(temporaryFolder(), 'yourls.sql')
    const visits = await writeDump(file)
    const dataDir = temporaryFolder()
    await (await serve({ dataDir })).kill('SIGTERM')
    const begun = performance.now()
    const { child, exit } = start(['import', 'yourls', file, '--account', admin.email], {
      env: serverEnv(dataDir),
    })
    const [said, wrong] = [text(child.stdout), text(child.stderr)]
    let peak = 0
    const watching = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
        peak = Math.max(peak, Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
      } catch {
        // It has just ended.
      }
    }, 500)
    expect(await exit, await wrong).toEqual({ code: 0, signal: null })
    clearInterval(watching)
    const seconds = (performance.now() - begun) / 1_000
    console.info({ mebibytes, visits, seconds, peakMebibytes: peak })
    expect(await said).toContain(`${links} links came (0 in another way) with ${visits} visits`)
    expect(peak).toBeLessThan(400)
  },
  120_000 + mebibytes * 3_000,
)
