import { remember } from '../../../../core/plugin.ts'
import { readMoment } from '../reading/moments.ts'

const written = /^(\d{4}-\d\d-\d\d[ T]\d\d):(\d\d):(\d\d)(?:\.\d+)?(.*)$/

/**
 * Reads when visits were, like `readMoment`, which takes its time. There may be millions, so that an hour of a time zone is
 * read once.
 */
export function visitTimes(zone: string): (text: string | null | undefined) => Date | undefined {
  const hourAt = remember((hour: string) => readMoment(hour, zone))
  return text => {
    const [, hour, minutes, seconds, offset] = written.exec(text ?? '') ?? []
    if (hour === undefined) return readMoment(text ?? '', zone)
    const start = hourAt(`${hour}:00:00${offset}`)
    return start && new Date(start.getTime() + (60 * Number(minutes) + Number(seconds)) * 1_000)
  }
}
