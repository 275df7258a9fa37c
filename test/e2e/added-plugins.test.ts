import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { version } from '../../package.json'
import { firstOf, itAtNight } from '../at-night.ts'
import { copyOfFixture, edit, fixture, newFolder } from './plugins-folder.ts'
import { serve } from './server.ts'

describe('a plugin that is added', () => {
  const name = 'linnet-plugin-hours'
  const loads = 'loading it fails: it did not load within 10 seconds'

  itAtNight.each(
    firstOf(1, [
      [
        'has a syntax error',
        (root: string) => edit(join(root, 'index.js'), it => `${it}\nconst = 1`),
        expect.stringMatching(/^loading it fails: .* \(index\.js:\d+\)$/),
      ],
      [
        'is for a newer Linnet',
        (root: string) => edit(join(root, 'package.json'), it => it.replace('"^0.1.0"', '"^9"')),
        `it is for Linnet ^9, but this is ${version}: update Linnet, or use a version of it for ${version}`,
      ],
      [
        'waits for ever',
        (root: string) =>
          edit(
            join(root, 'index.js'),
            it => `${it}\nawait new Promise(() => setInterval(() => {}, 9))`,
          ),
        loads,
      ],
      [
        'has an endless loop',
        (root: string) => edit(join(root, 'index.js'), it => `${it}\nfor (;;);`),
        loads,
      ],
      [
        'is for a newer Node',
        (root: string) =>
          edit(join(root, 'package.json'), it =>
            it.replace('"version"', '"engines": { "node": ">=99" },\n"version"'),
          ),
        expect.stringMatching(
          /^it is for Node >=99, but this is [\d.]+: update Node, or use a version/,
        ),
      ],
      [
        'listens to a name that does not exist',
        (root: string) =>
          edit(join(root, 'index.js'), it => it.replace('guard(', 'onVisited() {},\n  guard(')),
        'it has an unknown part onVisited. Did you mean on: { visited() { … } }?',
      ],
      [
        'has a setting without a default',
        (root: string) =>
          edit(join(root, 'index.js'), it =>
            withPart(it, "settings: { most: text({ label: 'Most' }) }"),
          ),
        'it has a setting most without a default. Add one, or make it optional(…) or a secret',
      ],
    ]),
  )('and %s is refused, by add and by check, and nothing is changed', async (_, spoil, why) => {
    const { dataDir, plugins } = newFolder()
    const spoiled = copyOfFixture()
    spoil(spoiled)
    const ended = await Promise.all(['add', 'check'].map(command => plugins(command, spoiled)))
    for (const { code, stderr } of ended) {
      const [, said] =
        /^linnet-plugin-hours cannot be used: (.*)\. Nothing was changed\.\n$/.exec(stderr) ?? []
      expect({ code, said, stderr }).toEqual({ code: 1, said: why, stderr })
    }
    expect(readdirSync(dataDir)).toEqual([])
  })

  const makesTable = (code: string) =>
    withPart(
      code,
      "migrations: { '1': ({ schema }) => schema.createTable('acme_hours_a').addColumn('a', 'text').execute() }",
    )

  itAtNight(
    'has its migrations tried, beside a running server, and is refused if they fail or never end',
    async () => {
      const { dataDir, plugins } = newFolder()
      const server = await serve({ dataDir })
      const spoiled = copyOfFixture()
      const code = readFileSync(join(spoiled, 'index.js'), 'utf8')
      const cases = [
        [makesTable(code).replace("'a', 'text'", "'a', 'no such type'"), /^its migration failed: /],
        [
          withPart(code, "migrations: { '1': () => new Promise(() => setInterval(() => {}, 9)) }"),
          /^its migration failed: it did not end within 10 seconds$/,
        ],
      ] as const
      for (const [index, [bad, why]] of firstOf(1, cases).entries()) {
        writeFileSync(join(spoiled, 'index.js'), bad)
        edit(join(spoiled, 'package.json'), it =>
          it.replace(/"version": "[^"]+"/, `"version": "1.0.${index}"`),
        )
        const { code, stderr } = await plugins('add', spoiled)
        const [, said = stderr] =
          /^linnet-plugin-hours cannot be used: (.*)\. Nothing was changed\.\n$/.exec(stderr) ?? []
        expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(why) })
      }
      writeFileSync(join(spoiled, 'index.js'), makesTable(code))
      expect(await plugins('add', spoiled)).toMatchObject({ code: 0, stderr: '' })
      await server.logged(/^Started: acme\.hours$/)
      // Edited after it ran: the next version is refused, and the list says so of one that is there already.
      const edited = makesTable(code).replace("'a', 'text'", "'b', 'text'")
      writeFileSync(join(spoiled, 'index.js'), edited)
      const { stderr } = await plugins('add', spoiled)
      expect(stderr).toMatch(/changed its migration 1, which this database has already run/)
      expect((await plugins('list')).stdout).toMatch(/^on {3}acme\.hours /m)
      await server.kill('SIGTERM')
      writeFileSync(join(dataDir, 'plugins/node_modules', name, 'index.js'), edited)
      expect((await plugins('list')).stdout).toMatch(
        /^broken {2}acme\.hours +Does not run: its migration failed: acme\.hours changed its migration 1/m,
      )
    },
  )

  itAtNight(
    'is added and checked with a line that says so if it uses unstable parts of the API, and with none if not',
    async () => {
      const note =
        'linnet-plugin-hours uses unstable parts of the plugin API, which may change with any version of Linnet.\n'
      const unstable = copyOfFixture()
      edit(join(unstable, 'index.js'), it => withPart(it, 'unstable: { totals: {} }'))
      const { plugins } = newFolder()
      for (const command of firstOf(1, ['check', 'add'])) {
        const said = await plugins(command, unstable)
        expect({ ...said, stdout: said.stdout.split(note).length }).toMatchObject({
          code: 0,
          stdout: 2,
        })
        expect((await plugins(command, fixture)).stdout).not.toContain('unstable')
      }
    },
  )

  itAtNight('is added where the database cannot be reached, with what was not tried', async () => {
    const { plugins } = newFolder({ DATABASE_URL: 'postgres://linnet:secret@127.0.0.1:9/linnet' })
    expect(await plugins('add', fixture)).toMatchObject({ code: 0, stderr: '' })
    const migrating = copyOfFixture()
    edit(join(migrating, 'index.js'), makesTable)
    const { code, stdout, stderr } = await plugins('add', migrating)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('is installed') })
    expect(stderr).toMatch(
      /^The settings and migrations of acme\.hours were not tried; they are when the server starts\. PostgreSQL cannot be reached at 127\.0\.0\.1:9\/linnet: /,
    )
    expect(stderr).not.toContain('secret')
  })
})

/** The code of the fixture with one more part, and with `text`. */
function withPart(code: string, part: string): string {
  return code.replace('guard(', `${part},\n  guard(`).replace(/import \{/, 'import { text,')
}
