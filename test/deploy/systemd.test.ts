import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root, temporaryFolder } from '../e2e/program.ts'
import { run, withPrograms } from './programs.ts'

withPrograms('systemd-analyze')('systemd understands the unit, and finds it safe', () => {
  const system = systemWithTheUnit()
  const analyze = (...args: string[]) => run('systemd-analyze', [...args, `--root=${system}`])
  expect(analyze('verify', '--man=no', 'linnet.service')).toBe('')
  // The limit is in tenths of a point; an unprotected unit has ten points.
  analyze('security', '--offline=true', '--threshold=15', 'linnet.service')
})

/** A system with only the unit, its program, and what every system has. */
function systemWithTheUnit(): string {
  const system = temporaryFolder()
  const units = join(system, 'etc/systemd/system')
  mkdirSync(units, { recursive: true })
  copyFileSync(join(root, 'docs/deploy/linnet.service'), join(units, 'linnet.service'))
  mkdirSync(join(system, 'usr/local/bin'), { recursive: true })
  writeFileSync(join(system, 'usr/local/bin/linnet'), '', { mode: 0o755 })
  const targets = ['basic', 'multi-user', 'network-online', 'shutdown', 'sysinit', '-']
  for (const name of targets) {
    const unit = name === '-' ? '-.slice' : `${name}.target`
    writeFileSync(join(units, unit), '[Unit]\nDefaultDependencies=no\n')
  }
  return system
}
