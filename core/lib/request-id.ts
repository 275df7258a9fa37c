import { randomUUID } from 'node:crypto'

/** Identifies a request, so that its answer can be found in the log. */
export const newRequestId = () => randomUUID()
