import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { firstOf, isNight, itAtNight } from '../at-night.ts'
import { builtProgram, linnet, setUp, temporaryFolder } from './program.ts'
import { createLink, serve, serverEnv } from './server.ts'
import { canMount, smallDisk } from './small-disk.ts'

it.each(
  firstOf<[string, (database: string) => void, RegExp]>(1, [
    [
      'no longer begins as a database',
      file => overwrite(file, 0, Buffer.from('garbage')),
      /backup/,
    ],
    ['lost its end', file => truncateSync(file, 40_000), /ends after 40000 of \d+ bytes.*backup/],
    ['is empty', file => truncateSync(file, 0), /it is empty.*backup/],
    ['belongs to another program', file => overwrite(file, 68, word(1)), /not one of Linnet's/],
    ['has a header that is not right', file => overwrite(file, 20, Buffer.alloc(1, 255)), /backup/],
    ['was written by a newer version', file => overwrite(file, 60, word(99)), /a newer Linnet/],
  ]),
)('refuses a database that %s, and leaves it as it is', async (_, damage, remedy) => {
  const dataDir = await soundFolder()
  damage(join(dataDir, 'linnet.db'))
  const before = filesIn(dataDir)

  const { code, stdout, stderr } = await linnet(['serve'], { env: serverEnv(dataDir) })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(remedy)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(filesIn(dataDir)).toEqual(before)
})

/** A user who can be refused, unlike root; this user must be able to read the program. */
const nobody = process.getuid?.() === 0 ? 4242 : undefined
const canGiveAway =
  nobody !== undefined &&
  spawnSync(process.execPath, [builtProgram, '--version'], { uid: nobody }).status === 0
const somebody = {
  uid: nobody ?? process.getuid?.() ?? 0,
  isRefused: canGiveAway || nobody === undefined,
}

describe.skipIf(!somebody.isRefused)(
  'a start says who may not write what, and what to type',
  () => {
    const asSomebody = async (dataDir: string, command = ['serve']) => {
      const { code, stdout, stderr } = await linnet(command, {
        env: serverEnv(dataDir),
        uid: nobody,
      })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).not.toMatch(/\n\s+at /)
      return stderr
    }

    /** A folder with a database; all of it belongs to that user. */
    async function theirFolder(): Promise<string> {
      const dataDir = await soundFolder()
      for (const name of ['', ...readdirSync(dataDir)]) {
        chownSync(join(dataDir, name), somebody.uid, somebody.uid)
      }
      return dataDir
    }

    it.skipIf(!canGiveAway)('of a folder that belongs to root', async () => {
      const dataDir = temporaryFolder()
      chmodSync(dataDir, 0o755)
      for (const command of [['serve'], ['plugins'], ['restore', 'x.db']]) {
        expect(await asSomebody(dataDir, command)).toBe(
          `${dataDir} cannot be read and written by this process. It runs as uid 4242 and gid 4242; ` +
            `the owner is uid 0 and gid 0, the mode 755. Type, as root: chown -R 4242:4242 ${dataDir}\n`,
        )
      }
      expect(readdirSync(dataDir)).toEqual([])
    })

    it.runIf(canGiveAway && isNight)('of a database that belongs to root', async () => {
      const dataDir = await theirFolder()
      const file = join(dataDir, 'linnet.db')
      chownSync(file, 0, 0)
      const said = await asSomebody(dataDir)
      expect(said).toContain(`${file} cannot be read and written by this process.`)
      expect(said).toContain(`chown -R 4242:4242 ${dataDir}`)
      expect(await asSomebody(dataDir, ['backup'])).toBe(said)
    })

    itAtNight('of a folder that its owner made read-only', async () => {
      const dataDir = await theirFolder()
      chmodSync(dataDir, 0o555)
      onTestFinished(() => chmodSync(dataDir, 0o755))
      expect(await asSomebody(dataDir)).toMatch(/the mode 555\. Type: chmod -R u\+rwX \S+$/m)
    })
  },
)

/** Each says who imported it, in a file whose name is a number. */
const tellingPlugin = `
import { writeFileSync } from 'node:fs'
writeFileSync(process.env.LINNET_DATA_DIR + '/plugin-files/ran-' + process.getuid(), process.getgroups().join())
export default { feature: 'custom.telling', about: 'Tells who runs it' }
`

