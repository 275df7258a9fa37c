import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { type Env, findText } from '../../lib/variable-text.ts'

/** `linnet health`. It runs all day, so `core/main.ts` does it without loading the rest of the program. */
export function addHealthCommand(program: Command): void {
  program
    .command('health')
    .description(
      'Check whether the server on this machine redirects links; exits with 0 if it does.',
    )
    .addHelpText(
      'after',
      `
For HEALTHCHECK of containers. It calls /health/ready at LINNET_PORT and prints the status: ok, degraded or failing.
Degraded exits with 0 too, since every link works.`,
    )
}

/** How long to wait for an answer of the server, in milliseconds. */
const answerMs = 2_500

const oneOfAll: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Asks the server that the environment describes for its health, and prints the answer. Resolves to the exit code. */
export async function askHealth(env: Env, asJson: boolean): Promise<number> {
  const [port, host] = [
    textOf({ name: 'LINNET_PORT', alias: 'PORT' }, env) ?? '8080',
    textOf({ name: 'LINNET_HOST' }, env) ?? '0.0.0.0',
  ]
  try {
    const { isWell, body } = await ask(oneOfAll[host] ?? host, port)
    console.log(body)
    return isWell ? 0 : 1
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = `No server responds on port ${port}: ${why}. Start the server, or set LINNET_PORT to its port.`
    console.error(asJson ? JSON.stringify({ message, exit: 1, problem: null }) : message)
    return 1
  }
}

function textOf(variable: { readonly name: string; readonly alias?: string }, env: Env) {
  const found = findText(variable, env)
  return found && 'text' in found ? found.text : undefined
}

/** Writes the request by hand, because loading Node's HTTP client would take half the time of the command. */
async function ask(host: string, port: string) {
  const socket = connect({ host, port: Number(port), timeout: answerMs })
  socket.once('timeout', () => socket.destroy(new Error('it does not respond')))
  // The socket is not ended, because a server may take that for a client that hung up.
  socket.write('GET /health/ready HTTP/1.0\r\n\r\n')
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { isWell: / 200 /.test(head), body }
}
