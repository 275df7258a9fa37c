/**
 * Have V8 give back at once what this thread no longer needs: by itself it does so when more is asked for, and a
 * thread that has little to do would hold the most that it ever had.
 */
export async function collectGarbage(): Promise<void> {
  try {
    const { Session } = await import('node:inspector/promises')
    const session = new Session()
    session.connect()
    await session.post('HeapProfiler.collectGarbage')
    session.disconnect()
  } catch {
    // A Node that was built or started without its inspector only keeps more memory.
  }
}
