import { useMantineColorScheme } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { profileQuery } from '../../api/account/profile.ts'
import { main } from '../../api/instance/manifest.ts'
import {
  IconDeviceDesktop,
  IconFileImport,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
} from '../../shared/icons/icons.ts'
import { withScheme } from '../../shared/text/with-scheme.ts'
import { withoutScheme } from '../../shared/text/without-scheme.ts'
import { paletteTexts } from '../../texts/palette.ts'
import { texts } from '../../texts.ts'
import { useSignOut } from '../account/use-sign-out.ts'
import { adminPages } from '../navigation/admin-pages.ts'
import { usePanelPages, usePlaces } from '../navigation/use-places.ts'
import type { Command } from './command.ts'

/** All pages of this account and all general actions; if the search is an address, also creating a link to it. */
export function useCommands(search: string, showKeys: () => void): readonly Command[] {
  const navigate = useNavigate()
  const places = [...usePlaces(), ...usePanelPages()]
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const signOut = useSignOut()
  const address = withScheme(search.trim())
  const [, scheme = ''] = /^([a-z][a-z\d+.-]*):\S+$/i.exec(address) ?? []
  const isAddress = /^https?:\/\/\S+$/i.test(address) || main.schemes.includes(scheme.toLowerCase())

  const page = (it: Pick<Command, 'label' | 'icon'> & { readonly to: string }): Command => ({
    id: it.to,
    group: 'pages',
    label: it.label,
    icon: it.icon,
    run: () => navigate({ to: it.to }),
  })
  type Action = Omit<Command, 'group' | 'id'>
  const action = (it: Action): Command => ({ ...it, id: it.label, group: 'actions' })
  const more = (it: Action): Command => ({ ...it, id: it.label, group: 'more' })
  const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const

  return [
    ...(isAddress
      ? [
          action({
            label: paletteTexts.makeLink(withoutScheme(address)),
            hint: search,
            icon: IconPlus,
            run: () => navigate({ to: '/links/new', search: { url: address } }),
          }),
        ]
      : []),
    action({
      label: paletteTexts.newLink,
      icon: IconPlus,
      run: () => navigate({ to: '/links/new', search: {} }),
    }),
    action({
      label: paletteTexts.makeMany,
      icon: IconFileImport,
      run: () => navigate({ to: '/links/import' }),
    }),
    ...places.map(page),
    ...(profile.isAdmin ? adminPages : []).map(it =>
      page({ ...it, label: paletteTexts.adminPage(it.label) }),
    ),
    ...(['light', 'dark', 'auto'] as const).map(scheme =>
      more({
        label: paletteTexts.schemes[scheme],
        icon: schemes[scheme],
        run: () => setColorScheme(scheme),
      }),
    ),
    more({ label: paletteTexts.keysTitle, icon: IconKeyboard, run: showKeys }),
    more({ label: texts.shell.signOut, icon: IconLogout, run: signOut }),
  ]
}
