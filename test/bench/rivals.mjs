import { spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { urlOf } from './links.mjs'
import { hasEnded, launch, stop, untilPort } from './processes.mjs'

/** Below the range from which systems take ports for outgoing connections. */
const ports = [10_000, 32_768]
const mostTries = 10
const rawServer = fileURLToPath(new URL('raw-server.mjs', import.meta.url))

/** Whether nginx is installed. */
export const hasNginx = spawnSync('nginx', ['-v']).error === undefined

/**
 * `node:http` with a Map of the links. `keep-ticks-fast` avoids what slows it down after idle times; `with a page` has it
 * answer unknown codes with one.
 */
export async function startRaw(links, how = 'as it is') {
  const child = launch(process.execPath, [rawServer, String(links), how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    written += text
  })
  const port = await untilPort(child, () => written, /^listening on port (\d+)\n/)
  return { url: `http://127.0.0.1:${port}`, child, stop: () => stop(child) }
}

/** One nginx process that redirects every code to the same address. */
export async function startNginx() {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-nginx-'))
  const { child, url } = await startOnSomePort(folder)
  return {
    url,
    child,
    async stop() {
      await stop(child)
      rmSync(folder, { recursive: true })
    },
  }
}

/** nginx needs a fixed port and exits if it is taken. Then another port is tried, and nginx's error is shown. */
async function startOnSomePort(folder) {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const port = randomInt(...ports)
    const name = randomUUID()
    writeFileSync(join(folder, 'nginx.conf'), nginxConf(folder, port, name))
    const args = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr']
    const child = launch('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const url = `http://127.0.0.1:${port}`
    if (await answersAs(name, child, url)) return { child, url }
  }
  throw new Error(`nginx ended ${mostTries} times before it answered.`)
}

/** Whether this nginx answers, and not another program on the port; false if it has ended. */
async function answersAs(name, child, url) {
  while (!hasEnded(child)) {
    const answer = await fetch(`${url}/${name}`, { redirect: 'manual' }).catch(() => undefined)
    if (answer?.status === 200 && (await answer.text()) === name) return true
    await pause(5)
  }
  return false
}

function nginxConf(folder, port, name) {
  const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off;
    master_process off;
    pid ${folder}/pid;
    error_log stderr error;
    events {}
    http {
      access_log off;
      keepalive_requests 1000000000;
      ${bodies.map(kind => `${kind}_temp_path ${folder}/${kind};`).join('\n      ')}
      server {
        listen 127.0.0.1:${port};
        add_header Cache-Control "private, no-store";
        add_header Referrer-Policy "strict-origin-when-cross-origin";
        add_header X-Robots-Tag "noindex";
        location / { return 302 ${urlOf(0)}; }
        location = /${name} { return 200 ${name}; }
      }
    }`
}
