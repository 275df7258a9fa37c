import { BlockList, isIPv6 } from 'node:net'
import { address, type DimensionData, definePlugin, dimension, optional } from 'linnet/plugin'

const fileName = 'networks.csv'

/** Networks by name. */
type Networks = readonly { readonly name: string; readonly list: BlockList }[]

/** Reads lines such as `203.0.113.0/24,University`. A line that is no network is an error: nothing is guessed. */
export function readNetworks(content: Uint8Array): Networks {
  const lists = new Map<string, BlockList>()
  for (const line of Buffer.from(content).toString().split('\n')) {
    if (line.trim() === '') continue
    const [, ip = '', bits, name = ''] = /^([0-9a-f.:]+)\/(\d{1,3}),(\S.*?)\r?$/i.exec(line) ?? []
    const list = lists.get(name) ?? new BlockList()
    list.addSubnet(ip, Number(bits), familyOf(ip))
    lists.set(name, list)
  }
  return Array.from(lists, ([name, list]) => ({ name, list }))
}

function familyOf(ip: string) {
  return isIPv6(ip) ? 'ipv6' : 'ipv4'
}

/** Opened in the thread that counts, and again when the job has fetched another. */
const networks: DimensionData<Networks> = { file: fileName, open: readNetworks }

/** Counts visits by network, from a list that is fetched every night. */
export default definePlugin({
  feature: 'custom.networks',
  label: 'Networks',
  group: 'Analytics',
  about: 'Count visits by the network they come from, by a list of your own.',
  needs: ['analytics.visitsTracking'],
  settings: {
    list: optional(
      address({
        label: 'List of networks',
        hint: 'A file with lines such as 203.0.113.0/24,Office.',
      }),
    ),
  },
  dimensions: {
    visitsByNetwork: dimension({
      label: 'Network',
      chart: 'bar',
      unstable: { data: networks },
      none: 'Elsewhere',
      of: ({ ip }, all) =>
        ip === '' ? undefined : all.find(({ list }) => list.check(ip, familyOf(ip)))?.name,
    }),
  },
  jobs: {
    fetchList: {
      label: 'Fetch the list of networks',
      every: '41 4 * * *',
      // Each server has a file of its own.
      everywhere: true,
      async run({ settings: { list }, fetch, unstable: { files } }) {
        if (!list) return files.remove(fileName)
        const { status, body, isWhole } = await fetch(list, {
          maxBytes: 4 * 1024 * 1024,
          toOwnNetwork: true,
        })
        if (status !== 200 || !isWhole) throw new Error(`The list is not there: ${status}`)
        // A list that cannot be read must not take the place of one that can.
        readNetworks(body)
        await files.replace(fileName, body)
      },
    },
  },
})
