import { type StdioOptions, spawn } from 'node:child_process'
import {
  existsSync,
  type FSWatcher,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../core/lib/user-error.ts'

/** A plugin in development. */
interface WatchedPlugin {
  /** Its folder. */
  readonly root: string
  /** The file that is imported. It may not exist yet. */
  readonly file: string
  readonly hasWatchScript: boolean
  /** Marks it as a new version, whichever of its files changed. */
  markChange(): void
}

const manifestSchema = z.object({
  name: z.string(),
  linnet: z.object({ plugin: z.string() }),
  scripts: z.object({ watch: z.string().optional() }).optional(),
})

/** How long to wait for further changes, as from a compiler that writes several files, in milliseconds. */
const calmMs = 100

/** Links a plugin into a folder of plugins as if it were installed there. Its dependencies stay where they are. */
export function linkPlugin(typed: string, plugins: string): WatchedPlugin {
  mkdirSync(join(plugins, 'node_modules'), { recursive: true })
  const found = statSync(typed, { throwIfNoEntry: false })
  if (!found) throw new UserError(`There is no plugin ${typed}. Enter its folder or its file.`)
  const path = realpathSync(resolve(typed))
  if (found.isFile()) {
    const name = basename(path)
    symlinkSync(path, join(plugins, name))
    const markChange = marker(plugins, name)
    return { root: dirname(path), file: path, hasWatchScript: false, markChange }
  }
  const { name, linnet, scripts } = readManifest(typed, path)
  const link = join(plugins, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(path, link)
  const project = { private: true, dependencies: { [name]: `file:${path}` } }
  writeFileSync(join(plugins, 'package.json'), JSON.stringify(project))
  const file = join(path, linnet.plugin)
  const hasWatchScript = scripts?.watch !== undefined
  return { root: path, file, hasWatchScript, markChange: marker(plugins, name) }
}

/** Changes the lockfile as npm does when it installs another version. */
function marker(plugins: string, name: string): () => void {
  let changes = 0
  return () => {
    changes += 1
    const packages = { [`node_modules/${name}`]: { integrity: `change ${changes}` } }
    writeFileSync(join(plugins, 'package-lock.json'), JSON.stringify({ packages }))
  }
}

function readManifest(typed: string, folder: string) {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  } catch {
    throw new UserError(
      `${typed} is not a plugin: it has no package.json with a name and "linnet": { "plugin": "./dist/index.js", "api": "^1" }.`,
    )
  }
}

/**
 * Reports each change of a plugin's files once, until its folder is gone. The folder that it is compiled into may
 * disappear, as in a clean build, and is then watched again.
 */
export function watchPlugin({ root, file }: WatchedPlugin, changed: () => unknown) {
  const folder = dirname(file)
  const gone = Promise.withResolvers<true>()
  let timer: NodeJS.Timeout | undefined
  let watcher = watchFolder()

  function watchFolder(): FSWatcher {
    mkdirSync(folder, { recursive: true })
    // Next to the package.json there is also node_modules.
    return watch(folder, { recursive: folder !== root }, wait).on('error', wait)
  }

  function wait(): void {
    clearTimeout(timer)
    timer = setTimeout(tell, calmMs)
  }

  function tell(): void {
    watcher.close()
    if (existsSync(root)) {
      watcher = watchFolder()
      changed()
    } else gone.resolve(true)
  }

  return {
    gone: gone.promise,
    close() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}

/** Runs the script until its input ends, which happens when this process ends for any reason. */
const untilInputEnds =
  'exec 3<&0; { read -r _ <&3; kill 0; } & npm run --silent watch </dev/null 3<&-'

/** Runs the script "watch" of a plugin, if it has one, until it is stopped. */
export function startCompiler({ root, hasWatchScript }: WatchedPlugin) {
  if (!hasWatchScript) return undefined
  // In a process group of its own, because npm does not pass signals on to what it runs.
  const stdio: StdioOptions = ['pipe', 2, 2]
  const child = spawn('sh', ['-c', untilInputEnds], { cwd: root, detached: true, stdio })
  child.on('error', error =>
    process.stderr.write(`npm run watch cannot be run: ${error.message}\n`),
  )
  child.on('exit', tellOfEnd)
  return {
    stop() {
      child.off('exit', tellOfEnd)
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    },
  }
}

function tellOfEnd(code: number | null, signal: NodeJS.Signals | null): void {
  process.stderr.write(
    `npm run watch ended with ${code ?? signal}, so your changes are no longer compiled: ` +
      'fix it, then run linnet dev again.\n',
  )
}
