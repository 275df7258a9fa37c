import { spawn } from 'node:child_process'
import { idOf } from './find-ids.ts'
import { type Io, print, printJson } from './io.ts'
import type { Server } from './known-servers.ts'
import { connect } from './read-description.ts'

interface Page {
  readonly server: Server
  readonly link: string | undefined
  readonly isPrinted: boolean
  readonly asJson: boolean
}

/** `linnet open`: prints the address as well, because there may be no browser. */
export async function openPage({ server, link, isPrinted, asJson }: Page, io: Io): Promise<number> {
  const id = link === undefined ? undefined : await idOf(connect(server, io), '/links', link)
  const url = `${server.url}/dashboard/${id === undefined ? '' : `links/${encodeURIComponent(id)}`}`
  await (asJson ? printJson(io, { url }) : print(io, url))
  if (!isPrinted) await openInBrowser(url, io)
  return 0
}

/** The program of each system that opens an address. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

function openInBrowser(url: string, { env }: Io): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise(resolve => {
    const child = spawn(program, [...args, url], {
      env: { ...env },
      stdio: 'ignore',
      detached: true,
    })
    child
      .once('error', () => resolve())
      .once('spawn', () => {
        child.unref()
        resolve()
      })
  })
}
