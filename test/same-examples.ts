import fc from 'fast-check'
import { isNight, tries } from './at-night.ts'

// Runs before each test file: properties are tried with the same examples in every run, so that one that fails does so
// again, and with others at night.
fc.configureGlobal({ ...tries(100), ...(isNight ? {} : { seed: 20261126 }) })
