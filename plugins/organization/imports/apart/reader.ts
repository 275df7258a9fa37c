import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { heldTogether, weigh } from '../engine/weight.ts'
import { openFile } from '../runs/open-file.ts'
import { type Item, SourceError } from '../source.ts'
import { sources } from '../sources.ts'
import type { Said, Work } from './read-apart.ts'

/** The process in which one file is read: says what is in it, some items at a time, and ends. */

const itemsTogether = 256
/** How often it says how far it has read, and that it still works at it, in milliseconds. */
const noteMs = 1_000

setFlagsFromString('--optimize-for-size')
setFlagsFromString('--heap-growing-percent=20')
preferToEnd()
giveWay()
process.once('message', work => void read(work as Work).finally(() => process.disconnect()))
// The server is gone.
process.once('disconnect', () => process.exit())

/** Where memory is short, the kernel is to end this process and not the server: proc_pid_oom_score_adj(5). */
function preferToEnd(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has it.
  }
}

/** The server goes on first. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A sandbox may forbid it.
  }
}

function say(said: Said): Promise<void> {
  return new Promise(resolve => process.send?.(said, () => resolve()))
}

async function read({ source: name, settings, file, folder, nowMs }: Work): Promise<void> {
  let items: Item[] = []
  let held = 0
  let bytesRead = 0
  /** Until the server has taken what it was sent. */
  let taken: Promise<void> = Promise.resolve()

  async function send(): Promise<void> {
    await taken
    const sent = { items, bytesRead }
    items = []
    held = 0
    taken = new Promise(resolve => process.once('message', () => resolve()))
    await say(sent)
  }

  function note(bytes: number): void {
    // Some sources read their file twice.
    bytesRead = Math.max(bytesRead, bytes)
  }

  // What takes without end lets no timer run.
  const noting = setInterval(() => void say({ bytesRead }), noteMs)
  try {
    const source = sources.find(it => it.name === name)
    if (!source) throw new Error(`There is no source ${name}`)
    const found = source.read({
      settings,
      folder,
      file: await openFile(file.path, file.name, note),
      signal: new AbortController().signal,
      now: () => new Date(nowMs),
      fetch: () => Promise.reject(new Error(`${name} reads a file, and asks no server`)),
    })
    for await (const one of found) {
      const { item, weight } = weigh(one)
      items.push(item)
      held += weight
      if (items.length >= itemsTogether || held >= heldTogether) await send()
    }
    await send()
    await say({ isDone: true })
  } catch (error) {
    // What was read until then comes.
    await send()
    await say({ failed: describe(error) })
  } finally {
    clearInterval(noting)
  }
}

function describe(error: unknown) {
  const { message, stack, code } = error as NodeJS.ErrnoException
  return { isOfFile: error instanceof SourceError, message, stack, code }
}
