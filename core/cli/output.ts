/** The progress of something that takes long. */
interface ProgressShown {
  /** `part`: from 0 to 1. */
  show(part: number, doing: string): void
  /** Ends the display. */
  end(): void
}

const barCharacters = 30
const barEveryMs = 100
const lineEveryMs = 5_000

/** Shows progress as a bar on a terminal, and as an occasional line elsewhere. */
export function showProgress(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  nowMs: () => number = () => performance.now(),
): ProgressShown {
  const everyMs = stream.isTTY ? barEveryMs : lineEveryMs
  let shownAt = nowMs()
  let isShown = false

  return {
    show(part, doing) {
      if (nowMs() - shownAt < everyMs) return
      shownAt = nowMs()
      const percent = `${Math.floor(part * 100)} %`
      if (stream.isTTY) stream.write(`\r\u001b[K[${barOf(part)}] ${percent.padStart(5)}  ${doing}`)
      else stream.write(`${percent}: ${doing}\n`)
      isShown = true
    },
    end() {
      if (isShown && stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}

function barOf(part: number): string {
  const done = Math.round(part * barCharacters)
  return '#'.repeat(done) + '.'.repeat(barCharacters - done)
}

/** What a command says with `--json`, for programs. */
export function writeJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

let isJson = false

/** Has `say` write for programs, or for people. */
export function sayAsJson(asJson: boolean): void {
  isJson = asJson
}

/** Says what a command has done: in a sentence, or, with `--json`, as a value for programs. */
export function say(sentence: string, value: object): void {
  if (isJson) writeJson(value)
  else process.stdout.write(sentence)
}

/** Says more beside that, which programs need not read. */
export function note(text: string): void {
  const stream = isJson ? process.stderr : process.stdout
  stream.write(text)
}

/** What went wrong, as the one line that a command with `--json` writes to the standard error. */
export function failureLine(message: string, exit: number, problem: unknown = null): string {
  return `${JSON.stringify({ message: message.replace(/^error: /, '').trim(), exit, problem })}\n`
}
