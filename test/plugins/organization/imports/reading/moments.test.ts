import { expect, it } from 'vitest'
import { readMoment } from '../../../../../plugins/organization/imports/reading/moments.ts'

const read = (text: string, zone = 'UTC') => readMoment(text, zone)?.toISOString()

it.each([
  ['2020-10-26T17:20:40+0000', '2020-10-26T17:20:40.000Z'],
  ['2020-10-26T17:20:40.123456Z', '2020-10-26T17:20:40.123Z'],
  ['2020-10-26 17:20:40 UTC', '2020-10-26T17:20:40.000Z'],
  ['2020-10-26 17:20:40 -05:30', '2020-10-26T22:50:40.000Z'],
  ['2020-10-26T17:20+02', '2020-10-26T15:20:00.000Z'],
  ['2020/1/2', '2020-01-02T00:00:00.000Z'],
  ['2.1.2020 7:05', '2020-01-02T07:05:00.000Z'],
  ['Oct 26, 2020', '2020-10-26T00:00:00.000Z'],
  ['October 26, 2020 12:05 AM', '2020-10-26T00:05:00.000Z'],
  ['26 Oct 2020 12:05 pm', '2020-10-26T12:05:00.000Z'],
  ['Mon, 26 Oct 2020 17:20:40 GMT', '2020-10-26T17:20:40.000Z'],
  ['Mon Oct 26 2020 17:20:40 GMT+0200 (Central European Summer Time)', '2020-10-26T15:20:40.000Z'],
  ['1718119809', '2024-06-11T15:30:09.000Z'],
  ['1718119809.5', '2024-06-11T15:30:09.500Z'],
  ['1718119809123', '2024-06-11T15:30:09.123Z'],
])('reads %s', (text, moment) => {
  expect(read(text)).toBe(moment)
})

it.each([
  ...['', 'yesterday', '05/06/2024', '2024-02-30', '2024-13-01', '2024-01-01 24:00', '1', '12'],
  ...[
    '2024-01-01 12:60',
    '13/2024',
    'Oct 26',
    '26 Foo 2020',
    'Oct 26, 2020 13:00 PM',
    '-1718119809',
  ],
  ...['0000', '99999999999999', '2024-01-01 10:00 +99:00', 'NaN'],
])('reads %j as nothing, since it may be several moments or none', text => {
  expect(read(text)).toBeUndefined()
})

it('reads what names no zone as clocks of the zone show it, in summer and in winter', () => {
  const summer = read('2024-07-01 12:00', 'Europe/Berlin')
  const winter = read('2024-01-01 12:00', 'Europe/Berlin')
  expect([summer, winter]).toEqual(['2024-07-01T10:00:00.000Z', '2024-01-01T11:00:00.000Z'])
  // An hour that clocks skip, and the first of one that comes twice.
  expect(read('2024-03-31 02:30', 'Europe/Berlin')).toBe('2024-03-31T01:30:00.000Z')
  expect(read('2024-10-27 02:30', 'Europe/Berlin')).toBe('2024-10-27T00:30:00.000Z')
  expect(read('2024-07-01T12:00:00Z', 'Europe/Berlin')).toBe('2024-07-01T12:00:00.000Z')
})
