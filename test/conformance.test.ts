import { describe, it } from 'vitest'
import type { Plugin } from '../core/plugin.ts'
import { conformance } from './conformance.ts'
import { registry } from './inside.ts'

const plugins = await Promise.all(
  Object.values(registry).map(async load => (await load()).default as Plugin),
)

/** Values for fields that accept none of the suite's guesses. */
const samples: Readonly<Record<string, unknown>> = {
  startsAt: '2029-01-01T00:00:00.000Z',
  utm: { source: 'letter', medium: 'mail' },
  paths: '/issues/{1}',
  dynamicRouting: {
    rules: [
      {
        name: 'New page',
        originalUrl: 'https://example.com/new',
        weight: null,
        conditions: [
          { type: 'device', operator: 'is_not', key: null, value: ['mobile', 'tablet'] },
        ],
      },
    ],
  },
}

describe.each(plugins.map(plugin => [plugin.feature, plugin] as const))('%s', (_, plugin) => {
  for (const { name, run } of conformance(plugin, { samples })) it(name, run)
})
