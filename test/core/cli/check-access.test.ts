import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { adviseChown, checkAccess } from '../../../core/cli/check-access.ts'

test('a folder of the host is named as what is mounted, since its path in the container means another folder there', () => {
  expect(adviseChown('1000:1000', '/data', true)).toBe(
    'Give that user the folder that is mounted at /data. On the host, as root, type chown -R 1000:1000 and the path of that folder there.',
  )
  expect(adviseChown('4242:100', '/var/lib/linnet', false)).toBe(
    'Type, as root: chown -R 4242:100 /var/lib/linnet',
  )
})

test.each(['linnet.db', 'settings.json'])(
  'a data folder is refused if its %s is a symbolic link, wherever that leads',
  name => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
    const real = join(elsewhere, name)
    writeFileSync(real, '')
    symlinkSync(real, join(folder, name))
    expect(() => checkAccess(folder)).toThrow(/is a symbolic link, .*Put the file itself there/)
    rmSync(real)
    expect(() => checkAccess(folder)).toThrow(/is a symbolic link/)
    expect(() => checkAccess(elsewhere)).not.toThrow()
    const whole = join(temporaryFolder(), 'data')
    symlinkSync(elsewhere, whole)
    expect(() => checkAccess(whole)).not.toThrow()
  },
)

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
