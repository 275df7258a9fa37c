import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from '../e2e/program.ts'

const run = promisify(execFile)

/** Runs `npm run bench` without a build; returns its output, rejects if it fails. */
export async function runBench(name: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [`test/bench/${name}.mjs`, ...args], { cwd: root })
  return stdout
}

/** The row names of each table, by the heading above it. */
export function tablesIn(report: string, isAskedFor: (row: string) => boolean = () => true) {
  const tables: Record<string, string[]> = {}
  let heading = ''
  for (const line of report.split('\n')) {
    if (line.startsWith('### ')) heading = line.slice(4)
    const row = line.startsWith('| ') ? line.split('|')[1]?.trim() : undefined
    if (!row || row === '---' || !isAskedFor(row)) continue
    tables[heading] = [...(tables[heading] ?? []), row]
  }
  return tables
}
