import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePorts, keepRunning, withPrograms } from '../deploy/programs.ts'
import { type Seen, seeLeaving } from '../e2e/leaving-clients.ts'
import { temporaryFolder } from '../e2e/program.ts'
import { type Server, serve } from '../e2e/server.ts'
import { server as database, url } from './own-server.ts'
import { startRelay } from './relay.ts'

/** A server whose database is so far away, in milliseconds each way. */
async function served(slowMs: number): Promise<Server> {
  const relay = await startRelay(database.folder, url)
  const server = await serve({ env: { DATABASE_URL: relay.url } })
  relay.slowDown(slowMs)
  return server
}

function expectOwn({ wrong, left }: Seen): void {
  expect(wrong).toEqual([])
  expect(left).toBeGreaterThan(50)
}

it.each([
  ['near', 0],
  ['five milliseconds away', 5],
])(
  'a client gets the answers to its own requests while others leave: the database is %s',
  async (_, slowMs) => {
    expectOwn(await seeLeaving(await served(slowMs)))
  },
)

withPrograms('nginx')('so does a client of an nginx that keeps connections', async () => {
  const server = await served(5)
  const [port = 0] = await freePorts(1)
  const folder = temporaryFolder()
  const config = `
    pid ${folder}/pid; error_log ${folder}/error.log; daemon off; events {}
    http {
      access_log off;
      client_body_temp_path ${folder}; proxy_temp_path ${folder};
      fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      upstream linnet { server ${new URL(server.url).host}; keepalive 32; }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://linnet; proxy_http_version 1.1; proxy_set_header Connection ''; }
      }
    }`
  writeFileSync(join(folder, 'nginx.conf'), config)
  keepRunning('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')])
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      it => it.status,
      () => 0,
    )
  await expect.poll(isUp).toBe(200)
  expectOwn(await seeLeaving(server, port))
})
