import { afterEach, beforeEach, expect, it } from 'vitest'
import { command, definePlugin } from '../../../../core/plugin.ts'
import { exportLines } from '../../../../plugins/organization/exports/lines.ts'
import { boot, type Harness } from '../../../harness.ts'

/** Prints what is written in one piece, a piece a line. */
const pieces = definePlugin({
  feature: 'test.pieces',
  label: 'Pieces',
  about: 'Shows an export in its pieces.',
  unstable: {
    commands: {
      pieces: command({
        summary: 'Export everything.',
        async run({ print }, context) {
          const what = { isWhole: true, withHashes: false }
          const accounts = () => context.unstable.accounts.all()
          for await (const piece of exportLines({ ...what, accounts }, context))
            await print(JSON.stringify(piece))
        },
      }),
    },
  },
})

const linesOf = (piece: string) =>
  piece
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

let linnet: Harness

beforeEach(async () => {
  linnet = await boot(['organization.tags', 'organization.campaigns', pieces])
})
afterEach(() => linnet.stop())

it.each(['tag', 'campaign'])(
  'has each %s of an account, and a hundred at most in one piece',
  async kind => {
    const names = Array.from({ length: 101 }, (_, index) => `Name ${index}`).toSorted()
    for (const name of names) await linnet.api('POST', `/${kind}s`, { name })
    const written = (await linnet.command('pieces')).map(piece => linesOf(JSON.parse(piece)))
    const ofKind = written.map(piece => piece.filter(line => line.kind === kind))
    expect(ofKind.flat().map(({ name }) => name)).toEqual(names)
    expect(ofKind.map(({ length }) => length).filter(Boolean)).toEqual([100, 1])
  },
)
