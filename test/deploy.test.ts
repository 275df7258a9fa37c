import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type DocumentOptions, parse, parseAllDocuments } from 'yaml'
import { server } from '../config/server.ts'
import { fileVariable } from '../core/lib/variable-text.ts'
import { version } from '../package.json'

const read = (file: string) => readFileSync(file, 'utf8')
const files = ['Dockerfile', 'compose.yaml', ...globSync('docs/deploy/**/*.*')].sort()
const yamlFiles = files.filter(file => /\.ya?ml$/.test(file))
const settings = Object.values(server).flatMap(({ name }) => [name, fileVariable(name)])
const ofCompose = { tag: '!reset', collection: 'seq', resolve: () => [] }
const options = { customTags: [ofCompose] } as DocumentOptions
const composeFiles = yamlFiles.filter(file => file.includes('compose'))

interface Service {
  readonly image?: string
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly env_file?: readonly { readonly path: string }[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly logging?: { readonly options: Readonly<Record<string, string>> }
}

const servicesOf = (file: string): Readonly<Record<string, Service>> =>
  parse(read(file), options).services

it('finds the files that are for copying', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'docs/deploy/nginx.conf',
      'docs/deploy/linnet.service',
      'compose.yaml',
    ]),
  )
})

it.each(files)('%s: what it sets is a setting of ours', file => {
  const named = [...read(file).matchAll(/\bLINNET_[A-Z_]+/g)].map(([name]) => name)
  expect(named.filter(name => !settings.includes(name))).toEqual([])
})

it.each(yamlFiles)('%s: it is YAML', file => {
  const documents = [...parseAllDocuments(read(file), options)]
  expect(documents.length).toBeGreaterThan(0)
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
})

it('has units whose lines are sections, settings and comments', () => {
  const line = /^(\[[A-Z]\w+\]|[A-Z]\w+=.*|#.*|)$/
  for (const file of globSync('docs/deploy/*.service')) {
    expect(
      read(file)
        .split('\n')
        .filter(it => !line.test(it)),
    ).toEqual([])
  }
})

it('gives all threads one heap, in the image as under systemd', () => {
  for (const file of ['Dockerfile', 'docs/deploy/linnet.service']) {
    expect(read(file)).toMatch(/^(Environment=| {4})MALLOC_ARENA_MAX=1$/m)
  }
})

it('names the port, the paths and the version that there are', () => {
  const port = server.port.default
  const dockerfile = read('Dockerfile')
  expect(dockerfile).toContain(`EXPOSE ${port}\n`)
  expect(dockerfile).toContain(`ARG VERSION=${version}\n`)
  for (const label of ['version', 'revision', 'created']) {
    expect(dockerfile).toContain(`image.${label}="\${${label.toUpperCase()}}"`)
  }
  const kubernetes = read('docs/deploy/kubernetes.yaml')
  expect(kubernetes).toContain(`containerPort: ${port}\n`)
  expect(kubernetes).toContain(`/linnet:${version}\n`)
  for (const proxy of ['Caddyfile', 'nginx.conf', 'haproxy.cfg']) {
    expect(read(`docs/deploy/${proxy}`)).toContain(`127.0.0.1:${port}`)
  }
})

it('finds Linnet in its container, whatever linnet.env says of the host, the port and the folder', () => {
  const { linnet } = servicesOf('compose.yaml')
  const image = Object.fromEntries(
    [...read('Dockerfile').matchAll(/\b(LINNET_\w+)=(\S+)/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  expect(linnet?.environment).toEqual({
    LINNET_HOST: image.LINNET_HOST,
    LINNET_PORT: Number(server.port.default),
    LINNET_DATA_DIR: image.LINNET_DATA_DIR,
  })
  expect(linnet?.ports).toEqual([`\${PUBLISHED_PORT:-8080}:${server.port.default}`])
  expect(linnet?.volumes).toEqual([`data:${image.LINNET_DATA_DIR}`])
})

it.each(composeFiles)('%s: each container that it adds has a log of limited size', file => {
  for (const [name, service] of Object.entries(servicesOf(file))) {
    // What the other files say of Linnet is added to compose.yaml.
    if (name === 'linnet' && file !== 'compose.yaml') continue
    expect(Object.keys(service.logging?.options ?? {}), name).toEqual(['max-size', 'max-file'])
  }
})

it('keeps the files with settings and passwords out of Git', () => {
  const ignored = read('.gitignore').split('\n')
  const files = servicesOf('compose.yaml').linnet?.env_file?.map(({ path }) => path) ?? []
  expect(ignored).toEqual(expect.arrayContaining([...files, '.env']))
})

it('lets the image be built where a proxy inspects TLS', () => {
  const dockerfile = read('Dockerfile')
  const install = /^RUN .*\\\n.*\bnpm ci$/m.exec(dockerfile)?.[0] ?? ''
  const [, id, path] = /--mount=type=secret,id=(\w+),target=(\S+)/.exec(install) ?? []
  expect(install).toContain(`export NODE_EXTRA_CA_CERTS=${path}`)
  expect(read('docs/deploy/README.md')).toContain(`docker build --secret id=${id},src=`)
})
