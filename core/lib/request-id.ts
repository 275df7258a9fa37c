import { randomUUID } from 'node:crypto'

/** Names a request, so that an answer and the log can be put together. */
export const newRequestId = () => randomUUID()
