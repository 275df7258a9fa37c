import {
  ensureAdmin,
  isSetUp,
  keepBootstrapToken,
  UnfitAdmin,
} from '../../accounts/access/set-up.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Log } from '../../plugin.ts'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import type { DataFolder } from '../data-folder.ts'
import type { ServerSettings } from '../settings-from-env.ts'

/** Makes the administrator, or keeps the token for making one, that the environment names. */
export async function ensureFirstAdmin(
  server: ServerSettings,
  { storage }: DataFolder,
  log: Log,
): Promise<void> {
  const { adminEmail: email, adminPassword: password, bootstrapToken: token } = server
  const now = () => new Date()
  try {
    if (email !== undefined && password !== undefined) {
      await ensureAdmin(storage.db, { email, password, fullName: null, token }, now)
    } else if (token !== undefined) await keepBootstrapToken(storage.db, token, now)
  } catch (error) {
    if (error instanceof UnfitAdmin) {
      throw new UserError(`LINNET_ADMIN_PASSWORD cannot be used: ${error.message}`)
    }
    // Links can be followed anyway, and that matters more than a new token.
    if (!isOutOfReach(error) || !(await isSetUp(storage.db))) throw error
    log.error('LINNET_BOOTSTRAP_TOKEN could not be checked: nothing can be written.')
  }
}
