import { Button, FileButton, Group, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { qrLogoQuery, removeQrLogo, uploadQrLogo } from '../../../api/links/qr.ts'
import { confirm } from '../../../shared/dialogs/confirm.ts'
import { messageOf, notifyDone } from '../../../shared/notices/notify.ts'
import { qrTexts } from '../../../texts/qr.ts'
import { texts } from '../../../texts.ts'
import classes from './qr-card.module.css'
import { asSmallPng } from './small-png.ts'

export interface LogoFieldProps {
  readonly isOn: boolean
  readonly error: string | undefined
  onChange(isOn: boolean): void
}

/** The logo in the QR codes of the account: whether it is used, and which one it is. */
export function LogoField({ isOn, error, onChange }: LogoFieldProps) {
  const queryClient = useQueryClient()
  const { data: logo } = useQuery(qrLogoQuery)
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: qrLogoQuery.queryKey })
    await queryClient.invalidateQueries({ queryKey: ['qr'] })
  }
  const upload = useMutation({
    meta: { showsProblem: true },
    mutationFn: async (file: File) => uploadQrLogo(await asSmallPng(file)),
    async onSuccess() {
      await refresh()
      onChange(true)
    },
  })
  const remove = useMutation({
    mutationFn: removeQrLogo,
    async onSuccess() {
      onChange(false)
      notifyDone(qrTexts.removed)
      await refresh()
    },
  })
  return (
    <div className={classes.logo}>
      <Switch
        label={texts.linkQr.logo}
        description={texts.linkQr.logoHint}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        error={error}
      />
      <Group gap="xs">
        {logo && <img className={classes.picture} src={logo} alt={qrTexts.yourLogo} height={32} />}
        <FileButton
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          onChange={file => file && upload.mutate(file)}
        >
          {props => (
            <Button {...props} variant="default" size="xs" loading={upload.isPending}>
              {logo ? qrTexts.replace : qrTexts.upload}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            loading={remove.isPending}
            onClick={() =>
              confirm({
                title: qrTexts.removeAsk,
                text: qrTexts.removeMeans,
                confirm: qrTexts.remove,
                onConfirm: () => remove.mutate(),
              })
            }
          >
            {qrTexts.remove}
          </Button>
        )}
      </Group>
      {upload.error && (
        <p className={classes.problem} role="alert">
          {messageOf(upload.error)}
        </p>
      )}
    </div>
  )
}
