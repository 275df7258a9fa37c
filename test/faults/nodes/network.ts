import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** A machine of its own, as far as the network goes. */
export interface Host {
  readonly address: string
  /** What a command begins with that is run there. */
  readonly through: readonly string[]
  /** Nothing goes from here to there any more, nor back, and neither is told. */
  cutFrom(address: string): void
  /** Be reached by all again. */
  heal(): void
  /** Have one more address, which others may have had before. */
  take(address: string): void
  /** Nobody has it any more. */
  give(address: string): void
}

export interface Network {
  /** Where this process is reached by the hosts. */
  readonly address: string
  /** The n-th address, from 2 to 254. */
  addressOf(number: number): string
  host(): Host
}

/** Why no machines can be played here, with HAProxy before them; undefined where they can. */
export const noNetwork = whyNone()

/** So that two runs on one machine do not meet. */
const ofThisRun = process.pid % 200
let networks = 0

/** A network that is gone when the test ends. */
export function openNetwork(): Network {
  networks += 1
  const name = `ln${ofThisRun}x${networks}`
  const addressOf = (number: number) => `10.${213 + (networks % 40)}.${ofThisRun}.${number}`
  const namespaces: string[] = []
  onTestFinished(() => {
    for (const namespace of namespaces) ip('netns', 'delete', namespace)
    ip('link', 'delete', name)
  })
  ip('link', 'add', name, 'type', 'bridge')
  ip('address', 'add', `${addressOf(1)}/24`, 'dev', name)
  ip('link', 'set', name, 'up')

  return {
    address: addressOf(1),
    addressOf,
    host() {
      const number = namespaces.length + 2
      const namespace = `${name}-${number}`
      const within = (...command: string[]) => ip('netns', 'exec', namespace, ...command)
      ip('netns', 'add', namespace)
      namespaces.push(namespace)
      const outside = `${name}v${number}`
      ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      ip('link', 'set', outside, 'master', name, 'up')
      within('ip', 'link', 'set', 'lo', 'up')
      within('ip', 'link', 'set', 'eth0', 'up')
      const address = addressOf(number)
      const take = (taken: string) => within('ip', 'address', 'add', `${taken}/24`, 'dev', 'eth0')
      take(address)
      return {
        address,
        through: ['ip', 'netns', 'exec', namespace],
        cutFrom(other) {
          within('iptables', '-A', 'INPUT', '-s', other, '-j', 'DROP')
          within('iptables', '-A', 'OUTPUT', '-d', other, '-j', 'DROP')
        },
        heal: () => within('iptables', '-F'),
        take(taken) {
          take(taken)
          // Who knew another host by this address asks anew, as after a gratuitous ARP.
          for (const each of namespaces) {
            ip('netns', 'exec', each, 'ip', 'neighbour', 'flush', 'all')
          }
          ip('neighbour', 'flush', 'dev', name)
        },
        give: given => within('ip', 'address', 'delete', `${given}/24`, 'dev', 'eth0'),
      }
    },
  }
}

function whyNone(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root makes network namespaces'
  const probe = `lnprobe${process.pid}`
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'pipe' })
    ip('netns', 'add', probe)
    try {
      ip('netns', 'exec', probe, 'iptables', '-L')
    } finally {
      ip('netns', 'delete', probe)
    }
    return undefined
  } catch (error) {
    return `network namespaces, iptables and HAProxy are needed (${String(error).split('\n')[0]})`
  }
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' })
}
