import { parentPort, workerData } from 'node:worker_threads'
import bcrypt from 'bcryptjs'
import type { BcryptWork } from './lib/bcrypt-thread.ts'

/** The thread of one guess at a password that another program hashed with bcrypt: compares them, and ends. */
const { attempt, hash } = workerData as BcryptWork
parentPort?.postMessage(bcrypt.compareSync(attempt, hash))
