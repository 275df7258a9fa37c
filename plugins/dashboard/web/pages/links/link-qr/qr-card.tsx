import { Button, Collapse, NumberInput, SegmentedControl, Switch, Title } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { Problem } from '../../../api/client/problem.ts'
import type { Link } from '../../../api/links/links.ts'
import {
  drawQr,
  type KeptLook,
  type QrFormat,
  type QrLook,
  qrPath,
  qrQuery,
} from '../../../api/links/qr.ts'
import { CopyButton } from '../../../shared/copy/copy-button.tsx'
import { saveFile } from '../../../shared/copy/save-file.ts'
import { ColorText } from '../../../shared/forms/color-text.tsx'
import { IconDownload } from '../../../shared/icons/icons.ts'
import { messageOf } from '../../../shared/notices/notify.ts'
import { qrTexts } from '../../../texts/qr.ts'
import { texts } from '../../../texts.ts'
import { LogoField } from './logo-field.tsx'
import classes from './qr-card.module.css'
import { useQrLook, usualLook } from './use-qr-look.ts'

const typingMs = 200

/** The QR code of a link as it will look, and the settings of its look. */
export function QrCard({ link }: { readonly link: Link }) {
  const { kept, keep, forget } = useQrLook(link.id)
  return kept && <KeptCard {...{ link, kept, keep, forget }} />
}

interface KeptCardProps extends Pick<ReturnType<typeof useQrLook>, 'keep' | 'forget'> {
  readonly link: Link
  readonly kept: KeptLook
}

function KeptCard({ link, kept, keep, forget }: KeptCardProps) {
  const [edited, setEdited] = useState<QrLook>()
  const [sent, setSent] = useState<QrLook>()
  const look = edited ?? kept.look
  const dropEdited = () => setEdited(undefined)
  const [asked] = useDebouncedValue(look, typingMs)
  const [isOpen, { toggle }] = useDisclosure(false)
  const { data: image, error, isPlaceholderData } = useQuery(qrQuery(link.id, asked))
  // A look that cannot be drawn is not saved: every link would be left without its code.
  const isDrawn = image !== undefined && !isPlaceholderData && !error
  const isToKeep = isDrawn && asked === edited && edited !== sent
  const keepEdited = useEffectEvent((wanted: QrLook) => {
    setSent(wanted)
    keep({ look: wanted, isOwn: kept.isOwn }, dropEdited)
  })
  useEffect(() => {
    if (isToKeep) keepEdited(asked)
  }, [isToKeep, asked])
  const save = useMutation({
    meta: { showsProblem: true },
    mutationFn: async (format: QrFormat) =>
      saveFile(await drawQr(link.id, format, look), `${link.shortCode}.${format}`),
  })
  const wrong = error ?? save.error
  const wrongFields = wrong instanceof Problem ? wrong.fields : {}
  const change = (part: Partial<QrLook>) => {
    save.reset()
    setEdited({ ...look, ...part })
  }

  return (
    <section className={classes.card} aria-labelledby="link-qr">
      <div>
        <Title order={2} id="link-qr" size="h4">
          {texts.linkQr.heading}
        </Title>
        <p className={classes.lead}>{texts.linkQr.lead}</p>
      </div>
      <div className={classes.preview} data-wrong={error ? true : undefined}>
        {image && (
          <img src={image} alt={texts.linkQr.alt(link.shortUrl)} width={224} height={224} />
        )}
      </div>
      {wrong && Object.keys(wrongFields).length === 0 && (
        <p className={classes.problem} role="alert">
          {messageOf(wrong)}
        </p>
      )}
      <div className={classes.actions}>
        {(['svg', 'png'] as const).map(format => (
          <Button
            key={format}
            variant="default"
            leftSection={<IconDownload size={16} />}
            disabled={error !== null}
            loading={save.isPending && save.variables === format}
            aria-label={texts.linkQr.downloadAs(texts.linkQr.formats[format])}
            onClick={() => save.mutate(format)}
          >
            {texts.linkQr.formats[format]}
          </Button>
        ))}
        <CopyButton
          text={new URL(qrPath(link.id, 'svg', look), location.href).href}
          label={texts.linkQr.copyAddress}
        />
      </div>
      <Button variant="subtle" size="xs" aria-expanded={isOpen} onClick={toggle}>
        {texts.linkQr.customize}
      </Button>
      <Collapse expanded={isOpen}>
        <Switch
          className={classes.own}
          label={texts.linkQr.own}
          description={texts.linkQr.ownHint}
          checked={kept.isOwn}
          onChange={event => {
            // Takes the look on the screen, which may still be on its way to be saved for all links.
            const seen = error ? kept.look : look
            if (event.currentTarget.checked) keep({ look: seen, isOwn: true }, dropEdited)
            else {
              dropEdited()
              forget()
            }
          }}
        />
        <Look look={look} errors={wrongFields} onChange={change} />
      </Collapse>
    </section>
  )
}

interface LookProps {
  readonly look: QrLook
  readonly errors: Readonly<Record<string, string>>
  onChange(part: Partial<QrLook>): void
}

function Look({ look, errors, onChange }: LookProps) {
  return (
    <div className={classes.look}>
      <ColorText
        label={texts.linkQr.dark}
        value={look.dark}
        onChange={dark => onChange({ dark })}
        error={errors.dark}
      />
      <ColorText
        label={texts.linkQr.light}
        value={look.light}
        onChange={light => onChange({ light })}
        error={errors.light}
      />
      <NumberInput
        label={texts.linkQr.size}
        description={texts.linkQr.sizeHint}
        value={look.size}
        onChange={size => onChange({ size: Number(size) })}
        error={errors.size}
        step={64}
        clampBehavior="none"
      />
      <NumberInput
        label={texts.linkQr.margin}
        description={texts.linkQr.marginHint}
        value={look.margin}
        onChange={margin => onChange({ margin: Number(margin) })}
        error={errors.margin}
        clampBehavior="none"
      />
      <div className={classes.level}>
        <span id="qr-level">{texts.linkQr.level}</span>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-labelledby="qr-level"
          value={look.level}
          onChange={level => onChange({ level })}
          data={levels.map(value => ({ value, label: texts.linkQr.levels[value] }))}
        />
        <p className={classes.lead}>{texts.linkQr.levelHint}</p>
      </div>
      <div className={classes.level}>
        <span id="qr-shape">{qrTexts.shape}</span>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-labelledby="qr-shape"
          value={look.shape}
          onChange={shape => onChange({ shape })}
          data={shapes.map(value => ({ value, label: qrTexts.shapes[value] }))}
        />
      </div>
      <div className={classes.level}>
        <span id="qr-eyes">{qrTexts.eyes}</span>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-labelledby="qr-eyes"
          value={look.eyes}
          onChange={eyes => onChange({ eyes })}
          data={eyeShapes.map(value => ({ value, label: qrTexts.eyeShapes[value] }))}
        />
      </div>
      <LogoField
        isOn={look.logo === '1'}
        error={errors.logo}
        onChange={isOn => onChange({ logo: isOn ? '1' : '0' })}
      />
      <Button variant="default" size="xs" onClick={() => onChange(usualLook)}>
        {texts.linkQr.reset}
      </Button>
    </div>
  )
}

const levels = ['L', 'M', 'Q', 'H'] as const
const shapes = ['square', 'rounded', 'dots'] as const
const eyeShapes = ['square', 'rounded', 'circle'] as const
