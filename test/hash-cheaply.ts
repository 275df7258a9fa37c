import { hashCheaply } from '../core/lib/passwords.ts'

// Before each file of tests in this process: only what is hashed matters there, not what that costs.
hashCheaply()
