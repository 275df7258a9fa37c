// Loaded before a program of the tests, which needs hashes, but not their cost. Only the smoke test hashes at full
// cost.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
crypto.scrypt = (password, salt, length, _cost, done) =>
  scrypt(password, salt, length, { N: 16, r: 1, p: 1 }, done)
syncBuiltinESMExports()
