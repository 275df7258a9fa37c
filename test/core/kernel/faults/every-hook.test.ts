import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { functionsOfPlugins } from '../../../../core/kernel/load/shape/plugin-shape.ts'
import { hooks } from './faulty-hooks.ts'

const root = join(import.meta.dirname, '../../../..')

/** The rows about each function of a plugin, or where else its faults are, with a word of a test there. */
const covered: Readonly<Record<string, readonly string[] | Elsewhere>> = {
  'computed.of': ['computed'],
  'dimensions.*.labelOf': ['label'],
  'dimensions.*.of': ['dimension'],
  'dimensions.*.unstable.data.open': { file: 'e2e/dimension-data.test.ts', says: 'never ends' },
  dispose: ['dispose'],
  'endpoints.*.addresses': ['endpoint addresses'],
  'endpoints.*.handle': ['endpoint', 'endpoint file', 'endpoint limit', 'endpoint body'],
  'endpoints.*.unstable.file.accept': {
    file: 'core/http/routes/file-endpoints.test.ts',
    says: 'a file that the endpoint refuses, before or after it came',
  },
  'endpoints.*.version': ['endpoint version'],
  'events.handle': ['on events'],
  'fields.*': ['validate field', 'store', 'computed field', 'compile field'],
  'filter.where': ['filter'],
  'groups.*.links': ['endpoint group'],
  guard: ['compile', 'guard', 'guard page', 'guard claim'],
  'jobs.*.run': ['job'],
  'migrations.*': ['migration'],
  'mounts.*.handle': ['mount'],
  'mounts.*.problem': ['mount problem'],
  'mounts.*.token': ['mount token'],
  'on.created': ['on'],
  'on.deleted': ['on deleted'],
  'on.updated': ['on updated'],
  'on.visited': ['on visited'],
  prepare: ['prepare'],
  save: ['save'],
  'settings.*': { file: 'core/http/routes/plugin-routes.test.ts', says: 'it blew up' },
  setup: ['setup'],
  'statuses.*.links': ['status', 'status asked for'],
  target: ['compile target', 'target', 'target page'],
  'unstable.brought': ['brought'],
  'unstable.commands.*.arguments.*': { file: 'e2e/plugin-commands.test.ts', says: '--many' },
  'unstable.commands.*.options.*': { file: 'e2e/plugin-commands.test.ts', says: '--many' },
  'unstable.commands.*.run': { file: 'e2e/plugin-commands.test.ts', says: 'throw-null' },
  'unstable.counts': ['counts'],
  // Their values are sent to an endpoint, which checks them.
  'unstable.dashboard': ['endpoint body'],
  'unstable.examine': ['examine'],
  'unstable.handOver': ['handOver'],
  'unstable.hosts': ['hosts'],
  'unstable.mail': ['mail'],
  'unstable.notice': ['notice'],
  'unstable.openViews.*': ['view open'],
  'unstable.passwords': {
    file: 'core/kernel/hooks/password-rule.test.ts',
    says: 'is for nobody while the plugin %s',
  },
  'unstable.providers.*.begin': ['begin'],
  'unstable.providers.*.finish': ['finish'],
  'unstable.providers.*.isReady': ['begin isReady'],
  'unstable.providers.*.leave': {
    file: 'plugins/organization/single-sign-on.test.ts',
    says: 'stays here where the provider offers nothing, or is down',
  },
  'unstable.steps.*.ask': ['ask'],
  'unstable.steps.*.check': ['check'],
  'unstable.steps.*.first.ask': {
    file: 'core/kernel/hooks/first-steps.test.ts',
    says: 'asks nobody and signs nobody in while its plugin fails',
  },
  'unstable.steps.*.first.check': {
    file: 'core/kernel/hooks/first-steps.test.ts',
    says: 'asks nobody and signs nobody in while its plugin fails',
  },
  'unstable.steps.*.first.isReady': {
    file: 'core/kernel/hooks/first-steps.test.ts',
    says: 'has no button while its plugin cannot say whether it is ready',
  },
  'unstable.steps.*.isNeeded': {
    file: 'core/kernel/hooks/second-steps.test.ts',
    says: 'while a plugin that has to say who does the step fails',
  },
  'unstable.unknown': ['unknown'],
  'usage.*': ['usage'],
  validate: ['validate'],
  'views.*': ['view'],
}

interface Elsewhere {
  readonly file: string
  readonly says: string
}

describe('the table of faults', () => {
  it('has every function that a plugin can have, and no other', () => {
    const functions = functionsOfPlugins().map(it =>
      it.replace(/^unstable\.dashboard\..*/, 'unstable.dashboard'),
    )
    expect(Object.keys(covered)).toEqual([...new Set(functions)])
  })

  it('has a row for each that it names, and names each row', () => {
    const named = Object.values(covered).flatMap(it => ('file' in it ? [] : it))
    expect([...new Set(named)].sort()).toEqual(hooks.map(([name]) => name).sort())
  })

  it('says where the faults of others are', () => {
    const elsewhere = Object.values(covered).flatMap(it => ('file' in it ? [it] : []))
    for (const { file, says } of elsewhere) {
      expect(readFileSync(join(root, 'test', file), 'utf8')).toContain(says)
    }
  })
})
