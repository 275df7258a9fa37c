import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** A line that describes the machine of the measurement. */
export function machine() {
  const [{ model }] = cpus()
  return `${model.trim()}, ${cpus().length} cores, Node ${process.version}, ${process.platform}`
}

/** Resident memory of a process, in MiB, as `docker stats` counts. */
export function residentMebibytes(pid) {
  const status = `/proc/${pid}/status`
  const kibibytes = existsSync(status)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kibibytes) / 1024
}

/**
 * Processor time that a process has used in all its threads, in milliseconds; NaN without procfs. The kernel
 * counts ticks of 10 ms: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function processorMs(pid) {
  const stat = `/proc/${pid}/stat`
  if (!existsSync(stat)) return Number.NaN
  const afterName = readFileSync(stat, 'utf8').split(') ').at(-1).split(' ')
  return (Number(afterName[11]) + Number(afterName[12])) * 10
}
