import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { contract } from '../../../../config/contract.ts'
import { features } from '../../../../config/features.ts'
import { plans } from '../../../../config/plans.ts'
import { plugins } from '../../../../config/plugins.ts'
import { server } from '../../../../config/server.ts'
import { commandNames } from '../../../../core/cli/command-names.ts'
import { runProgram } from '../../../../core/cli/commands/program.ts'
import { openSqlite } from '../../../../core/storage/open/sqlite.ts'
import { version } from '../../../../package.json'
import { registry } from '../../../../plugins/index.ts'
import { isForElsewhere, ofPluginsHere } from '../../../../remote/is-for-elsewhere.ts'
import { tools } from '../../../../tools/tools.ts'

const programUrl = new URL('file:///main.js')
const config = { table: server, registry, contract, plans, features, plugins, version }
const parts = { programUrl, recorderUrl: programUrl, backupUrl: programUrl }

/** Runs a command that ends at once in this process, which takes a twentieth of the time of a new one. */
async function linnet(args: string | readonly string[], env: Readonly<Record<string, string>>) {
  const said = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map(name =>
    vi.spyOn(process[name], 'write').mockImplementation(text => {
      said[name] += text
      return true
    }),
  )
  try {
    const words = typeof args === 'string' ? args.split(' ').filter(Boolean) : args
    const code = await runProgram(words, { ...config, ...parts, env }, tools)
    return { code, ...said }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** A folder that is removed when the test ends. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('the command line', () => {
  it.each([
    ['', 'Examples:'],
    ['nonsense', "unknown command 'nonsense'"],
    ['plugins ad', '(Did you mean add?)'],
    ['serve now', 'too many arguments'],
    ['serve --port 80', "unknown option '--port'"],
    ['setup', "required option '--email <address>'"],
    ['token', 'create'],
    ['token create', "required option '--account <address>'"],
    ['account', 'password'],
    ['account password', "missing required argument 'email'"],
    ['restore', "missing required argument 'backup'"],
    ['restore nothing.db', 'That folder has none: name a file with its path.'],
  ])('answers "linnet %s" with a remedy and fails', async (args, remedy) => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    const { code, stdout, stderr } = await linnet(args, env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(remedy)
    expect(stderr).not.toMatch(/\n\s+at .*:\d+/)
  })

  it.each([
    'plugins',
    'plugins off link.linkPreview',
    'plugins release link.passwordProtection',
    'plugins purge link.passwordProtection',
    'plugins purge link.passwordProtection --yes',
    'token create --account ada@example.org',
    'account password ada@example.org',
    'account one-time-link ada@example.org',
    'backup',
  ])('makes no database with "linnet %s", whose folder may be a typo', async args => {
    const folder = temporaryFolder()
    // All commands look for the database in the same way, so one is tried in an existing, empty folder.
    const empty = args === 'backup' ? [folder] : []
    for (const dataDir of [...empty, join(folder, 'typo')]) {
      expect(await linnet(args, { LINNET_DATA_DIR: dataDir })).toEqual({
        code: 1,
        stdout: '',
        stderr: `There is no database in ${dataDir}. Set LINNET_DATA_DIR to the folder that has one, or start Linnet there first.\n`,
      })
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    '',
    'serve',
    'setup',
    'token create',
    'account password',
    'plugins',
    'dev',
    'backup',
    'restore',
  ])('shows examples in "linnet %s --help"', async command => {
    const { code, stdout } = await linnet(`${command} --help`, {})
    expect(code).toBe(0)
    expect(stdout).toContain('Examples:\n  ')
  })

  it.each([
    ['x'.repeat(101), 'Must have at most 100 characters.'],
    ['', 'Must have at least 1 character.'],
    ['a\u001B[31mb\nc', 'Must not have control characters'],
    ['a\u202Eb', 'marks that change the direction of the text'],
    ['\u3164', 'Must have at least one visible character.'],
  ])('refuses the name %j of an admin and of a token, as the API does', async (name, why) => {
    const env = { LINNET_DATA_DIR: join(temporaryFolder(), 'data') }
    const setUp = ['setup', '--email', 'ada@example.org', '--name', name]
    const create = ['token', 'create', '--account', 'ada@example.org', '--name', name]
    for (const said of [await linnet(setUp, env), await linnet(create, env)]) {
      expect(said).toMatchObject({ code: 1, stdout: '' })
      expect(said.stderr).toMatch(/^--name cannot be used: .+\n$/)
      expect(said.stderr).toContain(why)
    }
  })

  it.each(['help bogus', 'bogus --help', 'help plugins bogus', 'plugins bogus --help'])(
    'says in "linnet %s" that there is no such command',
    async args => {
      const { code, stdout, stderr } = await linnet(args, {})
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain("unknown command 'bogus'")
    },
  )

  it('tells commands for a server here from those for one elsewhere', async () => {
    const { stdout } = await linnet('--help', { LINNET_DATA_DIR: temporaryFolder() })
    expect(stdout).toMatch(/^Commands for a server here, .+:\n {2}serve /m)
    expect(stdout).toMatch(/^Commands for a server elsewhere, .+:\n {2}login /m)
  })

  it.each([
    ['back', 'backup\t'],
    ['token cr', 'create\t'],
    ['backup --', '--to\t'],
  ])('completes "linnet %s"', async (words, next) => {
    const { code, stdout } = await linnet(`complete ${words}`, {})
    expect(code).toBe(0)
    expect(stdout.startsWith(next)).toBe(true)
  })

  it('keeps the names that plugins of ours have for their commands, and those of its own', async () => {
    const plugins = await Promise.all(
      Object.values(registry).map(async load => (await load()).default),
    )
    const ofPlugins = plugins.flatMap(({ unstable }) => Object.keys(unstable?.commands ?? {}))
    expect(ofPlugins.sort()).toEqual([...ofPluginsHere].sort())
    const env = { LINNET_URL: 'https://go.example.org' }
    for (const name of [...ofPlugins, ...commandNames, 'health', '--help', '-v', '']) {
      expect(isForElsewhere(name === '' ? [] : [name], env), name).toBe(false)
    }
    for (const name of ['login', 'links', 'tags', 'remote']) {
      expect(isForElsewhere([name], env), name).toBe(true)
    }
    expect(isForElsewhere(['tags'], { HOME: temporaryFolder() })).toBe(false)
  })

  it('shows the same help with "help" before a command as with --help after it', async () => {
    const { code, stdout } = await linnet('help plugins add', {})
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: (await linnet('plugins add --help', {})).stdout,
    })
    expect(stdout).toContain('Install a plugin by its name')
  })

  it.each(['-v', '-V', '--version'])('says its version with %s', async option => {
    expect(await linnet(option, {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('lists plugins that did not come with Linnet first, the others by category, and counts them', async () => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    const folder = join(env.LINNET_DATA_DIR, 'plugins')
    mkdirSync(folder)
    writeFileSync(join(folder, 'wrong.mjs'), 'export default {}')
    const { code, stdout } = await linnet('plugins list', env)
    expect(code).toBe(0)
    const headings = stdout.split('\n').filter(line => /^[A-Z]/.test(line))
    expect(headings).toEqual([
      `Installed in ${folder}`,
      ...['Link', 'Analytics', 'Developer', 'Organization', 'Dashboard'],
    ])
    expect(stdout).toMatch(/^Installed in .+\nbroken {2}\S*wrong\S* {2}Does not run: /)
    const ours = Object.keys(registry).length
    expect(stdout).toMatch(new RegExp(`\\n${ours + 1} plugins, \\d+ on\\n$`))

    const asJson = JSON.parse((await linnet('plugins list --json', env)).stdout)
    expect(asJson).toHaveLength(ours + 1)
    expect(asJson).toContainEqual({
      state: 'on',
      name: 'organization.tags',
      about: expect.stringContaining('tags'),
      isOurs: true,
    })
  })

  it('says the settings and what the doctor finds as JSON', async () => {
    const env = { LINNET_DATA_DIR: temporaryFolder(), LINNET_PORT: '0', LINNET_HOST: '127.0.0.1' }
    const config = JSON.parse((await linnet('config --json', env)).stdout)
    expect(config).toContainEqual({
      name: 'LINNET_PORT',
      value: '0',
      from: 'environment, LINNET_PORT',
    })
    const found = JSON.parse((await linnet('doctor --json', env)).stdout)
    expect(found).toContainEqual({
      name: 'settings',
      status: 'ok',
      says: 'All environment variables are valid.',
      remedy: null,
    })
  })

  it('warns where other machines reach the server, but cannot open its short URLs', async () => {
    const findings = async (env: Readonly<Record<string, string>>) => {
      const said = await linnet('doctor --json', {
        ...{ LINNET_DATA_DIR: temporaryFolder(), LINNET_PORT: '0' },
        ...env,
      })
      return JSON.parse(said.stdout).filter(({ name }: { name: string }) => name === 'base URL')
    }
    expect(await findings({})).toMatchObject([
      {
        status: 'warning',
        says: 'Short URLs begin with http://localhost:0 and work on this machine only.',
      },
    ])
    expect(await findings({ LINNET_BASE_URL: 'https://go.example.org' })).toEqual([])
    expect(await findings({ LINNET_HOST: '127.0.0.1' })).toEqual([])
  })

  it.each([
    ['0.0.0.0/0', 1],
    ['0.0.0.0/1,128.0.0.0/1,n8n.lan', 1],
    ['::/0', 1],
    ['192.168.0.0/16,10.0.0.0/8,fc00::/7,n8n.lan', 0],
    ['none', 0],
  ])(
    'tells whether plugins may connect to everything around, with LINNET_FETCH_ALLOW=%s',
    async (allowed, count) => {
      const said = await linnet('doctor --json', {
        ...{ LINNET_DATA_DIR: temporaryFolder(), LINNET_PORT: '0' },
        LINNET_FETCH_ALLOW: allowed,
      })
      const findings: readonly { name: string }[] = JSON.parse(said.stdout)
      expect(findings.filter(({ name }) => name === 'network')).toHaveLength(count)
    },
  )

  it('says what a restore would change as JSON', async () => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    const copy = join(temporaryFolder(), 'copy.db')
    await (await openSqlite(copy)).close()
    const { stdout } = await linnet(['restore', copy, '--dry-run', '--json'], env)
    expect(JSON.parse(stdout)).toMatchObject({
      links: { backup: 0, lost: 0 },
      visits: { backup: 0 },
    })
  })

  it.each([
    'setup',
    'token create',
    'account invite',
    'account suspend',
    'plugins',
    'plugins list',
    'plugins search',
    'plugins add',
    'plugins update',
    'plugins remove',
    'plugins new',
    'plugins check',
    'plugins on',
    'plugins release',
    'plugins purge',
    'config',
    'doctor',
    'backup',
    'restore',
    'migrate-to',
  ])('linnet %s takes --json', async words => {
    const { code, stdout } = await linnet(`${words} --help --json`, {})
    expect({ code, stdout: words === 'plugins' || stdout.includes('--json') }).toEqual({
      code: 0,
      stdout: true,
    })
  })

  it.each([
    ['plugins off', "missing required argument 'feature'"],
    ['backup', 'There is no database in'],
    ['restore nothing.db', 'There is no backup nothing.db'],
    ['setup', "required option '--email <address>' not specified"],
    ['nonsense', "unknown command 'nonsense'"],
  ])('with --json says as one line of JSON what went wrong with: %s', async (words, message) => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    const { code, stdout, stderr } = await linnet(`${words} --json`, env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({
      message: expect.stringContaining(message),
      exit: 1,
      problem: null,
    })
  })
})
