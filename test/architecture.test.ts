import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plans } from '../config/plans.ts'
import { includes } from '../core/settings/plan.ts'
import { registry } from '../plugins/index.ts'
import { builtFiles } from './built-program.ts'
import { filesIn, importsOf, loadedBy, roomOf, rooms } from './rooms.ts'

const root = resolve(import.meta.dirname, '..')

/** The code that runs in browsers; it uses the API, like any other program. */
const web = 'plugins/dashboard/web/'

const pluginFiles = filesIn('plugins').filter(file => !file.startsWith(web))
const beside = ['config', 'remote', 'tools'].flatMap(filesIn)
const sources = [...filesIn('core'), ...pluginFiles, ...beside]
/**
 * How many lines each room of the core may have, tests not included. Who needs more raises the number in the same commit
 * and says in its message what that buys; who makes a room much smaller lowers it.
 */
const budgets: Readonly<Record<string, number>> = {
  core: 175,
  'core/accounts': 3_850,
  'core/app': 2_460,
  'core/cli': 4_480,
  'core/doctor': 600,
  'core/http': 13_290,
  'core/kernel': 8_040,
  'core/lib': 3_945,
  'core/limits': 755,
  'core/links': 5_450,
  'core/outside': 1_660,
  'core/plugin': 4_470,
  'core/settings': 995,
  'core/storage': 5_955,
  'core/visits': 8_940,
}

const kebab = (text: string) => text.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

