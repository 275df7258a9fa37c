import { spawn } from 'node:child_process'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseJson } from '../lib/text/json.ts'
import { UserError } from '../lib/user-error.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Plugins could not be installed, updated or removed: the message says why, and what to do. */
export class InstallFailed extends UserError {
  override readonly name = 'InstallFailed'
}

/**
 * Packages run no code during installation. Peer dependencies, such as `linnet` itself, are not fetched. Every option
 * is set here because the environment or the npm configuration of the user may say otherwise.
 */
const always = [
  ...['--ignore-scripts', '--legacy-peer-deps', '--omit=dev', '--json', '--loglevel=error'],
  ...['--package-lock=true', '--save=true', '--global=false'],
  ...['--audit=false', '--fund=false', '--update-notifier=false', '--logs-max=0'],
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000'],
]

/**
 * Run npm in a folder and return its answer, parsed as JSON; undefined if there is none. Writes nothing outside the
 * folder. Throws `InstallFailed`.
 */
export async function runNpm(folder: string, args: readonly string[]): Promise<unknown> {
  const npm = findNpm(process.execPath, process.env.PATH)
  if (npm === undefined) {
    throw new InstallFailed(
      'npm was not found. It comes with Node: install Node from https://nodejs.org, or add npm to the PATH.',
    )
  }
  const cache = makeTemporaryFolder('linnet-npm-')
  try {
    const all = [...args, '--prefix', folder, '--cache', cache, ...always]
    const [file, ...before] = npm
    const child = spawn(file, [...before, ...all], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve)
    })
    const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    const answer = parseJson(out)
    const failure = failureIn(answer)
    if (failure) throw new InstallFailed(explain(failure))
    // `npm outdated` exits with 1 if something is outdated.
    if (code !== 0 && answer === undefined)
      throw new InstallFailed(`npm failed.${wordsOfNpm(errors)}`)
    return answer
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

/**
 * The command for the npm of this Node, or else the first npm on the path; a JavaScript file runs in this very Node.
 */
export function findNpm(node: string, path = ''): readonly [string, ...string[]] | undefined {
  const found = [dirname(node), ...path.split(delimiter).filter(Boolean)]
    .map(folder => join(folder, 'npm'))
    .find(file => existsSync(file))
  if (found === undefined) return undefined
  const file = realpathSync(found)
  return file.endsWith('.js') ? [node, file] : [file]
}

interface Failure {
  readonly code: string
  readonly summary: string
}

function failureIn(answer: unknown): Failure | undefined {
  const { error } = (answer ?? {}) as { readonly error?: Partial<Failure> }
  return error && { code: error.code ?? '', summary: (error.summary ?? '').trim() }
}

const offline =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR)$/

function explain({ code, summary }: Failure): string {
  if (offline.test(code)) {
    return (
      `The npm registry cannot be reached (${code}), and npm has not cached all that is needed. Try again online, or add ` +
      'a file that npm pack made of a plugin without dependencies: linnet plugins add ./plugin-1.0.0.tgz'
    )
  }
  if (code === 'E404') return `The npm registry does not have this package.${wordsOfNpm(summary)}`
  if (code === 'ETARGET') {
    return `The npm registry does not have this version. Ask for an existing version.${wordsOfNpm(summary)}`
  }
  if (code === 'TAR_BAD_ARCHIVE' || summary.startsWith('Could not read package.json')) {
    return 'The file is not a package. Add a .tgz file that npm pack made.'
  }
  return `npm failed${code && ` (${code})`}.${wordsOfNpm(summary)}`
}

const ofNpm = '\nnpm: '

/** What npm said, on lines of its own below our sentence. */
function wordsOfNpm(text: string): string {
  const lines = text.trim().split('\n').filter(Boolean)
  return lines.map(line => `${ofNpm}${line}`).join('')
}

/** A message of `InstallFailed` for the API, without what npm said. */
export function withoutNpm(message: string): string {
  const [sentence = '', ...more] = message.trim().split(ofNpm)
  return more.length === 0
    ? sentence
    : `${sentence} On the server, linnet plugins shows what npm said.`
}
