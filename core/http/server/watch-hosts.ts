import type { Hosts } from '../../links/follow/hosts.ts'
import type { CustomHost } from '../../plugin.ts'
import type { Handler } from '../request/split-paths.ts'
import type { HostParts } from './split-hosts.ts'

/** The hosts of accounts' own as handlers, made anew when the hosts change. */
export function watchHosts(
  hosts: Hosts,
  handlerFor: (host: CustomHost | 'shut') => Handler,
): HostParts['watch'] {
  return use => {
    const tell = () => use(new Map([...hosts.all()].map(([name, it]) => [name, handlerFor(it)])))
    tell()
    return hosts.onChange(tell)
  }
}