describe('who may import whom', () => {
  it('has a room for every file of the core, and a file in every room', () => {
    expect([...new Set(filesIn('core').map(roomOf))].sort()).toEqual([...rooms].sort())
  })

  it.each(rooms)('keeps %s within the lines that it may have', room => {
    const files = filesIn('core').filter(file => roomOf(file) === room)
    const lines = files.reduce((sum, file) => sum + linesOf(file), 0)
    expect(lines, 'above `budgets` means: say what it buys').toBeLessThanOrEqual(budgets[room] ?? 0)
  })

  it('calls no two files of the core the same', () => {
    const names = filesIn('core').map(file => basename(file))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('holds no small file that one file beside it could hold, unless a test is about it alone', () => {
    const sizes = new Map(filesIn('core').map(file => [file, linesOf(file)]))
    const importers = Map.groupBy(
      sources.flatMap(file => [...new Set(importsOf(file))].map(target => ({ file, target }))),
      ({ target }) => target,
    )
    const tested = new Set(filesIn('test').flatMap(importsOf))
    const small = [...sizes].flatMap(([file, lines]) => {
      const [only, ...others] = importers.get(file) ?? []
      if (!only || others.length > 0 || dirname(only.file) !== dirname(file)) return []
      const together = (sizes.get(only.file) ?? 0) + lines
      const fits = (lines < 60 && together <= 200) || (lines < 40 && together <= 250)
      return fits && !tested.has(file) ? [`${file} -> ${only.file}`] : []
    })
    // An older Node, which is to be told what is wrong, cannot parse it.
    expect(small).toEqual(['core/start.ts -> core/main.ts'])
  })

  it('exports nothing that no file which imports it names', () => {
    const all = [...sources, ...filesIn('client'), ...filesIn(web)]
    // The build of the dashboard takes these by their places.
    const ours = all.filter(file => !/\/web\/(build|texts)\//.test(file))
    const files = [...all, ...filesIn('.ci'), ...filesIn('test'), ...filesIn('examples')]
    const texts = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))
    const words = new Map([...texts].map(([file, text]) => [file, new Set(text.match(/\w+/g))]))
    const importers = Map.groupBy(
      files.flatMap(file => importsOf(file).map(target => ({ file, target }))),
      ({ target }) => target,
    )
    // What builds the dashboard writes imports into it.
    const builders = filesIn(`${web}build`)
    const isNamed = (file: string, name: string) =>
      [...(importers.get(file) ?? []).map(it => it.file), ...builders].some(
        other => other !== file && words.get(other)?.has(name),
      )
    // Node calls the first by its name, as a module hook; a package of the dashboard calls the second.
    const calledElsewhere = ['initialize', 'styleSingleton']
    const declared = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm
    const alone = ours
      .filter(file => file !== 'client/errors.ts') // `client/linnet.ts` exports all of it.
      .flatMap(file => {
        const names = [...(texts.get(file) ?? '').matchAll(declared)].map(([, name]) => `${name}`)
        return names
          .filter(name => !calledElsewhere.includes(name) && !isNamed(file, name))
          .map(name => `${file}: ${name}`)
      })
    expect(alone).toEqual([])
  })

  it('lets imports in the core run one way', () => {
    const upwards = filesIn('core').flatMap(file =>
      importsOf(file)
        .filter(target => rooms.indexOf(roomOf(target)) > rooms.indexOf(roomOf(file)))
        .map(target => `${file} -> ${target}`),
    )
    expect(upwards).toEqual([])
  })

  it('keeps the configuration and the plugins out of the core, but for where it starts', () => {
    const outside = filesIn('core')
      .filter(file => !['core/main.ts', 'core/start.ts', 'core/recorder-worker.ts'].includes(file))
      .flatMap(file =>
        importsOf(file)
          .filter(target => !target.startsWith('core/'))
          .map(target => `${file} -> ${target}`),
      )
    expect(outside).toEqual([])
  })

  it('lets commands for a server elsewhere import the client, and nothing of a server', () => {
    // Which commands there are here, and how a process shows progress and ends.
    const ofCli = ['command-names.ts', 'end-process.ts', 'output.ts'].map(it => `core/cli/${it}`)
    const shared = [...ofCli, 'package.json']
    const others = filesIn('remote').flatMap(file =>
      importsOf(file)
        .filter(target => !/^(remote|core\/lib)\//.test(target) && target !== 'client/linnet.ts')
        .filter(target => !shared.includes(target))
        .map(target => `${file} -> ${target}`),
    )
    expect(others).toEqual([])
    const importers = sources
      .filter(file => importsOf(file).some(target => target.startsWith('remote/')))
      .filter(file => !file.startsWith('remote/'))
    expect(importers).toEqual(['core/main.ts'])
  })

  it('hands tools over where the program starts: nothing else imports what no server runs', () => {
    const importers = sources
      .filter(file => importsOf(file).some(target => target.startsWith('tools/')))
      .filter(file => !file.startsWith('tools/'))
    expect(importers).toEqual(['core/start.ts'])
  })

  it('lets plugins import the plugin API and their own folder only', () => {
    // The files of a plugin with a folder in its folder import each other.
    const plugin = (file: string) => /^plugins\/[^/]+\/[^/]+\//.exec(file)?.[0]
    const others = pluginFiles
      .filter(file => file !== 'plugins/index.ts')
      .flatMap(file =>
        importsOf(file)
          .filter(target => target !== 'core/plugin.ts' && dirname(target) !== dirname(file))
          .filter(target => !target.startsWith(`${ownFolderOf(file)}/`))
          .filter(target => !plugin(file) || plugin(target) !== plugin(file))
          .map(target => `${file} -> ${target}`),
      )
    expect(others).toEqual([])
  })

  it('lets the client import nothing but itself, because it runs elsewhere', () => {
    const files = filesIn('client').filter(file => !file.startsWith('client/build/'))
    const outside = files.flatMap(file =>
      importsOf(file)
        .filter(target => !target.startsWith('client/'))
        .map(target => `${file} -> ${target}`),
    )
    const packages = files.filter(file =>
      /(?:from|import\() ?'[^.]/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect([...outside, ...packages]).toEqual([])
  })

  it('keeps what runs in browsers and what runs on the server apart, but for a list that imports nothing', () => {
    const list = 'plugins/organization/imports/reading/column-names.ts'
    expect(importsOf(list)).toEqual([])
    const across = [...filesIn('core'), ...filesIn('plugins'), ...filesIn('config')].flatMap(file =>
      importsOf(file)
        .filter(target => target.startsWith(web) !== file.startsWith(web))
        // The client runs in both.
        .filter(target => !target.startsWith('client/') && target !== list)
        .map(target => `${file} -> ${target}`),
    )
    expect(across).toEqual([])
  })

  it('lets imports in the dashboard run one way', () => {
    const floors = [
      /^language\//,
      /^texts/,
      /^words\./,
      /^theme/,
      /^api/,
      /^shared/,
      /^shell/,
      /^pages/,
      /^(start|speak-brought|main|router|routes)\./,
    ]
    const floor = (file: string) => floors.findIndex(it => it.test(file.slice(web.length)))
    const files = filesIn(web).filter(
      file => !/^build|^modules\.d\.ts/.test(file.slice(web.length)),
    )
    expect(files.filter(file => floor(file) === -1)).toEqual([])
    const upwards = files.flatMap(file =>
      importsOf(file)
        .filter(target => floor(target) > floor(file))
        .map(target => `${file} -> ${target}`),
    )
    expect(upwards).toEqual([])
  })

  it('lets a page of the dashboard import no other page', () => {
    const page = (file: string) => /^plugins\/dashboard\/web\/pages\/([^/]+)/.exec(file)?.[1]
    const across = filesIn(web).flatMap(file =>
      importsOf(file)
        .filter(target => page(target) && page(target) !== page(file))
        .filter(() => file !== `${web}routes.ts`)
        .map(target => `${file} -> ${target}`),
    )
    expect(across).toEqual([])
  })

  it.each([
    // Each file beside the folders is a folder of its own: some are below all folders, some above.
    ['core', filesIn('core'), 'core/'],
    ['dashboard', filesIn(web), web],
  ])(
    'lets the folders of the %s import each other one way, and holds none of more than twenty files',
    (_, files, top) => {
      const folder = (file: string) => (`${dirname(file)}/` === top ? file : dirname(file))
      const below = new Map<string, Set<string>>()
      for (const file of files) {
        for (const target of importsOf(file).filter(it => folder(it) !== folder(file))) {
          below.set(folder(file), (below.get(folder(file)) ?? new Set()).add(folder(target)))
        }
      }
      expect(circlesIn(below)).toEqual([])
      const crowded = [...new Set(files.map(folder))].filter(
        it => files.filter(file => folder(file) === it).length > 20,
      )
      expect(crowded).toEqual([])
    },
  )

  it('holds no folder of plugins of more than twenty files', () => {
    const crowded = [...Map.groupBy(pluginFiles, file => dirname(file))]
      .filter(([, files]) => files.length > 20)
      .map(([folder]) => folder)
    expect(crowded).toEqual([])
  })

  // The other exports of a CommonJS package are there in the sources, and missing in the bundle.
  it('takes only the default export of a package that is loaded when it is needed', () => {
    const loading = /^.*(?<!typeof )\bimport\('(?!node:|\.)[^']+'\).*$/gm
    const lines = [...filesIn('core'), ...pluginFiles].flatMap(
      file => readFileSync(join(root, file), 'utf8').match(loading) ?? [],
    )
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatch(/const \{ default: \w+ \} = await import\(/)
  })

  it('lets nothing but the registry import a plugin', () => {
    const importers = sources
      .filter(file => importsOf(file).some(it => /^plugins\/.+\//.test(it)))
      .filter(file => !file.startsWith('plugins/'))
    expect(importers).toEqual([])
  })

  it('has no circles, in the dashboard neither', () => {
    const graph = new Map(
      [...filesIn('client'), ...sources, ...filesIn(web)].map(file => [file, importsOf(file)]),
    )
    expect(circlesIn(graph)).toEqual([])
  })
})

describe('regular expressions', () => {
  // `(a+|b)*` tries a text that does not match in more ways than anybody can wait for.
  const nested = /\((?:\?:)?(?:\[(?:\\.|[^\]\\])*\]|\\?[\w.])[+*](?:\|[^()]*)?\)[+*{]/
  const files = ['core', 'plugins', 'config'].flatMap(filesIn)

  it('that repeat what repeats are found', () => {
    expect(nested.test(String(/"(?:[^"]+|"")*"/))).toBe(true)
    expect(nested.test(String(/(\w+)*x/))).toBe(true)
    expect(nested.test(String(/"[^"]*(?:""[^"]*)*"/))).toBe(false)
  })

  it('repeat nothing that repeats', () => {
    const found = files.filter(file => nested.test(readFileSync(join(root, file), 'utf8')))
    expect(found).toEqual([])
  })
})

describe('the core knows no feature', () => {
  /** Names that others chose: an HTTP header, the groups of OpenAPI, and Node's term for the seal of a cipher. */
  const foreign = [/X-Robots-Tag/g, /^ +tags: /gm, /\b[gs]etAuthTag\b/g]
  const ours = /\b(campaigns?|tags?|qr|scan(s|ned|ning)?)\b/gi
  const keys = Object.keys(registry)
  // A one-word name, such as `web`, may mean anything.
  const names = keys.map(key => key.replace(/.*\./, '')).filter(name => /[A-Z]/.test(name))

  it.each(filesIn('core'))('and %s names none of ours', file => {
    const source = foreign.reduce(
      (text, word) => text.replace(word, ''),
      readFileSync(join(root, file), 'utf8'),
    )
    const words = source.replace(/([a-z])([A-Z])/g, '$1 $2').match(ours) ?? []
    const named = [...keys, ...names].filter(name => new RegExp(`\\b${name}\\b`).test(source))
    expect([...words, ...named]).toEqual([])
  })
})

describe('tests of the built program', () => {
  /** These test a part by itself, one in a browser and one for minutes. */
  const ofParts = ['test/browser/visitor-looks.test.ts', 'test/faults/fast-lane.test.ts']
  const folders = ['test/api', 'test/browser', 'test/e2e', 'test/faults'].flatMap(filesIn)
  const ofPlugins = filesIn('test/plugins').filter(file =>
    /^test\/plugins\/\w+\/[\w-]+\.test\.ts$/.test(file),
  )
  const plugins = new Set(
    Object.keys(registry).map(feature => `plugins/${feature.split('.').map(kebab).join('/')}.ts`),
  )
  const ofProgram = [...folders, ...ofPlugins].filter(
    // Programs of their own are built from the fixtures.
    file => !ofParts.includes(file) && !file.startsWith('test/e2e/fixtures/'),
  )

  it('import nothing of its sources but types and plugins, which are those of the program', () => {
    const files = new Set([...ofProgram, 'test/conformance.test.ts'])
    const found: string[] = []
    for (const file of files) {
      for (const target of loadedBy(file).filter(it => !builtFiles.has(it) && !plugins.has(it))) {
        // A test may write a file that does not exist, in order to import it.
        if (target.startsWith('test/') && existsSync(join(root, target))) files.add(target)
        else if (/^(config|core|plugins)\//.test(target) && !target.startsWith(web)) {
          found.push(`${file} -> ${target}`)
        }
      }
    }
    expect(found).toEqual([])
  })
})

describe('what authors of plugins test with', () => {
  it('is in the image and built anew when it changes, with all that it imports of the tests', () => {
    const parts = new Set(['test/harness.ts', 'test/conformance.ts', 'test/inside.ts'])
    for (const file of parts) {
      for (const target of importsOf(file).filter(it => it.startsWith('test/'))) parts.add(target)
    }
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
    const built = readFileSync(join(root, 'run.mjs'), 'utf8')
    for (const file of parts) {
      expect(ignored).toContain(`!${file}\n`)
      expect(built).toContain(`'${file}'`)
    }
  })
})

describe('the three mirrors', () => {
  it.each(Object.keys(registry))('plan key, plugin file and test file of %s agree', feature => {
    const path = feature.split('.').map(kebab).join('/')
    const source = readFileSync(join(root, 'plugins/index.ts'), 'utf8').replace(/\s+/g, ' ')
    expect(source).toContain(`'${feature}': () => import('./${path}.ts')`)
    expect(existsSync(join(root, `plugins/${path}.ts`))).toBe(true)
    expect(existsSync(join(root, `test/plugins/${path}.test.ts`))).toBe(true)
    expect(includes(plans.unlimited, feature)).toBe(true)
  })

  it('leaves no plugin file outside of the registry, but for the parts of those in it', () => {
    const listed = Object.keys(registry).map(feature => feature.split('.').map(kebab).join('/'))
    const files = pluginFiles.filter(file => file !== 'plugins/index.ts')
    const programs = readFileSync(join(root, 'tsup.config.ts'), 'utf8').match(
      /plugins\/[\w/-]+\.ts/g,
    )
    const parts = [...files.flatMap(importsOf), ...(programs ?? [])]
    const whole = files.filter(file => !parts.includes(file))
    expect(whole.map(file => file.slice('plugins/'.length, -'.ts'.length)).sort()).toEqual(
      listed.sort(),
    )
  })
})

function linesOf(file: string): number {
  return readFileSync(join(root, file), 'utf8').split('\n').length - 1
}

/** The folder that a plugin has for its parts: `plugins/organization/tags`, for each file of it. */
function ownFolderOf(pluginFile: string): string {
  return pluginFile.replace(/\.ts$/, '').split('/').slice(0, 3).join('/')
}

/** The import cycles, each once. */
function circlesIn(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const walk = (place: string, path: readonly string[]): void => {
    if (path.includes(place)) {
      circles.push([...path.slice(path.indexOf(place)), place].join(' -> '))
      return
    }
    if (done.has(place)) return
    for (const target of graph.get(place) ?? []) walk(target, [...path, place])
    done.add(place)
  }
  for (const place of graph.keys()) walk(place, [])
  return circles
}
