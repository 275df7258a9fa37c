import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type DocumentOptions, parseAllDocuments } from 'yaml'
import { server } from '../config/server.ts'
import { fileVariable } from '../core/lib/variable-text.ts'
import { version } from '../package.json'

const read = (file: string) => readFileSync(file, 'utf8')
const files = ['Dockerfile', 'compose.yaml', ...globSync('docs/deploy/**/*.*')].sort()
const yamlFiles = files.filter(file => /\.ya?ml$/.test(file))
const settings = Object.values(server).flatMap(({ name }) => [name, fileVariable(name)])
const ofCompose = { tag: '!reset', collection: 'seq', resolve: () => [] }

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
  const options = { customTags: [ofCompose] } as DocumentOptions
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
  const kubernetes = read('docs/deploy/kubernetes.yaml')
  expect(kubernetes).toContain(`containerPort: ${port}\n`)
  expect(kubernetes).toContain(`/linnet:${version}\n`)
  for (const proxy of ['Caddyfile', 'nginx.conf', 'haproxy.cfg']) {
    expect(read(`docs/deploy/${proxy}`)).toContain(`127.0.0.1:${port}`)
  }
})
