import { expect, it } from 'vitest'
import { needsSchema, whyUnfit } from '../../../core/outside/why-unfit.ts'

const version = '0.1.0'
const { node } = process.versions

it.each([
  [{ peerDependencies: { linnet: `>=${version}` }, engines: { node: '>=20' } }, undefined],
  [{ peerDependencies: { linnet: `^${version}`, left: '^9' } }, undefined],
  // No ranges of versions: nobody can compare them.
  [{ peerDependencies: { linnet: 'file:../linnet' }, engines: { node: 'any' } }, undefined],
  [{ peerDependencies: 'linnet', engines: ['node >= 99'] }, undefined],
  [
    { peerDependencies: { linnet: '^9' } },
    `it is for Linnet ^9, but this is ${version}: update Linnet, or use a version of it for ${version}`,
  ],
  [
    { engines: { linnet: '>=9 || ~8.1' } },
    `it is for Linnet >=9 || ~8.1, but this is ${version}: update Linnet, or use a version of it for ${version}`,
  ],
  [
    { engines: { node: '>=99' } },
    `it is for Node >=99, but this is ${node}: update Node, or use a version of it for ${node}`,
  ],
])('of a package that needs %o it is said why it cannot run here', (needs, problem) => {
  expect(whyUnfit(needsSchema.parse(needs), version)).toBe(problem)
})
