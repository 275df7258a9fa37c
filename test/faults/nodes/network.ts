import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** A machine with its own network address. */
export interface Host {
  readonly address: string
  /** The start of each command that runs on this machine. */
  readonly through: readonly string[]
  /** Drops all packets between this host and that address, without an error to either. */
  cutFrom(address: string): void
  /** Lets all hosts reach this one again. */
  heal(): void
  /** Adds an address, which another host may have had before. */
  take(address: string): void
  /** Removes an address. */
  give(address: string): void
}

export interface Network {
  /** The address of this process for the hosts. */
  readonly address: string
  /** The n-th address, from 2 to 254. */
  addressOf(number: number): string
  host(): Host
}

/** Why hosts with HAProxy in front cannot be simulated here; undefined if they can. */
export const noNetwork = whyNone()

/** Keeps two runs on one machine apart. */
const ofThisRun = process.pid % 200
let networks = 0

/** A network that exists until the test ends. */
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
          // Hosts that knew another host by this address ask anew, as after a gratuitous ARP.
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
