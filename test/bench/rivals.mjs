import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf, urlOf } from './links.mjs'
import { freePort, launch, stop, untilAnswer } from './processes.mjs'

const rawServer = fileURLToPath(new URL('raw-server.mjs', import.meta.url))

/** Whether nginx is installed. */
export const hasNginx = spawnSync('nginx', ['-v']).error === undefined

/** `node:http` and a Map of the links. With `keep-tick`, it is spared what slows it down when it rests. */
export async function startRaw(links, how = 'as it is') {
  const port = await freePort()
  const args = [rawServer, String(port), String(links), how]
  const child = launch(process.execPath, args, { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  await untilAnswer(child, `${url}/${codeOf(0)}`, 302)
  return { url, child, stop: () => stop(child) }
}

/** One nginx process, which sends every code to one address. */
export async function startNginx() {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), nginxConf(folder, port))
  const args = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr']
  const child = launch('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  await untilAnswer(child, `${url}/${codeOf(0)}`, 302)
  return {
    url,
    child,
    async stop() {
      await stop(child)
      rmSync(folder, { recursive: true })
    },
  }
}

function nginxConf(folder, port) {
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
        return 302 ${urlOf(0)};
      }
    }`
}
