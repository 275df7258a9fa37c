import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Env } from '../core/lib/variable-text.ts'

/** Where the system keeps secrets. It is asked by a program that comes with it, so that nothing is compiled. */
interface Keyring {
  readonly program: string
  read(name: string): Promise<string | undefined>
  /** Resolves to whether it is kept. */
  write(name: string, secret: string): Promise<boolean>
  remove(name: string): Promise<void>
}

/** How long somebody may take to unlock it, in milliseconds. */
const waitMs = 60_000

/** The keyring of this system; undefined if it has none that a program can ask. */
export function keyringOf(env: Env): Keyring | undefined {
  if (process.platform === 'darwin') return ofMac(env)
  // Without a session bus, nothing answers for the keyring.
  if (process.platform === 'linux' && env.DBUS_SESSION_BUS_ADDRESS) return ofSecretService(env)
  return undefined
}

/** That of GNOME, KDE and others, over https://specifications.freedesktop.org/secret-service */
function ofSecretService(env: Env): Keyring {
  const run = (args: readonly string[], input = '') => ask('secret-tool', args, { env, input })
  const about = (name: string) => ['service', 'linnet', 'server', name]
  return {
    program: 'secret-tool',
    read: name => run(['lookup', ...about(name)]),
    async write(name, secret) {
      const made = await run(['store', `--label=Linnet: ${name}`, ...about(name)], secret)
      return made !== undefined && (await run(['lookup', ...about(name)])) === secret
    },
    async remove(name) {
      await run(['clear', ...about(name)])
    },
  }
}

/** The keychain of macOS. Commands go in by its input, because everybody sees the arguments of a process. */
function ofMac(env: Env): Keyring {
  const run = (...words: readonly string[]) =>
    ask('security', ['-i'], { env, input: `${words.map(quoted).join(' ')}\n` })
  const about = (name: string) => ['-s', 'linnet', '-a', name]
  const read = async (name: string) => {
    const found = await run('find-generic-password', ...about(name), '-w')
    return found || undefined
  }
  return {
    program: 'security',
    read,
    async write(name, secret) {
      await run('add-generic-password', '-U', ...about(name), '-w', secret)
      return (await read(name)) === secret
    },
    async remove(name) {
      await run('delete-generic-password', ...about(name))
    },
  }
}

function quoted(word: string): string {
  return `"${word.replace(/["\\]/g, '\\$&')}"`
}

/** What a program prints; undefined if it is not there, fails or takes too long. */
async function ask(
  program: string,
  args: readonly string[],
  { env, input }: { readonly env: Env; readonly input: string },
): Promise<string | undefined> {
  const child = spawn(program, args, {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: waitMs,
  })
  const code = new Promise<number | null>(resolve => {
    child.once('error', () => resolve(null)).once('close', resolve)
  })
  child.stdin.on('error', () => undefined).end(input)
  const [printed, ended] = await Promise.all([text(child.stdout), code])
  return ended === 0 ? printed.replace(/\n$/, '') : undefined
}
