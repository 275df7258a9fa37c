import { hashCheaply } from '../core/lib/passwords.ts'

// Runs before each test file of this process: these tests need hashes, but not their cost.
hashCheaply()
