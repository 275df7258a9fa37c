import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './program.ts'

/** A project as `linnet plugins new` makes it, whose folder `src` is empty. Its parent is of its own: remove that. */
export function createProject(name: string): string {
  const project = join(realpathSync(mkdtempSync(join(tmpdir(), 'linnet-project-'))), name)
  execFileSync(process.execPath, [join(root, 'dist/main.js'), 'plugins', 'new', project])
  rmSync(join(project, 'src'), { recursive: true })
  for (const folder of ['src', 'node_modules/@types']) {
    mkdirSync(join(project, folder), { recursive: true })
  }
  symlinkSync(root, join(project, 'node_modules/linnet'))
  for (const needed of ['typescript', '@types/node']) {
    symlinkSync(join(root, 'node_modules', needed), join(project, 'node_modules', needed))
  }
  return project
}
