import { contract } from '../config/contract.ts'
import { features } from '../config/features.ts'
import { plans } from '../config/plans.ts'
import { plugins } from '../config/plugins.ts'
import { server } from '../config/server.ts'
import { version } from '../package.json'
import { registry } from '../plugins/index.ts'
import { tools } from '../tools/tools.ts'
import { runProgram } from './cli/commands/program.ts'
import { endWith, surviveLostOutput } from './cli/end-process.ts'
import { compareBcryptIn } from './lib/bcrypt-thread.ts'
import { endFirst } from './lib/memory/end-first.ts'

compareBcryptIn(new URL('./bcrypt-worker.js', import.meta.url))
surviveLostOutput(process.argv[2] === 'serve')
// In a container, a command shares the memory of the server.
if (!['serve', 'dev'].includes(process.argv[2] ?? '')) endFirst()
const setting = {
  env: process.env,
  table: server,
  registry,
  contract,
  plans,
  features,
  plugins,
  programUrl: new URL('./main.js', import.meta.url),
  recorderUrl: new URL('./recorder-worker.js', import.meta.url),
  backupUrl: new URL('./backup-worker.js', import.meta.url),
  version,
}
endWith(await runProgram(process.argv.slice(2), setting, tools))