/** A folder with that plugin. */
async function tellingFolder(uid: number): Promise<string> {
  const dataDir = await soundFolder()
  for (const name of ['plugins', 'plugin-files']) mkdirSync(join(dataDir, name))
  writeFileSync(join(dataDir, 'plugins/telling.js'), tellingPlugin)
  for (const name of ['', ...readdirSync(dataDir)]) chownSync(join(dataDir, name), uid, uid)
  chownSync(join(dataDir, 'plugins/telling.js'), uid, uid)
  return dataDir
}

describe.skipIf(!canGiveAway)('what root types is run by the owner of the data folder', () => {
  const every = [
    ['help'],
    ['backup'],
    ['plugins'],
    ['config'],
    ['doctor'],
    ['run'],
    ['token', 'create', '--account', 'ada@example.org'],
  ]

  itAtNight('from its beginning, whatever that user has put there', async () => {
    const dataDir = await tellingFolder(4242)
    writeFileSync(join(dataDir, 'notes.txt'), 'none of ours')
    for (const command of firstOf(2, every)) {
      const { code, stderr } = await linnet(command, { env: serverEnv(dataDir) })
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' })
    }
    const ofRoot = join(temporaryFolder(), 'of-root')
    writeFileSync(ofRoot, 'as it was')
    symlinkSync(ofRoot, join(dataDir, 'settings.json.new'))
    const off = ['plugins', 'off', 'link.linkPreview']
    expect((await linnet(off, { env: serverEnv(dataDir) })).code).toBe(1)
    expect(readFileSync(ofRoot, 'utf8')).toBe('as it was')

    expect(readdirSync(join(dataDir, 'plugin-files'))).toEqual(['ran-4242'])
    expect(readFileSync(join(dataDir, 'plugin-files/ran-4242'), 'utf8')).toBe('4242')
    const made = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    expect(made).toContain('backups')
    const isOfRoot = (name: string) => lstatSync(join(dataDir, name)).uid !== 4242
    expect(made.filter(isOfRoot).sort()).toEqual(['notes.txt', 'settings.json.new'])
  })

  itAtNight('who is named where it may not use what a command names', async () => {
    const dataDir = await tellingFolder(4242)
    const closed = temporaryFolder()
    for (const command of [
      ['backup', '--to', closed],
      ['restore', join(closed, 'manual.db')],
    ]) {
      const { code, stderr } = await linnet(command, { env: serverEnv(dataDir) })
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /^The user who runs this, uid 4242, may not: EACCES: permission denied/,
      )
    }
  })

  itAtNight('also a server', async () => {
    const dataDir = await tellingFolder(4242)
    const server = await serve({ dataDir })
    expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(
      /^Uid:\t4242\t4242\t4242\t4242$/m,
    )
    await server.kill('SIGTERM')
    expect(readdirSync(join(dataDir, 'plugin-files'))).toEqual(['ran-4242'])
  })

  itAtNight('and by root itself if it is the folder of root', async () => {
    const dataDir = await tellingFolder(0)
    await linnet(['help'], { env: serverEnv(dataDir) })
    expect(readdirSync(join(dataDir, 'plugin-files'))).toEqual(['ran-0'])
  })

  itAtNight('but not where that user may not reach the folder or the program', async () => {
    const closed = temporaryFolder()
    const dataDir = join(closed, 'data')
    mkdirSync(dataDir)
    chownSync(dataDir, 4242, 4242)
    expect(await linnet(['plugins'], { env: serverEnv(dataDir) })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `${dataDir} belongs to uid 4242, who runs this in the place of root, and who may not reach ${dataDir}: ` +
        'permission denied (EACCES). Move it to where that user may.\n',
    })
  })

  it.skipIf(spawnSync('setpriv', ['--version']).status !== 0)(
    'and not where root has no right to become that user',
    () => {
      const dataDir = temporaryFolder()
      chownSync(dataDir, 4242, 4242)
      const args = [
        '--bounding-set=-all',
        '--inh-caps=-all',
        process.execPath,
        builtProgram,
        'serve',
      ]
      const env = { ...process.env, ...serverEnv(dataDir) }
      const { status, stdout, stderr } = spawnSync('setpriv', args, { env, encoding: 'utf8' })
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: '',
        stderr:
          `${dataDir} belongs to uid 4242, and root may not become that user here: ` +
          'EPERM, Operation not permitted. Run this as uid 4242.\n',
      })
    },
  )
})

