/** What Node does on threads of its own and cannot break off, as its kinds are called there. */
const onThreads: Readonly<Record<string, string>> = {
  GetAddrInfoReqWrap: 'a look-up of a name',
  GetNameInfoReqWrap: 'a look-up of an address',
  FSReqPromise: 'a file',
  FSReqCallback: 'a file',
}

/** As it is before any plugin is read: one that calls it then is kept from it. */
const exit: typeof process.exit = process.exit.bind(process)

/** What of that is under way, for people. */
export function heldByThreads(): readonly string[] {
  const held = process.getActiveResourcesInfo().flatMap(kind => onThreads[kind] ?? [])
  return [...new Set(held)]
}

/** End with a code: by itself when nothing is left to do, with all read that was written, or else soon. */
export function endWith(code: number): void {
  process.exitCode = code
  setTimeout(() => endProcess(code), 250).unref()
}

/**
 * End the process at once. `process.exit` waits for what is under way on threads, as for a name server that
 * never answers; then this process becomes another one, which has nothing to do and ends. Node from 22.15 on
 * can do that, and not on Windows.
 */
export function endProcess(code: number): void {
  const { execve, execPath } = process
  if (heldByThreads().length === 0 || execve === undefined) exit(code)
  execve(execPath, [execPath, '--eval', `process.exit(${code})`], {})
}
