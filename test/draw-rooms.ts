import { importsOfRooms, rooms } from './rooms.ts'

const box = { width: 132, height: 30, gapX: 14, gapY: 34 }
const margin = 20

/** The rooms of the core as an SVG: each is above all rooms that it imports from, with an arrow to each. */
export function drawRooms(): string {
  const imports = importsOfRooms()
  const floors = floorsOf(imports)
  const width = Math.max(...floors.map(widthOf)) + 2 * margin
  const height = floors.length * (box.height + box.gapY) - box.gapY + 2 * margin
  const places = new Map<string, { readonly x: number; readonly y: number }>()
  for (const [floor, names] of floors.entries()) {
    const left = (width - widthOf(names)) / 2
    for (const [index, room] of names.entries()) {
      const x = left + index * (box.width + box.gapX)
      places.set(room, { x, y: height - margin - box.height - floor * (box.height + box.gapY) })
    }
  }
  const lines = [...withoutShortcuts(imports)].flatMap(([room, targets]) =>
    [...targets].map(target => {
      const [from, to] = [places.get(room), places.get(target)]
      if (!from || !to) throw new Error(`${room} or ${target} is no room of docs/architecture.md.`)
      const [x, y] = [from.x + box.width / 2, from.y + box.height]
      const [toX, toY] = [to.x + box.width / 2, to.y]
      const bend = (toY - y) / 2
      return `<path d="M${x} ${y}C${x} ${y + bend} ${toX} ${toY - bend} ${toX} ${toY}"/>`
    }),
  )
  const boxes = rooms.map(room => {
    const { x, y } = places.get(room) ?? { x: 0, y: 0 }
    const middle = `x="${x + box.width / 2}" y="${y + box.height / 2}"`
    return `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="6"/><text ${middle}>${room.replace(/^core\/?/, '') || 'core'}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The rooms of the core">
<style>
:root{--paper:#fff;--ink:#1f2933;--line:#9aa5b1;--box:#f1f5f4;--edge:#2f7d6b}
@media(prefers-color-scheme:dark){:root{--paper:#14191d;--ink:#e6ebef;--line:#5b6770;--box:#1f2a2b;--edge:#55b39d}}
svg{background:var(--paper)}
path{fill:none;stroke:var(--line);stroke-width:1}
rect{fill:var(--box);stroke:var(--edge)}
text{fill:var(--ink);font:12px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}
</style>
${[...lines, ...boxes].join('\n')}
</svg>
`
}

const widthOf = (names: readonly string[]) => names.length * (box.width + box.gapX) - box.gapX

/** Rooms by floor: the length of the longest chain of imports below each. */
function floorsOf(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const floorOf = new Map<string, number>()
  for (const room of rooms) {
    const below = [...(imports.get(room) ?? [])].map(it => floorOf.get(it) ?? 0)
    floorOf.set(room, Math.max(-1, ...below) + 1)
  }
  const floors: string[][] = []
  for (const [room, floor] of floorOf) floors[floor] = [...(floors[floor] ?? []), room]
  return floors
}

/** Drops arrows that are implied by a chain of other arrows. */
function withoutShortcuts(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, Set<string>> {
  const reached = new Map<string, Set<string>>()
  const kept = new Map<string, Set<string>>()
  for (const room of rooms) {
    const direct = [...(imports.get(room) ?? [])].sort(
      (a, b) => rooms.indexOf(b) - rooms.indexOf(a),
    )
    const all = new Set<string>()
    const own = new Set<string>()
    for (const target of direct) {
      if (!all.has(target)) own.add(target)
      all.add(target)
      for (const it of reached.get(target) ?? []) all.add(it)
    }
    reached.set(room, all)
    kept.set(room, own)
  }
  return kept
}