it.runIf(canMount && isNight)('says of a disk that it is mounted read-only', async () => {
  const dataDir = smallDisk()
  await (await serve({ dataDir })).kill('SIGTERM')
  execFileSync('mount', ['-o', 'remount,ro', dataDir])
  const { code, stderr } = await linnet(['serve'], { env: serverEnv(dataDir) })
  expect(code).toBe(1)
  expect(stderr).toBe(
    `${dataDir} is on a disk that is mounted read-only. ` +
      'Mount it for writing, or set LINNET_DATA_DIR to a folder elsewhere.\n',
  )
})

itAtNight('says that a data folder cannot be made', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const places = [file, join(file, 'data'), ...(existsSync('/proc') ? ['/proc/nope/data'] : [])]
  for (const dataDir of places) {
    const { code, stdout, stderr } = await linnet(['serve'], { env: serverEnv(dataDir) })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^The data folder \S+ cannot be created: .*\. Set LINNET_DATA_DIR to another folder\.\n$/,
    )
    expect(stderr).toContain(dataDir)
  }
  const doctor = await linnet(['doctor'], { env: serverEnv(file) })
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/^problem +permissions +The data folder .+: it is a file\./)
})

it.each(
  firstOf<[string, (path: string) => void, RegExp]>(1, [
    ['a folder', path => mkdirSync(path), /linnet\.lock is not a file, but Linnet needs a file/],
    [
      'something else',
      path => writeFileSync(path, 'x'.repeat(99)),
      /linnet\.lock was not written by Linnet/,
    ],
  ]),
)('says that its lock is %s', async (_, spoil, remedy) => {
  const dataDir = temporaryFolder()
  spoil(join(dataDir, 'linnet.lock'))
  const { code, stderr } = await linnet(['serve'], { env: serverEnv(dataDir) })
  expect(code).toBe(1)
  expect(stderr).toMatch(remedy)
  expect(stderr).not.toMatch(/\n\s+at /)
})

itAtNight('refuses settings that it cannot read, and leaves them as they are', async () => {
  const dataDir = await soundFolder()
  writeFileSync(join(dataDir, 'settings.json'), '{ "plugins": ')
  const before = filesIn(dataDir)
  const { code, stderr } = await linnet(['serve'], { env: serverEnv(dataDir) })
  expect(code).toBe(1)
  expect(stderr).toMatch(/settings\.json is not JSON/)
  expect(filesIn(dataDir)).toEqual(before)
})

itAtNight('says how to have more open files, where a start needs more', async () => {
  const through = ['sh', '-c', 'ulimit -n 28; exec "$@"', 'sh']
  const { code, stderr } = await linnet(['serve'], { env: serverEnv(temporaryFolder()), through })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/EMFILE.*more open files: ulimit -n/)])
})

it('a data folder is for one server at a time; the lock of one that was killed is no obstacle', async () => {
  const first = await serve()
  const { shortCode } = await createLink(first)
  const second = await linnet(['serve'], { env: serverEnv(first.dataDir) })
  expect(second).toMatchObject({ code: 1, stdout: '' })
  expect(second.stderr).toContain('Stop it first, or set LINNET_DATA_DIR to another folder.')
  expect((await first.get(`/${shortCode}`)).status).toBe(302)

  await first.kill('SIGKILL')
  const third = await serve({ dataDir: first.dataDir })
  expect((await third.get(`/${shortCode}`)).status).toBe(302)
})

/** A folder with a database. */
async function soundFolder(): Promise<string> {
  const dataDir = temporaryFolder()
  await setUp(dataDir)
  return dataDir
}

function overwrite(file: string, offset: number, bytes: Buffer): void {
  const content = readFileSync(file)
  bytes.copy(content, offset)
  writeFileSync(file, content)
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Everything in a folder except the locks, which are empty. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter(name => !name.endsWith('.lock'))
  return Object.fromEntries(
    names.map(name => [name, readFileSync(join(folder, name)).toString('base64')]),
  )
}
