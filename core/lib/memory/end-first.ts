import { writeFileSync } from 'node:fs'

/** Where memory is short, the kernel is to end this process, and not the server beside it: proc_pid_oom_score_adj(5). */
export function endFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has it.
  }
}
