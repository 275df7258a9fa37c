import { expect, test } from 'vitest'
import { adviseChown } from '../../../core/cli/check-access.ts'

test('a folder of the host is named as what is mounted, since its path in the container means another folder there', () => {
  expect(adviseChown('1000:1000', '/data', true)).toBe(
    'Give that user the folder that is mounted at /data. On the host, as root, type chown -R 1000:1000 and the path of that folder there.',
  )
  expect(adviseChown('4242:100', '/var/lib/linnet', false)).toBe(
    'Type, as root: chown -R 4242:100 /var/lib/linnet',
  )
})
