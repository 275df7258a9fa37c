import { totalmem } from 'node:os'

/** With less, in MiB, no file is read, and answers of servers have to be small. */
export const leastMebibytes = 192

/** The memory of the container, or else of the machine. */
export function memoryMebibytes(): number {
  const constrained = process.constrainedMemory()
  return (constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()) / 2 ** 20
}
