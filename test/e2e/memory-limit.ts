import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = '/sys/fs/cgroup'

/** Where cgroups are made here, and how their files are called, by version. */
const kinds = [
  { folder: `${root}/memory${ownPath(/^\d+:memory:(.*)$/m)}`, limit: 'memory.limit_in_bytes' },
  { folder: root, limit: 'memory.max' },
]

function ownPath(line: RegExp): string {
  try {
    return line.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

let made = 0

function makeGroup(bytes: number): string | undefined {
  for (const { folder, limit } of kinds) {
    made += 1
    const group = join(folder, `linnet-test-${process.pid}-${made}`)
    try {
      mkdirSync(group)
    } catch {
      continue
    }
    try {
      writeFileSync(join(group, limit), String(bytes), { flag: 'r+' })
      return group
    } catch {
      rmdirSync(group)
    }
  }
  return undefined
}

/** Whether a process can be given a limit here: that takes Linux, and root. */
export const canLimitMemory = tryOnce()

function tryOnce(): boolean {
  const group = makeGroup(2 ** 30)
  if (group === undefined) return false
  rmdirSync(group)
  return true
}

/** The command that starts a program with so much memory, as in a container; the group is removed after the test. */
export function withMemory(mebibytes: number): readonly string[] {
  const group = makeGroup(mebibytes * 2 ** 20)
  if (group === undefined) throw new Error('No memory cgroup can be made here.')
  onTestFinished(async () => {
    // The kernel may take a moment to see that its processes have ended.
    while (readFileSync(join(group, 'cgroup.procs'), 'utf8') !== '') await nextTurn()
    rmdirSync(group)
  })
  return ['sh', '-c', `echo $$ > ${join(group, 'cgroup.procs')} && exec "$@"`, 'sh']
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
